/** Short scripts and the words that bash 5.2 gives to the command `run` in them, each call a list. The rows were made by bash itself. */
import { describe, expect, it } from 'vitest';
import { readShell } from './run.ts';

type Row = readonly [script: string, ...calls: readonly (readonly string[])[]];

const runs = (script: string, env = {}): (readonly string[])[] =>
  readShell(script, { env }).commands.flatMap(({ words: [name, ...rest] }) => (name === 'run' ? [rest] : []));

const asBash = (rows: readonly Row[]): void =>
  it.each(rows.map(([script, ...calls]) => ({ script, calls })))('$script', ({ script, calls }) =>
    expect(runs(script)).toEqual(calls),
  );

describe('words, quotes and comments', () =>
  asBash([
    ['X=a; X+=b; run $X', ['ab']],
    ['X="a  b"; run $X "$X"', ['a', 'b', 'a  b']],
    ['X=\'a b\'; run pre"$X"post', ['prea bpost']],
    ['X="a b"; Y=$X; run "$Y"', ['a b']],
    ['run \'a\'"b"c\\ d', ['abc d']],
    ['run "a\\$b" "a\\\\b" "a\\nb" "\\"q\\""', ['a$b', 'a\\b', 'a\\nb', '"q"']],
    ['run a\\$b \\"q\\" \\\'', ['a$b', '"q"', "'"]],
    ["run $'a\\tb'", ['a\tb']],
    ['run "a" # "b"', ['a']],
    ['run a#b', ['a#b']],
    ['run a; # comment; run b', ['a']],
    ['run a \\\n b', ['a', 'b']],
    ['X=1 Y=2; run $X$Y', ['12']],
    ['run a | cat >/dev/null; run b', ['a'], ['b']],
    ['run a > /dev/null 2>&1', ['a']],
    ['run a 2>/dev/null', ['a']],
    ['run a &>/dev/null', ['a']],
    ['X=a; run "$X"b $X.c ${X}d $X/e', ['ab', 'a.c', 'ad', 'a/e']],
    ['run "100%" 50%', ['100%', '50%']],
    ['run a=b --c=d e:f g@h', ['a=b', '--c=d', 'e:f', 'g@h']],
    ['run "[1,2]" \'{"a":1}\' a[0]', ['[1,2]', '{"a":1}', 'a[0]']],
    ['run -- -x', ['--', '-x']],
    ['X=; run a $X b "$X" c', ['a', 'b', '', 'c']],
    ['echo run not'],
    ['run "a\nb"', ['a\nb']],
    ["run $'x' 'it'\"'\"'s'", ['x', "it's"]],
    ['X=1e-6; run lr=${X}', ['lr=1e-6']],
    ['X=3; run $X"k" ${X}k', ['3k', '3k']],
    ['run ${#}', ['0']],
    ['run a;run b', ['a'], ['b']],
    ['run a&', ['a']],
  ]));

describe('defaults', () =>
  asBash([
    ['X=a; run ${X:-b} ${Y:-b} ${Y:+c} ${X:+c}', ['a', 'b', 'c']],
    ['X=; run "${X-b}" "${X:-b}" "${X+c}" "${X:+c}"', ['', 'b', 'c', '']],
    ['run ${Y:=3} $Y ${Y=4}', ['3', '3', '3']],
    ['run "${X:-"a b"}"', ['a b']],
    ['run ${X:-a b}', ['a', 'b']],
    ['run "${Y:-${X:-deep}}"', ['deep']],
    ['X=Y; Y=7; run ${!X}', ['7']],
    ['X=$1; run "${X:-none}"', ['none']],
  ]));

