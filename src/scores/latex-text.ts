/**
 * LaTeX as one line of plain text, in the way that pylatexenc writes what answers are made of: `\frac{a}{b}` is `a/b` (without
 * brackets, as there), `\sqrt{3}` is `√(3)`, groups lose their braces, commands of looks go. Commands that it does not know vanish.
 */

const symbols: ReadonlyMap<string, string> = new Map(
  (
    'pi π infty ∞ cup ∪ cap ∩ cdot · times × div ÷ pm ± mp ∓ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ in ∈ to → circ ∘ emptyset ∅ ldots … ' +
    'dots … cdots ⋯ alpha α beta β gamma γ delta δ epsilon ϵ theta θ lambda λ mu μ sigma σ phi ϕ omega ω rho ρ tau τ eta η zeta ζ ' +
    'lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ langle ⟨ rangle ⟩ angle ∠ rightarrow → leftarrow ← approx ≈ sim ∼ equiv ≡ perp ⊥ parallel ∥ ' +
    "sum ∑ prod ∏ int ∫ prime '"
  )
    .match(/\S+ \S+/g)
    ?.map((pair) => pair.split(' ') as [string, string]),
);
/** Commands that are written as they are named. */
const spelled = new Set('sin cos tan cot sec csc log ln exp max min gcd arcsin arccos arctan lim det deg'.split(' '));
const marks: Readonly<Record<string, string>> = { ',': ' ', ';': ' ', ':': ' ', ' ': ' ', '!': '', '\\': '\n' };

/** Hostile nesting ends here; no answer is that deep. */
const deepest = 100;

export function latexToText(latex: string): string {
  let at = 0;
  let depth = 0;

  const until = (end: '}' | ']' | undefined): string => {
    let text = '';
    while (at < latex.length) {
      const character = latex[at] ?? '';
      if (character === end) {
        at++;
        return text;
      }
      text += piece();
    }
    return text;
  };

  /** One thing: a command with its arguments, a group, or a character. */
  const piece = (): string => {
    const character = latex[at++] ?? '';
    if (depth > deepest) return character;
    depth++;
    const text =
      character === '\\' ? command() : character === '{' ? until('}') : character === '}' || character === '$' ? '' : character;
    depth--;
    return character === '~' ? '\u00a0' : character === '&' ? '   ' : text;
  };

  const argument = (): string => {
    while (/\s/.test(latex[at] ?? '')) at++;
    return at < latex.length && latex[at] !== '}' ? piece() : '';
  };

  const command = (): string => {
    const name = /^[A-Za-z]+\*?/.exec(latex.slice(at))?.[0];
    if (name === undefined) {
      const mark = latex[at++] ?? '';
      return marks[mark] ?? (/[%$&#_{}]/.test(mark) ? mark : '');
    }
    at += name.length;
    while (/\s/.test(latex[at] ?? '')) at++;
    if (name === 'frac') return `${argument()}/${argument()}`;
    if (name === 'sqrt') {
      if (latex[at] === '[') {
        at++;
        until(']');
      }
      return `√(${argument()})`;
    }
    if (name === 'left' || name === 'right') return latex[at] === '.' ? (at++, '') : '';
    if (name === 'quad' || name === 'qquad') return name === 'quad' ? '  ' : '    ';
    return symbols.get(name) ?? (spelled.has(name) ? name : '');
  };

  return until(undefined);
}
