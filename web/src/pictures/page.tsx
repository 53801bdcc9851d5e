/**
 * A web page as its reader knows it: tabs, address, and the lines of the accessibility tree set like a page (headings, links, buttons,
 * fields, rows), each with the number that actions name it by. It needs only what every backend records, so a run in Chromium and one in
 * the fast backend look alike.
 */
import { visible } from '../components/visible.ts';

interface Line {
  readonly depth: number;
  readonly id: string;
  readonly role: string;
  readonly name: string;
  readonly focused: boolean;
  readonly checked: boolean;
}

export function PagePicture({ state }: { readonly state: unknown }) {
  const { objective, url, page, failure, score } = (state ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof page !== 'string' || typeof url !== 'string') return null;
  const [tabs = '', ...rest] = page.split('\n');
  const lines = rest.flatMap(readLine);
  return (
    <div class="picture page">
      <p class="tabs">
        {tabs.split(' | ').map((tab, at) => (
          <span key={at} class={tab.includes('(current)') ? 'here' : ''}>
            {visible(tab.replace(/^Tab \d+(?: \(current\))?: /, '')) || '…'}
          </span>
        ))}
      </p>
      <p class="address">{visible(url)}</p>
      {typeof objective === 'string' && <p class="objective">{visible(objective)}</p>}
      <ul class="lines">
        {lines.map((line) => (
          <li
            key={line.id}
            class={`role-${line.role.toLowerCase()}${line.focused ? ' focused' : ''}`}
            style={{ paddingLeft: `${String(line.depth)}em` }}
          >
            <small>{line.id}</small>
            {line.role === 'checkbox' || line.role === 'radio' ? <span>{line.checked ? '◉ ' : '○ '}</span> : null}
            <span>{visible(line.name)}</span>
          </li>
        ))}
      </ul>
      {typeof failure === 'string' && failure !== '' && <p class="bad">{visible(failure)}</p>}
      {typeof score === 'number' && <p class={score === 1 ? 'good' : 'bad'}>{score === 1 ? '✓' : '✗'}</p>}
    </div>
  );
}

/** Lines that say something: a node's number, role and name. Frames without a name are left out; cells are shown with their rows. */
function readLine(text: string): Line[] {
  const parts = /^(\t*)\[(-?\d+)\] (\S+) (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(.*)$/.exec(text);
  if (!parts) return [];
  const [, indent = '', id = '', role = '', single, double, properties = ''] = parts;
  const name = (single ?? double ?? '').replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
  if (name === '' && role !== 'textbox') return [];
  const focused = role !== 'RootWebArea' && properties.includes('focused: True');
  return [{ depth: Math.max(0, indent.length - 1), id, role, name, focused, checked: properties.includes('checked: true') }];
}
