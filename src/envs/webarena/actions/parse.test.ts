import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sameAction, type Action } from './action.ts';
import { parseAction } from './parse.ts';
import { actionRecord, actionToString, describeAction } from './print.ts';

const RECORDED = '../shared/data/webarena/actions.json';

interface Recorded {
  readonly input: string;
  readonly action?: object;
  readonly error?: string;
  readonly message?: string;
}

describe('actions of WebArena', () => {
  it.skipIf(!existsSync(RECORDED))('are read as the original reads them', () => {
    const cases = JSON.parse(readFileSync(RECORDED, 'utf8')) as Recorded[];
    for (const { input, action, error, message } of cases) {
      const parsed = parseAction(input);
      if ('error' in parsed) expect(parsed.error, input).toEqual({ type: error, message });
      else expect(actionRecord(parsed.action), input).toEqual(action);
    }
    expect(cases.length).toBeGreaterThan(200);
  });

  it('are written as they are read', () => {
    for (const source of [
      'click [3]',
      'hover [3]',
      'type [3] [a [b] c] [1]',
      'type [3] [x] [0]',
      'press [Control+a]',
      'scroll [up]',
    ]) {
      const parsed = parseAction(source);
      expect('action' in parsed && actionSource(parsed.action)).toBe(source);
    }
    for (const source of ['goto [http://a/b]', 'new_tab', 'tab_focus [2]', 'close_tab', 'go_back', 'go_forward', 'stop [N/A]']) {
      const parsed = parseAction(source);
      expect('action' in parsed && actionSource(parsed.action)).toBe(source);
    }
  });

  it.each([
    ['press [ctrl+pagedown]', { kind: 'press', keys: 'ctrl+PageDown' }],
    ['scroll up', { kind: 'scroll', direction: 'up' }],
    ['tab_focus [٣]', { kind: 'tab_focus', tab: 3 }],
    ['stop it', { kind: 'stop', answer: '' }],
    ['type [1] [] [1] [1]', { kind: 'type', element: '1', text: '] [1\n' }],
  ])('%s', (text, action) => {
    expect(parseAction(text)).toEqual({ action });
  });

  it('refuses characters that the original cannot type, by its words', () => {
    expect(parseAction('type [1] [雪] [0]')).toEqual({ error: { type: 'KeyError', message: "'雪'" } });
  });

  it('takes time in proportion to hostile texts', () => {
    for (const part of ['press [', 'type [1] [', '] [1', 'stop [', 'goto [a']) {
      expect(parseAction(`${part.split(' ')[0] ?? ''} ${part.repeat(60_000)}`)).toBeDefined();
    }
  });

  it('says what the previous action was', () => {
    const nodes = new Map([['12', { box: undefined, backendNodeId: 12, text: "[12] link 'Orders'  url: x" }]]);
    expect(describeAction({ kind: 'click', element: '12' }, { nodes })).toBe("click [12] where [12] is link 'Orders' url: x");
    expect(describeAction({ kind: 'click', element: '13' }, { nodes })).toContain('no matching element found');
    expect(describeAction({ kind: 'none' }, { nodes, reply: 'well', splitter: '```' })).toContain('was "well"');
    expect(actionToString({ kind: 'tab_focus', tab: 1 })).toBe('page_focus [1]');
  });

  it('are the same where the original says so', () => {
    expect(sameAction({ kind: 'type', element: '1', text: 'a' }, { kind: 'type', element: '1', text: 'b' })).toBe(true);
    expect(sameAction({ kind: 'click', element: '1' }, { kind: 'hover', element: '1' })).toBe(false);
    expect(sameAction({ kind: 'goto', url: 'a' }, { kind: 'goto', url: 'b' })).toBe(false);
  });
});

/** An action as it is written by an agent. */
function actionSource(action: Action): string {
  switch (action.kind) {
    case 'click':
    case 'hover':
      return `${action.kind} [${action.element}]`;
    case 'type': {
      const enter = action.text.endsWith('\n');
      return `type [${action.element}] [${enter ? action.text.slice(0, -1) : action.text}] [${enter ? 1 : 0}]`;
    }
    case 'tab_focus':
      return `tab_focus [${action.tab}]`;
    default:
      return actionToString(action);
  }
}