describe('parts of a text', () =>
  asBash([
    ['X=abcdef; run ${X:2} ${X:1:3} ${X: -2} ${#X}', ['cdef', 'bcd', 'ef', '6']],
    ['X=abcdef; run ${X:0:-1} ${X:(-3):2}', ['abcde', 'de']],
    ['X=a/b/c.tar.gz; run ${X#*/} ${X##*/} ${X%.*} ${X%%.*}', ['b/c.tar.gz', 'c.tar.gz', 'a/b/c.tar', 'a/b/c']],
    ['X=a.b.a.b; run ${X/a/x} ${X//a/x} ${X/.b} ${X//.b}', ['x.b.a.b', 'x.b.x.b', 'a.a.b', 'a.a']],
    ['X=foobar; run ${X/#foo/x} ${X/%bar/y}', ['xbar', 'fooy']],
    ['X=a-b_c; run ${X//[-_]/.}', ['a.b.c']],
    ['X=aXbXc; run ${X%X*} ${X%%X*} ${X#*X} ${X##*X}', ['aXb', 'a', 'bXc', 'c']],
    ['X=v1.2; run ${X#v} ${X%.[0-9]} ${X#x}', ['1.2', 'v1', 'v1.2']],
    ['X=a.b; run "${X%.*}_${X##*.}"', ['a_b']],
    ['X=abc; run ${X/b*/} ${X/[ab]/_} ${X//[!b]/_}', ['a', '_bc', '_b_']],
    ['X="a b"; run ${X// /_} "${X/ /}"', ['a_b', 'ab']],
    ['X=/a/b/; run ${X%/} ${X%%/*}.', ['/a/b', '.']],
    ['X=a.b.c; run ${X%.*} ${X#*.} ${X##*.} ${X%%.*}', ['a.b', 'b.c', 'c', 'a']],
  ]));

describe('arrays', () =>
  asBash([
    ['A=(a b c); run ${A[0]} ${A[-1]} "${A[@]:1}" ${#A[@]} ${#A[1]}', ['a', 'c', 'b', 'c', '3', '1']],
    ['A=(a b c); run "${A[@]:1:1}" "${A[*]}" $A', ['b', 'a b c', 'a']],
    ['A=("x y" z); run "${A[@]}"', ['x y', 'z']],
    ['A=("x y" z); run ${A[@]}', ['x', 'y', 'z']],
    ['A=(a); A+=(b "c d"); run "${A[@]}" ${#A[@]}', ['a', 'b', 'c d', '3']],
    ['A=(); run "${A[@]}" end', ['end']],
    ['A=(1 2); A[1]=9; run "${A[@]}"', ['1', '9']],
    ['declare -A M; M[a]=1; M[b]=2; run ${M[a]} ${M[b]}', ['1', '2']],
    ['declare -A M=([a]=1 [b]=2); run ${M[b]}', ['2']],
    ['run a"$@"b', ['ab']],
    ['X="a b c"; A=($X); run ${#A[@]} ${A[2]}', ['3', 'c']],
    ['A=(a b c); A[3]=d; run "${A[@]}"', ['a', 'b', 'c', 'd']],
    ['declare -A M; M[x]=1; M[y]=2; M[x]=3; run ${M[x]}${M[y]}', ['32']],
    ['A=(a b); run "pre${A[@]}post"', ['prea', 'bpost']],
    ['run "${A[@]}" "$@" x', ['x']],
  ]));

describe('braces', () =>
  asBash([
    ['X=Hello; run ${X^^} ${X,,} ${X,} ; Y=world; run ${Y^}', ['HELLO', 'hello', 'hello'], ['World']],
    ['run {a,b}c', ['ac', 'bc']],
    ['run x{1,2}y{3,4}', ['x1y3', 'x1y4', 'x2y3', 'x2y4']],
    ['X="1,2,3"; run ${X//,/ }', ['1', '2', '3']],
    ['run a{b', ['a{b']],
    ['run }x', ['}x']],
    ['run {1..5..2} {3..1} a{,b}', ['1', '3', '5', '3', '2', '1', 'a', 'ab']],
    ['run "{1..3}" \'{a,b}\' \\{a,b\\} {a} {}', ['{1..3}', '{a,b}', '{a,b}', '{a}', '{}']],
    ['run ${X:-{a,b}}', ['{a,b}']],
    ['X=2; run {1..$X}', ['{1..2}']],
    ['run lr={1e-5,1e-6}', ['lr=1e-5', 'lr=1e-6']],
    ['X=x; run $X{1,2}', []],
  ]));

