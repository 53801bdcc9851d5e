import { describe, expect, it } from 'vitest';
import { readPage } from './reading.ts';

describe('a page of the shop at a terminal', () => {
  it('has a line for each part, products as a list, and marks what can be clicked', () => {
    const observation =
      'Instruction: [SEP] a red mug [SEP] Back to Search [SEP] Page 1 (Total results: 2) [SEP] Next > [SEP] B0AAAAAAAA [SEP] Mug One [SEP] $3 [SEP] B0BBBBBBBB [SEP] Mug Two [SEP] $4';
    const actions = ['click[back to search]', 'click[next >]', 'click[b0aaaaaaaa]', 'click[b0bbbbbbbb]'];
    expect(readPage(observation, { colour: false, actions }).split('\n')).toEqual([
      'Instruction:',
      'a red mug',
      '[Back to Search]',
      'Page 1 (Total results: 2)',
      '[Next >]',
      '  [B0AAAAAAAA] Mug One  $3',
      '  [B0BBBBBBBB] Mug Two  $4',
    ]);
  });

  it('puts the choices of an option beside each other, and leaves what is no page as it is', () => {
    const actions = ['click[red]', 'click[blue]', 'click[buy now]'];
    expect(readPage('color [SEP] red [SEP] blue [SEP] Mug One [SEP] Buy Now', { colour: false, actions })).toBe(
      'color\n[red] [blue]\nMug One\n[Buy Now]',
    );
    expect(readPage('Invalid Action.', { colour: true, actions })).toBe('Invalid Action.');
  });
});
