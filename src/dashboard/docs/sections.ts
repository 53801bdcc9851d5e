/** Pages cut at their headings, as plain text: what search looks through. Nothing of Markdown is left in it. */
import { groupOf, type DocsPage } from './docs-pages.ts';
import { renderMarkdown } from './markdown.ts';
import type { Section } from './search.ts';

export function sectionsOf(page: DocsPage): Section[] {
  const { html } = renderMarkdown(page.text);
  // The first page names everything and explains little.
  const weight = page.path.startsWith('README') ? 0.5 : (weights[groupOf(page).name] ?? 1);
  const about = { path: page.path, title: page.title, chinese: page.chinese, weight };
  // Each part begins with its heading; before the first there is at most a picture.
  return html.split(/(?=<h[1-3] id=")/).flatMap((part) => {
    const [whole = '', depth = '1', id = '', heading = ''] = /^<h([1-3]) id="([^"]*)">(.*?)<\/h\1>/s.exec(part) ?? [];
    const text = plainText(part.slice(whole.length));
    if (whole === '' && text === '') return [];
    return [{ ...about, heading: plainText(heading) || page.title, id: depth === '1' ? '' : id, text }];
  });
}

/** The words of some HTML that `renderMarkdown` made. */
function plainText(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/li|\/tr|\/pre|\/td|\/th|\/h\d)>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Guides answer most questions; a table of every key holds every word. */
const weights: Readonly<Record<string, number>> = { Start: 1.1, Environments: 0.8, Results: 0.6, Reference: 0.7, Project: 0.6 };