describe('arithmetic', () =>
  asBash([
    ['run "$((1 + 2 * 3))" $((7 / 2)) $((-7 / 2)) $((7 % 3)) $((2 ** 10))', ['7', '3', '-3', '1', '1024']],
    ['N=3; run $((N + 1)) $(( $N * 2 )) $((N > 2)) $((N == 2)) $((N != 2))', ['4', '6', '1', '0', '1']],
    ['run $(( (1 + 2) * 3 )) $((1 - -1)) $((!0)) $((10 - 2 - 3)) $((2 ** 3 ** 2))', ['9', '2', '1', '5', '512']],
    ['run $((1 << 4)) $((6 & 3)) $((6 | 1))', ['16', '2', '7']],
    ['i=1; ((i++)); run $i', ['2']],
    ['i=1; ((i += 5)); run $i', ['6']],
    ['i=1; i=$((i + 1)); run $i', ['2']],
    ['X=$((2*3)); run $X', ['6']],
    ['X=10; X=$((X - 1)); run $X', ['9']],
    ['let X=2+3; run $X', ['5']],
    ['X=5; Y=X; run $((Y))', ['5']],
    ['X=010; run $((10#$X))', ['10']],
    ['run $((0x10))', ['16']],
    ['X=(1 2 3); run $(( ${X[0]} + ${X[2]} ))', ['4']],
    ['X=(1 2 3); run ${X[$((1+1))]} ${X[i]}', ['3', '1']],
    ['X=$((5 > 3 ? 1 : 2)); run $X', ['1']],
    ['N=8; run $((N / 2 * 2)) $((N - 1)) $(( N*N )) $((-N)) $((+3))', ['8', '7', '64', '-8', '3']],
    ['run $((1 + 1 == 2)) $((1 < 2 == 1)) $((7 & 3 == 3)) $((1 | 2 ^ 3))', ['1', '1', '1', '1']],
    ['X=5; run $((X++)) $X $((X *= 2)) $X', ['5', '6', '12', '12']],
  ]));

describe('what commands print', () =>
  asBash([
    ['run $(echo a b) "$(echo a b)"', ['a', 'b', 'a b']],
    ['run $(basename /x/y.sh .sh) $(dirname /x/y/z)', ['y', '/x/y']],
    ['run `echo hi`', ['hi']],
    ['run "${X:-$(echo z)}"', ['z']],
    ["printf -v X '%s-%d' a 3; run $X", ['a-3']],
    ["X=$(printf '%03d' 7); run $X", ['007']],
    ['X=$(echo "a-b" | tr - _); run $X', ['a_b']],
    ["X=$(echo abc | sed 's/b/x/'); run $X", ['axc']],
    ['run $(echo -n x)', ['x']],
  ]));

describe('conditions', () =>
  asBash([
    ['run $((3 > 2 && 1 < 0)) $((0 || 2)) $((5 >= 5)) $((1 ? 7 : 8))', ['0', '1', '1', '7']],
    ['run a; run b && run c || run d', ['a'], ['b'], ['c']],
    ['false && run a; false || run b', ['b']],
    ['true && run a; true || run b', ['a']],
    ['! true && run a; ! false && run b', ['b']],
    ['if [ 1 -eq 1 ]; then run y; else run n; fi', ['y']],
    ['if [ 2 -gt 10 ]; then run y; else run n; fi', ['n']],
    ['if [[ abc == a* ]]; then run y; else run n; fi', ['y']],
    ['if [ -z "" ]; then run y; fi; if [ -n "" ]; then run n; fi', ['y']],
    ['X=b; if [ "$X" = a ]; then run a; elif [ "$X" = b ]; then run b; else run c; fi', ['b']],
    ['if [[ $X != x ]]; then run y; fi', ['y']],
    ['if [[ -n $Q && 1 -eq 1 ]]; then run y; else run n; fi', ['n']],
    ['if [[ -z $Q && 1 -eq 1 ]]; then run y; else run n; fi', ['y']],
    ['if [[ a == b || a == a ]]; then run y; else run n; fi', ['y']],
    ['if [ a = b -o a = a ]; then run y; else run n; fi', ['y']],
    ['if [[ abc =~ ^a ]]; then run y; else run n; fi', ['y']],
    ['X=5; if (( X > 3 )); then run y; else run n; fi', ['y']],
    ['X=5; if (( X > 3 && X < 5 )); then run y; else run n; fi', ['n']],
    ['case abc in a*) run one;; *) run two;; esac', ['one']],
    ['case x in a|b) run one;; x|y) run two;; esac', ['two']],
    ['case "$Z" in "") run empty;; *) run full;; esac', ['empty']],
    ['X=b; case $X in [abc]) run in;; *) run out;; esac', ['in']],
    ['run a && echo b', ['a']],
    ['test 1 -lt 2 && run y', ['y']],
    ['[ -z "$NO" ] && run y', ['y']],
    ['[ -n "$NO" ] && run y; run z', ['z']],
    ['[[ "$NO" == "" ]] || run n; run z', ['z']],
    ['X=true; if $X; then run y; else run n; fi', ['y']],
    ['X=false; if $X; then run y; else run n; fi', ['n']],
    ['if true; then :; else run n; fi; run z', ['z']],
    ['X=model_7b; [[ $X == *7b* ]] && run seven', ['seven']],
    ['if ! [ a = a ]; then run y; else run n; fi', ['n']],
    ['[ ! -z "x" ] && run y', ['y']],
    ['if [ "a" == "a" ] && [ "b" == "c" ]; then run y; else run n; fi', ['n']],
    ['if [ "a" == "a" ] || [ "b" == "c" ]; then run y; else run n; fi', ['y']],
    ['if { [ a = a ]; }; then run y; fi', ['y']],
    ['case a in (a) run y;; esac', ['y']],
    ['case "a b" in "a b") run y;; esac', ['y']],
    ['case 5 in [0-9]) run digit;; esac', ['digit']],
    ['X=0; ((X)) && run yes || run no', ['no']],
    ['((3 > 2)) && run yes', ['yes']],
    ['X=7; [ $((X % 2)) -eq 1 ] && run odd', ['odd']],
  ]));

