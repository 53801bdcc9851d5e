import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { editText } from './edit-text.ts';

const text = `# A head comment
run: mine # its name
data: { format: react }
tasks:
  - { env: textcraft, split: train } # everything
stop:
`;

it('comments and everything else stay', () => {
  const edited = editText(text, [{ key: ['agent', 'format'], value: 'react' }]);
  expect(edited).toBe(`${text}agent:\n  format: react\n`);
});
it('keys go, and a group of nothing is filled', () => {
  const edited = editText(text, [{ key: ['data', 'format'] }, { key: ['data', 'none'] }, { key: ['stop', 'fall'], value: null }]);
  expect(parse(edited)).toEqual({ run: 'mine', data: {}, tasks: [{ env: 'textcraft', split: 'train' }], stop: { fall: null } });
  expect(edited).toContain('# A head comment\nrun: mine # its name\n');
});
it('without edits not a byte changes', () => {
  expect(editText('a:   1', [])).toBe('a:   1');
});
