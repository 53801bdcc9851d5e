/** What is looked for on every page of the walk: anything wider than the window, text that is cut, English on a Chinese page. */
import type { Page } from 'playwright-core';

export interface Seen {
  /** The page is wider than the window. */
  readonly wide: boolean;
  /** Texts that end beyond the window or their box, where nothing scrolls and nothing says the rest. */
  readonly cut: readonly string[];
  /** Text that is not translated; looked for on Chinese pages. */
  readonly english: readonly string[];
}

export async function seenOn(page: Page): Promise<Seen> {
  return page.evaluate<Seen>(`(${look})()`);
}

const look = `() => {
  const visible = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const leaves = [...document.querySelectorAll('body *')].filter(
    (one) => one.children.length === 0 && one.textContent.trim() !== '' && !/^(SCRIPT|STYLE|OPTION|TITLE)$/.test(one.tagName)
      && one.closest('.u-wrap, svg, .skip') === null && visible(one),
  );
  const scrolls = (one) => one !== null && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  // What is left out on purpose can be read elsewhere: in a title, or in a name for readers of the screen.
  const said = (one) => one.closest('[title], [aria-label]') !== null;
  const hides = (one) => {
    for (let around = one; around !== null && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (!/hidden|clip/.test(style.overflowX)) continue;
      if (one === around) return one.scrollWidth > one.clientWidth + 1;
      const [inner, outer] = [one.getBoundingClientRect(), around.getBoundingClientRect()];
      return inner.right > outer.right + 1 || inner.left < outer.left - 1;
    }
    return false;
  };
  const cut = leaves.filter((one) => {
    const { right, width, height } = one.getBoundingClientRect();
    // Blanks at the end of a line of code hang beyond it, and nobody sees them.
    const block = one.closest('pre');
    if (block !== null) return block.scrollWidth > block.clientWidth + 1 && !scrolls(block);
    if (width <= 1 || height <= 1 || scrolls(one.parentElement)) return false;
    return right > innerWidth + 1 || (hides(one) && !said(one));
  });
  const chinese = document.documentElement.lang === 'zh-CN';
  const foreign = 'pre, code, [lang=en], .said, .token, .log, .picture, .possible, .why, .where, .tag, .hits, kbd, option';
  // A sentence: words, one after the other, that no name has.
  const sentence = /[A-Za-z][a-z’']+(?:[ ,]+[a-z][a-z’']+){2,}/;
  const texts = leaves.filter((one) => one.closest(foreign) === null).map((one) => one.textContent);
  const walker = document.createTreeWalker(document.body, 4);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.children.length > 0 && !/^(SCRIPT|STYLE)$/.test(parent.tagName) && parent.closest(foreign) === null && visible(parent))
      texts.push(node.textContent);
  }
  for (const one of document.querySelectorAll('[title], [aria-label], [placeholder]'))
    if (one.closest(foreign) === null && visible(one))
      texts.push(...['title', 'aria-label', 'placeholder'].map((name) => one.getAttribute(name) ?? ''));
  return {
    wide: document.documentElement.scrollWidth > innerWidth,
    cut: [...new Set(cut.map((one) => one.tagName + ' ' + one.textContent.slice(0, 80)))],
    english: chinese ? [...new Set(texts.flatMap((text) => sentence.exec(text)?.[0] ?? []))] : [],
  };
}`;