describe('loops', () =>
  asBash([
    ['for i in 1 2 3; do run $i; done', ['1'], ['2'], ['3']],
    ['for i in a "b c"; do run "$i"; done', ['a'], ['b c']],
    ['for i in {1..3}; do run $i; done', ['1'], ['2'], ['3']],
    ['for i in $(seq 2 4); do run $i; done', ['2'], ['3'], ['4']],
    ['for i in $(seq 1 2 5); do run $i; done', ['1'], ['3'], ['5']],
    ['A=(x y); for i in "${A[@]}"; do run $i; done', ['x'], ['y']],
    ['for ((i=0; i<3; i++)); do run $i; done', ['0'], ['1'], ['2']],
    ['for i in 1 2; do for j in a b; do run $i$j; done; done', ['1a'], ['1b'], ['2a'], ['2b']],
    ['until true; do run x; done; run z', ['z']],
    ['mapfile -t A < /dev/null; run ${#A[@]}', ['0']],
    ['while read l; do run $l; done < /dev/null; run z', ['z']],
    ['for ((i=0, j=5; i<2; i++, j--)); do run $i $j; done', ['0', '5'], ['1', '4']],
    ['for ((i=3; i>0; i-=2)); do run $i; done', ['3'], ['1']],
  ]));

describe('functions and brackets, and what lasts after them', () =>
  asBash([
    ['f() { run "$1" $#; }; f a b', ['a', '2']],
    ['f() { local X=2; run $X; }; X=1; f; run $X', ['2'], ['1']],
    ['function g { run "$@"; }; g "a b" c', ['a b', 'c']],
    ['f() { X=2; }; X=1; f; run $X', ['2']],
    ['X=1 run $X end', ['end']],
    ['export X=1 Y=2; run $X $Y', ['1', '2']],
    ['readonly X=1; run $X', ['1']],
    ['unset X; X=1; unset X; run "${X-unset}"', ['unset']],
    ['X=1; { X=2; run $X; }; run $X', ['2'], ['2']],
    ['X=1; (X=2; run $X); run $X', ['2'], ['1']],
    ['set -- p q r; run $1 $3 $# "$@"', ['p', 'r', '3', 'p', 'q', 'r']],
    ['set -- p q r; shift; run $1 "$@"', ['q', 'q', 'r']],
    ['X=1; f() { local X=$1; g; }; g() { run $X; }; f 7; run $X', ['7'], ['1']],
    ['f() { local A=(a b); run "${A[@]}"; }; A=(z); f; run "${A[@]}"', ['a', 'b'], ['z']],
    ['f() { run ${X:-none}; }; X=3 f; run ${X:-none}', ['3'], ['none']],
    ['(cd /tmp; X=1); run "${X:-none}"', ['none']],
  ]));

describe('what is not known here', () => {
  it.each([
    ['the answer of a program', 'run $(nproc)', ['$(nproc)']],
    ['a pattern for sed', "X=$(echo abc | sed 's/[ab]/x/'); run $X", ['$(echo', 'abc', '|', 'sed', "'s/[ab]/x/')"]],
    ['a number with a fraction', 'run "$(printf %.2f 1)"', ['$(printf %.2f 1)']],
  ])('%s stays as it is written', (_, script, words) => expect(runs(script)).toEqual([words]));

  it('the home is that of whoever reads the script', () => {
    expect(runs('run ~/a a/~ "~/b"', { HOME: '/home/me' })).toEqual([['/home/me/a', 'a/~', '~/b']]);
    expect(runs('run ~/a')).toEqual([['~/a']]);
  });
});
