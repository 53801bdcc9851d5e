/** The page as HTML, for viewers and for AgentGym's /state: the same texts in the same order, with the original's class names. */
import { clickables, pageText, type Page } from './pages.ts';

export function pageHtml(page: Page): string {
  const buttons = clickables(page);
  const asins = new Set(page.kind === 'results' ? page.products.map(({ asin }) => asin) : []);
  const [head, body] = split(pageText(page).split(' [SEP] '));
  const instruction = head.length > 0 ? `<div id="instruction-text"><h4>${head.map(escaped).join('<br>')}</h4></div>` : '';
  const nodes = body.map((text) => {
    const option = buttons.get(text);
    if (typeof option === 'string') {
      return `<input type="radio" name="${escaped(option)}" value="${escaped(text)}"><label>${escaped(text)}</label>`;
    }
    if (asins.has(text)) return `<a class="product-link">${escaped(text)}</a>`;
    return buttons.has(text.toLowerCase()) ? `<button class="btn">${escaped(text)}</button>` : `<p>${escaped(text)}</p>`;
  });
  const search = page.kind === 'search' ? '<input id="search_input" type="text" name="search_query">' : '';
  return `<!DOCTYPE html>\n<html><body>${instruction}${search}${nodes.join('\n')}</body></html>`;
}

/** The instruction with its heading, and the rest of the page. */
function split(texts: readonly string[]): [string[], string[]] {
  const at = texts.indexOf('Instruction:');
  return at < 0 || at > 1 ? [[], [...texts]] : [texts.slice(at, at + 2), [...texts.slice(0, at), ...texts.slice(at + 2)]];
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
