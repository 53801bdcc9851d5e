import { expect, it } from 'vitest';
import { cutToWidth, widthOf } from './width.ts';

it('counts columns: two for Chinese and pictures, none for colours and joined marks', () => {
  expect(widthOf('训练 ok')).toBe(7);
  expect(widthOf('\u001b[1mbold\u001b[0m')).toBe(4);
  expect(widthOf('e\u0301')).toBe(1);
  expect(widthOf('· … │ =')).toBe(7);
});

it('cuts where a text would leave the terminal, never within a wide sign', () => {
  expect(cutToWidth('训练结束', 5)).toBe('训练');
  expect(cutToWidth('abc', 3)).toBe('abc');
});
