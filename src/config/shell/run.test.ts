/** What launch scripts write, in small: the words that a command gets. tests/peers/training/verl-scripts.test.ts asks bash itself. */
import { describe, expect, it } from 'vitest';
import { readShell } from './run.ts';

const words = (source: string, options = {}): (readonly string[])[] =>
  readShell(source, options).commands.map((each) => each.words);

describe('words of a command', () => {
  it.each<[string, string[]]>([
    ['X=1\nrun a=$X b="${X}2" \\\n  c=\'$X\' # end', ['run', 'a=1', 'b=12', 'c=$X']],
    ['run ${X:-y} ${E-z} "${E:-}" ${E}', ['run', 'y', 'z', '']],
    ['A=(a "b c" $N)\nA+=(d)\nN=x\nrun "${A[@]}" ${#A[@]} ${A[1]}', ['run', 'a', 'b c', 'd', '3', 'b', 'c']],
    ['declare -A P\nP=(["web"]="36003")\nrun ${P[web]}', ['run', '36003']],
    ['N=$((4 * (2 + 1) / 5))\nrun $N', ['run', '2']],
    [
      'P=/a/b/model.tar.gz\nrun ${P##*/} ${P%/*} ${P%%.*} ${P/model/x}',
      ['run', 'model.tar.gz', '/a/b', '/a/b/model', '/a/b/x.tar.gz'],
    ],
    ['run "$(basename /a/b)" $(dirname /a/b) "a$(echo b)c"', ['run', 'b', '/a', 'abc']],
    ['run l=\'["console","wandb"]\' "f=[\'$A\', \'x\']"', ['run', 'l=["console","wandb"]', "f=['', 'x']"]],
    ['run a 2>&1 | tee -a "$LOG"', ['run', 'a']],
    ['CMD="run --a=1 \\\n  --b"\nif [ -n "$E" ]; then CMD="$CMD --c"; fi\neval $CMD 2>&1 | tee x', ['run', '--a=1', '--b']],
    ['f() { local n=$1; run "$n" "$@"; }\nf a b', ['run', 'a', 'a', 'b']],
    ['if [ "$M" = "x" ]; then run one; elif [[ $M == y* ]]; then run two; else run three; fi', ['run', 'three']],
    ['case "$K" in a|b) run ab;; *) run other;; esac', ['run', 'other']],
    ['cat > f.py << EOF\nrun not this\nEOF\nrun this', ['run', 'this']],
    ['if [ ! -f /nowhere ]; then echo missing; exit 1; fi\nrun on', ['run', 'on']],
  ])('%s', (source, want) => expect(words(source).filter(([name]) => name === 'run')).toEqual([want]));

  it('arguments: their own, what follows them, and what the environment says', () => {
    const source = 'ENGINE=${1:-vllm}\nrun e=$ENGINE m=${MODEL:-base} $@';
    expect(words(source)).toEqual([['run', 'e=vllm', 'm=base']]);
    expect(words(source, { rest: ['a.b=1'], env: { MODEL: 'x' } })).toEqual([['run', 'e=vllm', 'm=x', 'a.b=1']]);
    expect(words(source, { args: ['sglang'] })).toEqual([['run', 'e=sglang', 'm=base', 'sglang']]);
    expect(words('shift 2\nrun "${@:2}"', { args: ['a', 'b', 'c', 'd'] })).toEqual([['run', 'd']]);
  });
  it('loops run their commands each time, and never for ever', () => {
    expect(words('for s in 1 2; do run $s; done').flat()).toEqual(['run', '1', 'run', '2']);
    expect(words('while true; do run x; done')).toEqual([]);
  });
  it('any text is read', () => {
    for (const text of ['', '"', '$(', '${', 'if', 'case x in', 'for', '((', "X=('", '}', 'fi', 'a && || b', '<<', '`'])
      expect(() => words(text)).not.toThrow();
  });
});
