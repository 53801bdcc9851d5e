/**
 * Markdown as the project's pages use it, to HTML: headings, paragraphs, lists, tables, fenced code, quotes, images, links, emphasis.
 * Everything else is text, and text never becomes markup.
 */

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

export function renderMarkdown(markdown: string): Rendered {
  const lines = markdown.split('\n');
  const headings: Heading[] = [];
  const html: string[] = [];
  const ids = new Map<string, number>();
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const fence = /^\s*(```+)(\w*)/.exec(line);
    const heading = /^(#{1,6}) (.+)$/.exec(line);
    if (fence) {
      const end = endOf(lines, at + 1, (one) => one.trim().startsWith(fence[1] ?? '```'));
      html.push(`<pre><code>${escape(lines.slice(at + 1, end).join('\n'))}</code></pre>`);
      at = end + 1;
    } else if (heading) {
      const [, marks = '', text = ''] = heading;
      const id = uniqueId(text, ids);
      headings.push({ depth: marks.length, text: plain(text), id });
      html.push(`<h${marks.length} id="${escape(id)}">${inline(text)}</h${marks.length}>`);
      at++;
    } else if (line.startsWith('|') && /^\|[\s:|-]+\|$/.test((lines[at + 1] ?? '').trim())) {
      const end = endOf(lines, at, (one) => !one.startsWith('|'));
      html.push(table(lines.slice(at, end)));
      at = end;
    } else if (item.test(line)) {
      const end = endOf(lines, at, (one, i) => one.trim() === '' && !/^(\s+\S|\s*[-*] |\s*\d+\. )/.test(lines[i + 1] ?? ''));
      html.push(list(lines.slice(at, end)));
      at = end;
    } else if (line.startsWith('> ')) {
      const end = endOf(lines, at, (one) => !one.startsWith('>'));
      html.push(
        `<blockquote><p>${inline(
          lines
            .slice(at, end)
            .map((one) => one.replace(/^> ?/, ''))
            .join(' '),
        )}</p></blockquote>`,
      );
      at = end;
    } else if (line.trim() === '' || /^<!--.*-->$/.test(line.trim())) {
      // A comment is for whoever edits the page.
      at++;
    } else {
      const end = endOf(lines, at + 1, (one) => one.trim() === '' || /^(#{1,6} |\s*```|\|)/.test(one) || item.test(one));
      html.push(`<p>${inline(lines.slice(at, end).join('\n'))}</p>`);
      at = end;
    }
  }
  return { html: html.join('\n'), headings };
}

const item = /^(\s*)([-*]|\d+\.) (.*)$/;

function endOf(lines: readonly string[], from: number, ends: (line: string, index: number) => boolean): number {
  for (let at = from; at < lines.length; at++) if (ends(lines[at] ?? '', at)) return at;
  return lines.length;
}

/** Items by their indentation; what is indented deeper belongs to the item before it. */
function list(lines: readonly string[]): string {
  const [, indent = '', mark = ''] = item.exec(lines[0] ?? '') ?? [];
  const tag = /\d/.test(mark) ? 'ol' : 'ul';
  const items: { text: string; inner: string[] }[] = [];
  for (const line of lines) {
    const found = item.exec(line);
    const last = items.at(-1);
    if (found && found[1] === indent) items.push({ text: found[3] ?? '', inner: [] });
    else if (last && (last.inner.length > 0 || found)) last.inner.push(line);
    else if (last) last.text += `\n${line.trim()}`;
  }
  const rendered = items.map(({ text, inner }) => `<li>${inline(text)}${inner.length > 0 ? list(inner) : ''}</li>`);
  return `<${tag}>${rendered.join('')}</${tag}>`;
}

function table(lines: readonly string[]): string {
  const cells = (line: string): string[] =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((text) => inline(text.trim().replaceAll('\\|', '|')));
  const row = (line: string, tag: string): string =>
    `<tr>${cells(line)
      .map((text) => `<${tag}>${text}</${tag}>`)
      .join('')}</tr>`;
  const [head = '', , ...rows] = lines;
  return `<div class="wide" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${rows.map((line) => row(line, 'td')).join('')}</tbody></table></div>`;
}

/** Code spans are taken out first, so that nothing within them is read as markup. */
function inline(text: string): string {
  const spans: string[] = [];
  const keep = (html: string): string => `\u0000${spans.push(html) - 1}\u0000`;
  const marked = text
    .replaceAll('\u0000', '')
    .replace(/(`+)([\s\S]*?[^`])\1(?!`)/g, (_, __, code: string) => keep(`<code>${escape(code)}</code>`))
    .replace(/<br>/g, () => keep('<br>'))
    .replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, alt: string, to: string) =>
      keep(`<img alt="${escape(alt)}" src="${address(to)}">`),
    )
    .replace(/<(https?:[^>\s]+)>/g, (_, to: string) => keep(`<a href="${address(to)}">${escape(to)}</a>`));
  return (
    escape(marked)
      .replace(
        /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
        (_, label: string, to: string) => `<a href="${address(to)}">${label}</a>`,
      )
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>')
      // eslint-disable-next-line no-control-regex -- the mark that no text can hold
      .replace(/\u0000(\d+)\u0000/g, (_, index: string) => spans[Number(index)] ?? '')
  );
}

/** Relative addresses and those of the web; nothing that runs. */
function address(to: string): string {
  return /^(https?:|mailto:)/.test(to) || !/^[a-z][a-z0-9+.-]*:/i.test(to) ? escape(to) : '#';
}

/** The entities that tables carry stay as they are. */
function escape(text: string): string {
  return text
    .replace(/&(?!(?:lt|gt|amp|quot);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

/** As the hosting sites make them: small letters, no punctuation, hyphens for blanks. */
function uniqueId(text: string, ids: Map<string, number>): string {
  const id = plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
  const seen = ids.get(id) ?? 0;
  ids.set(id, seen + 1);
  return seen === 0 ? id : `${id}-${seen}`;
}
