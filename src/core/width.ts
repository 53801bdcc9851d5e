/** Columns that a text takes on a terminal: Chinese, Japanese, Korean and pictures take two each, colours and joined marks none. */

// eslint-disable-next-line no-control-regex -- colours begin with one
const colour = /\u001b\[[\d;]*m/g;
const none = /\p{Mn}|\p{Me}|[\u200b-\u200f]|[\ufe00-\ufe0f]/u;
const two =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

export function widthOf(text: string): number {
  let columns = 0;
  for (const sign of text.replace(colour, '')) columns += signWidth(sign);
  return columns;
}

/** As much of a plain text as fits. */
export function cutToWidth(text: string, columns: number): string {
  let left = columns;
  let kept = '';
  for (const sign of text) {
    left -= signWidth(sign);
    if (left < 0) break;
    kept += sign;
  }
  return kept;
}

function signWidth(sign: string): number {
  if (sign < '\u0300') return 1;
  if (none.test(sign)) return 0;
  return two.test(sign) ? 2 : 1;
}
