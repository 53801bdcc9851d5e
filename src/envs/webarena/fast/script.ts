/**
 * The expressions that the shipped tasks look at pages with: `document.querySelector('…').outerText` and its like. They are read, never
 * evaluated, so that the fast backend runs no code of a task file.
 */
import { AgogeError } from '../../../core/error.ts';
import { collapsed, FastText, isTextField, textOf, type FastDocument, type FastElement } from './document.ts';

const EXPRESSION =
  /^\s*document\.querySelector\(\s*(?:"([^"]*)"|'([^']*)')\s*\)\??\.(outerText|innerText|textContent|value|checked)\s*;?\s*$/;

export function evaluateScript(document: FastDocument, url: string, expression: string): unknown {
  const source = expression.replace(/^\s*\(\s*\)\s*=>\s*/, '');
  if (source.trim() === 'document.title') return document.title;
  if (source.trim() === 'document.URL') return url;
  const parts = EXPRESSION.exec(source);
  if (!parts) {
    throw new AgogeError(
      'ENV_WEBARENA_FAST_LOCATOR',
      `the fast backend cannot evaluate "${expression.slice(0, 80)}": use document.querySelector('…').outerText, or play this task with lane=browser`,
    );
  }
  const found = querySelector(document, parts[1] ?? parts[2] ?? '');
  // As in a browser: reading from what is not there is the script's own failure.
  if (!found) throw new TypeError(`the page has no ${parts[1] ?? parts[2] ?? ''}`);
  if (parts[3] === 'value') return found.value;
  if (parts[3] === 'checked') return found.checked;
  return parts[3] === 'textContent' ? textOf(found) : shown(found);
}

/** The first element that a selector of names, ids, classes, attributes and descendants fits. */
export function querySelector(document: FastDocument, selector: string): FastElement | undefined {
  const steps = selector.trim().split(/\s+/).map(compound);
  return document.elements().find((element) => fits(element, steps));
}

type Test = (element: FastElement) => boolean;

function compound(text: string): Test {
  const tests: Test[] = [];
  const part = /([a-z][a-z0-9]*)|#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:=["']?([^"'\]]*)["']?)?\]/y;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (!found)
      throw new AgogeError(
        'ENV_WEBARENA_FAST_LOCATOR',
        `the fast backend does not know the selector "${text}": use tags, ids, classes and attributes`,
      );
    const [, tag, id, className, attribute, value] = found;
    tests.push(({ tag: own, attributes }) => {
      if (tag !== undefined) return own === tag;
      if (id !== undefined) return attributes['id'] === id;
      if (className !== undefined) return (attributes['class'] ?? '').split(' ').includes(className);
      return (
        attribute !== undefined &&
        Object.hasOwn(attributes, attribute) &&
        (value === undefined || attributes[attribute] === value)
      );
    });
  }
  return (element) => tests.every((test) => test(element));
}

function fits(element: FastElement, steps: readonly Test[]): boolean {
  const last = steps.at(-1);
  if (!last?.(element)) return false;
  let left = steps.length - 2;
  for (let above = element.parent; above && left >= 0; above = above.parent) if (steps[left]?.(above) === true) left--;
  return left < 0;
}

/** Text as people see it: blocks on lines of their own, cells divided by a tab. */
function shown(element: FastElement): string {
  const lines: string[] = [''];
  const walk = (node: FastElement | FastText): void => {
    if (node instanceof FastText) {
      lines.push(`${lines.pop() ?? ''}${collapsed(node.text)}`);
      return;
    }
    if (node.attributes['aria-hidden'] === 'true' || isTextField(node)) return;
    const block = !['a', 'span', 'strong', 'label', 'button'].includes(node.tag);
    if (block && lines.at(-1) !== '') lines.push('');
    node.children.forEach(walk);
    if (block && lines.at(-1) !== '') lines.push('');
  };
  walk(element);
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
