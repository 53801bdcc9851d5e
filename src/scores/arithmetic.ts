/** The value of `+ - * / ( )` over decimal numbers, as a calculator has it; undefined for anything else, and for a division by zero. */

/** Deeper nesting than any answer has; a hostile one does not reach the stack's end. */
const deepest = 200;

export function arithmetic(text: string): number | undefined {
  const tokens = text.match(/\s+|\d+(?:\.\d*)?|\.\d+|[-+*/()]|./g)?.filter((token) => token.trim() !== '') ?? [];
  let at = 0;
  let depth = 0;
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value = tokens[at++] === '+' ? value + product() : value - product();
    return value;
  };
  const product = (): number => {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/') value = tokens[at++] === '*' ? value * factor() : value / factor();
    return value;
  };
  const factor = (): number => {
    const token = tokens[at++];
    if (++depth > deepest) return NaN;
    let value = NaN;
    if (token === '-') value = -factor();
    else if (token === '+') value = factor();
    else if (token === '(') {
      value = sum();
      if (tokens[at++] !== ')') value = NaN;
    } else if (token !== undefined && /^[\d.]+$/.test(token)) value = Number(token);
    depth--;
    return value;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : undefined;
}
