/** What a page does with a mouse and a keyboard: focus, typing, ticking, links and forms. The answer is where it leads, if anywhere. */
import { closest, FastText, isTextField, type FastDocument, type FastElement } from './document.ts';

export interface Navigation {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly form: readonly (readonly [name: string, value: string])[];
}

/** Clicks the middle of what has this number. Without a layout the middle of a container is taken to be empty. */
export function click(document: FastDocument, number: number, base: string): Navigation | undefined {
  const node = document.node(number);
  if (!node) return undefined;
  const target = closest(node, (element) => isFocusable(element) || element.tag === 'label');
  const control = target?.tag === 'label' ? document.byId(target.attributes['for'] ?? '') : target;
  document.focused = control;
  document.selected = false;
  return control ? activate(document, control, base) : undefined;
}

/** Presses keys one after the other into what has the focus. */
export function type(document: FastDocument, text: string, base: string): Navigation | undefined {
  for (const character of text) {
    const leads = press(document, character === '\n' ? 'Enter' : character, base);
    // What is typed after a page is left does not reach it any more.
    if (leads) return leads;
  }
  return undefined;
}

/** One key, or several held together (`Control+a`). */
export function press(document: FastDocument, keys: string, base: string): Navigation | undefined {
  const { focused } = document;
  const key = keys.replaceAll('Meta', 'Control');
  if (key === 'Tab' || key === 'Shift+Tab') {
    moveFocus(document, key === 'Tab' ? 1 : -1);
    return undefined;
  }
  if (!focused) return undefined;
  if (isTextField(focused)) return edit(document, focused, key, base);
  if (key === 'Enter' && (focused.tag === 'a' || focused.tag === 'button')) return activate(document, focused, base);
  if (key === ' ' && focused.tag !== 'a') return activate(document, focused, base);
  return key === 'Enter' ? submitFrom(focused, base) : undefined;
}

function edit(document: FastDocument, field: FastElement, key: string, base: string): Navigation | undefined {
  if (key === 'Control+a') {
    document.selected = field.value !== '';
    return undefined;
  }
  if (key === 'Backspace' || key === 'Delete') {
    if (document.selected) field.value = '';
    else if (key === 'Backspace') field.value = Array.from(field.value).slice(0, -1).join('');
    document.selected = false;
    return undefined;
  }
  if (key === 'Enter' && field.tag === 'input') return submitFrom(field, base);
  const added = key === 'Enter' ? '\n' : Array.from(key).length === 1 ? key : undefined;
  if (added === undefined) return undefined;
  field.value = document.selected ? added : field.value + added;
  document.selected = false;
  return undefined;
}

function activate(document: FastDocument, control: FastElement, base: string): Navigation | undefined {
  if (control.tag === 'a') return { method: 'GET', url: new URL(control.attributes['href'] ?? '', base).href, form: [] };
  if (control.type === 'checkbox') control.checked = !control.checked;
  if (control.type === 'radio') {
    for (const other of document.elements()) {
      if (other.type === 'radio' && other.attributes['name'] === control.attributes['name'] && formOf(other) === formOf(control))
        other.checked = other === control;
    }
  }
  if (control.tag === 'button' && control.type === 'submit') return submit(formOf(control), base);
  return undefined;
}

/** Enter in a field sends its form, as if by its first button. */
function submitFrom(field: FastElement, base: string): Navigation | undefined {
  return submit(formOf(field), base);
}

function submit(form: FastElement | undefined, base: string): Navigation | undefined {
  if (!form) return undefined;
  const fields = controlsOf(form).flatMap((control): [string, string][] => {
    const name = control.attributes['name'];
    if (name === undefined || name === '') return [];
    if ((control.type === 'checkbox' || control.type === 'radio') && !control.checked) return [];
    // Line ends are sent as the standard has them; sites trim and store what a person typed.
    return [[name, control.value.replaceAll('\n', '\r\n')]];
  });
  const url = new URL(form.attributes['action'] ?? '', base);
  if (form.attributes['method'] === 'post') return { method: 'POST', url: url.href, form: fields };
  url.search = new URLSearchParams(fields).toString();
  return { method: 'GET', url: url.href, form: [] };
}

function controlsOf(element: FastElement): FastElement[] {
  return element.children.flatMap((child) => {
    if (child instanceof FastText) return [];
    return child.tag === 'input' || child.tag === 'textarea' ? [child] : controlsOf(child);
  });
}

function formOf(element: FastElement): FastElement | undefined {
  return closest(element, ({ tag }) => tag === 'form');
}

function isFocusable({ tag, type }: FastElement): boolean {
  return tag === 'a' || tag === 'button' || tag === 'textarea' || (tag === 'input' && type !== 'hidden');
}

function moveFocus(document: FastDocument, by: 1 | -1): void {
  const stops = document.elements().filter(isFocusable);
  const at = document.focused ? stops.indexOf(document.focused) : by > 0 ? -1 : stops.length;
  document.focused = stops[at + by];
  // Tabbing into a field selects what it holds.
  document.selected = document.focused !== undefined && isTextField(document.focused) && document.focused.value !== '';
}
