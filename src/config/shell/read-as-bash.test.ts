/** IFS, `read`, here-strings and `${X:?}`: the words that bash 5.2 gives to the command `run`, each call a list. Where bash is here it is asked too. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readShell } from './run.ts';

type Row = readonly [script: string, ...calls: readonly (readonly string[])[]];

const bash = spawnSync('bash', ['-c', '[[ ${BASH_VERSINFO[0]} -ge 5 ]]']).status === 0;

/** Each call of `run` as the words it got, and nothing else that the script prints. */
function asked(script: string): string[][] {
  const run = 'run() { printf \'%s\\0\' "$#" "$@" >&3; }\n';
  const { output } = spawnSync('bash', ['-c', run + script], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const words = (output[3] ?? '').split('\0').slice(0, -1);
  const calls: string[][] = [];
  while (words.length > 0) calls.push(words.splice(0, Number(words.shift())));
  return calls;
}

const ours = (script: string): (readonly string[])[] =>
  readShell(script).commands.flatMap(({ words: [name, ...rest] }) => (name === 'run' ? [rest] : []));

const asBash = (rows: readonly Row[]): void =>
  it.each(rows.map(([script, ...calls]) => ({ script, calls })))('$script', ({ script, calls }) => {
    expect(ours(script)).toEqual(calls);
    if (bash) expect(asked(script), 'bash itself').toEqual(calls);
  });

describe('IFS', () =>
  asBash([
    ['IFS=,; X=a,b,c; run $X "$X"', ['a', 'b', 'c', 'a,b,c']],
    ['IFS=,; X=a,,b; run $X', ['a', '', 'b']],
    ['IFS=,; X=,a,; run $X', ['', 'a']],
    ['IFS=,; X=,a,; run x$X"y"', ['x', 'a', 'y']],
    ['IFS=,; X="a b,c"; run $X', ['a b', 'c']],
    ['IFS=", "; X="a , b c"; run $X', ['a', 'b', 'c']],
    ['IFS=; X="a b"; run $X', ['a b']],
    ['IFS=,; A=(1 2 3); run "${A[*]}" "${A[@]}"', ['1,2,3', '1', '2', '3']],
    ['IFS=,; A=(1 2 3); X="${A[*]}"; IFS=" "; run "$X"', ['1,2,3']],
    ['A=(1 2 3); X=$(IFS=,; echo "${A[*]}"); run "$X" "${A[*]}"', ['1,2,3', '1 2 3']],
    ['join() { local IFS=$1; shift; run "$*"; }; join + a b c; X="d e"; run $X', ['a+b+c'], ['d', 'e']],
    ['OLD=$IFS; IFS=:; X=a:b; A=($X); IFS=$OLD; X="c d"; run "${A[@]}" $X', ['a', 'b', 'c', 'd']],
    ["IFS=$'\\n'; X=$'a b\\nc'; run $X", ['a b', 'c']],
    ['IFS=,; unset IFS; X="a,b c"; run $X', ['a,b', 'c']],
    ['IFS=, ; for x in $(echo 1,2); do run $x; done', ['1'], ['2']],
    ['set -- a b; IFS=-; run "$*" "$@"', ['a-b', 'a', 'b']],
    ['IFS=.; X=1.5; run $X', ['1', '5']],
    ['IFS=dn; X=1d2n3; run $X', ['1', '2', '3']],
    ['IFS=]; X="a]b^c"; run $X', ['a', 'b^c']],
  ]));

describe('read', () =>
  asBash([
    ['read -r a b <<< "1 2 3"; run "$a" "$b"', ['1', '2 3']],
    ['IFS=, read -r a b <<< "1,2,3"; run "$a" "$b"; X=c,d; run $X', ['1', '2,3'], ['c,d']],
    ['IFS=, read -r a b c <<< "1,2"; run "$a" "$b" "$c"', ['1', '2', '']],
    ['IFS=, read -r a b <<< "1,2,"; run "$a" "$b"', ['1', '2']],
    ['IFS=, read -r a b <<< "1,2,,"; run "$a" "$b"', ['1', '2,,']],
    ['IFS=, read -r a b <<< " 1 , 2 "; run "$a" "$b"', [' 1 ', ' 2 ']],
    ['IFS=", " read -r a b <<< " 1 , 2 "; run "$a" "$b"', ['1', '2']],
    ['IFS=":" read -ra A <<< "x:y z:"; run "${A[@]}" ${#A[@]}', ['x', 'y z', '2']],
    ['read -r -a A <<< "  p   q "; run "${A[@]}"', ['p', 'q']],
    ['S="7b 14b"; read -ra SIZES <<< $S; for s in "${SIZES[@]}"; do run $s; done', ['7b'], ['14b']],
    ['IFS=, read -ra A <<< "a,,b"; run "${A[@]}"', ['a', '', 'b']],
    ['read a b <<< "x\\ y z"; run "$a" "$b"', ['x y', 'z']],
    ['read -r a b <<< "x\\ y z"; run "$a" "$b"', ['x\\', 'y z']],
    ['read -r <<< " a b "; run "$REPLY"', [' a b ']],
    ['IFS= read -r line <<< "  keep  "; run "$line"', ['  keep  ']],
    ['read -r -d \'\' a b <<< $\'1\\n2\'; run "$a" "$b"', ['1', '2']],
    ['read -d: a <<< "x:y"; run "$a"', ['x']],
    ['read -r a b << EOF\n1 $HOME_NOT 2\nnot this\nEOF\nrun $a $b', ['1', '2']],
    ['X=5\nread -r a << \'EOF\'\n$X\nEOF\nrun "$a"', ['$X']],
    ['X=5\nread -r a <<- EOF\n\tx"$X"\n\tEOF\nrun "$a"', ['x"5"']],
    ['read -r a <<< "" ; run "[$a]"', ['[]']],
    ['if read -r a <<< "1"; then run yes $a; else run no; fi', ['yes', '1']],
    ['f() { read -r a; run "$a"; }; f <<< "to f"', ['to f']],
    ['mapfile -t A <<< $\'x y\\nz\'; run "${A[@]}" ${#A[@]}', ['x y', 'z', '2']],
    ['X=$(tr , " " <<< "a,b"); run $X', ['a', 'b']],
    ['run a <<< "not an argument"', ['a']],
  ]));

describe('a loop over lines of the script', () =>
  asBash([
    ["while read -r m n; do run $m $n; done <<< $'a 1\\nb 2'", ['a', '1'], ['b', '2']],
    ['while IFS=, read -r m n; do run "$m" "$n"; done << EOF\nx y,1\nz,2\nEOF\nrun end', ['x y', '1'], ['z', '2'], ['end']],
    ["N=0; while read -r l; do N=$((N + 1)); done <<< $'a\\nb\\nc'; run $N", ['3']],
  ]));

describe('${X:?message}', () => {
  asBash([
    ['X=a; run ${X:?} ${X?no} "${X:?no}"', ['a', 'a', 'a']],
    ['X=; run "${X?no}" b', ['', 'b']],
    ['run a; : "${X:?set X}"; run b', ['a']],
    ['X=; run a; run ${X:?}; run b', ['a']],
    ['f() { : ${1:?a model}; run $1; }; f m; f; run b', ['m']],
    ['(run a; : ${X:?}; run b); run c', ['a'], ['c']],
    ['set -- p; f() { run $1; : ${X:?}; }; (f q); run $1', ['q'], ['p']],
    ['run "${X:-${Y:-z}}"; Y=$(echo ${Z?no}); run "[$Y]"', ['z'], ['[]']],
  ]);

  it.each([
    [': "${MODEL_PATH:?set MODEL_PATH first}"', { name: 'MODEL_PATH', message: 'set MODEL_PATH first' }],
    ['run ${1:?usage: $0 MODEL}', { name: '1', message: 'usage: run.sh MODEL' }],
    ['X=; run ${X:?}', { name: 'X', message: 'parameter null or not set' }],
    ['run ${X?}', { name: 'X', message: 'parameter not set' }],
    ['X=1; run ${X:?no}', undefined],
  ])('%s: what is lacking is told', (script, lack) => {
    expect(readShell(script, { file: 'run.sh' }).lack).toEqual(lack);
  });
});
