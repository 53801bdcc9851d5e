/** The 400 test items that AgentGym evaluates on: the steps from each to the next, in base 36. */
export function agentEvalItems(): number[] {
  let item = -1;
  return STEPS.split(/\s+/).map((step) => (item += Number.parseInt(step, 36)));
}

const STEPS = `8 t 1s 2c 38 j 1y 5 b 1n 1f 2x 3d 3e 68 x 3v 66 10 h 1c 4 x r q 4 1q q c 2f 4a a 1i 2b 3 c 3l 1r 1n 1g 1x 23 29 1k 4z 12
6k 1e 4z 4k jo 3e 5a a7 60 eu 1 1b h8 7v 2d 2u 2f 8z 8f 39 l0 2k 71 6u 5y 1u 65 q b7 dj 5w 9k 1s 2m 3t z 47 16 4e 4l av
24 5i 5c 5p k b 64 5j b2 b 40 5w e2 gu 84 nj 6y 13 59 jn 2w 9p bt 18 a6 9z 7x 69 h 7y 1a cs 75 6b q7 31 42 2e kj r6 9 2a
63 7y 3g 21 gz 1l 2m 4u a 9b 1w 10p ak 13 f 7 1f 8w bv 7a 4b 41 r dr 2b 3e 1j 53 5w 2b 75 84 3d i 7e 41 2j 1k cj 7t 4l
8l 79 4r 2 1v 7 19 co 2v 1d 26 3j 6u 2j 5o 2q 1y h 7 1a 15 c aj 79 8b w 49 h 30 14 6y fj a2 2 m e4 c 1hp 24 47 54 6z 7k
33 14 3q m g 1b 80 26 17 2j 6p ta bu dq 1i 74 ka 84 24 5u 2x gv 2e k 64 6s 73 25 c 7p 55 5i 7 7o 3d 4i 6s 7x 1k 1g d 1a
1e i 5 6 3 1i q 4 1p l j 8 u 1 w e a 2w 14 d r 1 t 7 p 1o 1e 1 o c 14 2 h 4 8 3 c n h v 5 1 1d h 5 17 9 15 y 1n l 1r 1 g
4 i c a 6 2 z h 18 1d 28 6 d c p 19 v 4 20 18 o d d 1 2k 1r o i 8 2 9 14 v 8 f j g 1 m g 3 6 1 2 1 2 8 1 3 2 2 2 3 4 2 4
1 1 3 1 3 3 2 2 1 2 1 2 2 1 2 1 6 5 1 3 2 1 1 1 1 1 3 5 3 2 3 b 1 5 2`;
