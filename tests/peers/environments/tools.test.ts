/**
 * Maze, Wordle and the tool environments against AgentGym, where a checkout is at hand (AGENTGYM names it, with its submodule
 * agentenv-lmrlgym/lmrlgym): its own Python clients play our server, and LMRL-Gym's own Wordle answers guess for guess as ours.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { mazeEnvironment } from '../../../src/envs/maze/opened.fixture.ts';
import type { ToolEnvironment } from '../../../src/envs/tools/core/environment.ts';
import { academia } from '../../../src/envs/tools/academia/academia.ts';
import { movie } from '../../../src/envs/tools/movie/movie.ts';
import { sheet } from '../../../src/envs/tools/sheet/sheet.ts';
import { todo } from '../../../src/envs/tools/todo/todo.ts';
import { weather } from '../../../src/envs/tools/weather/weather.ts';
import { WordleGame, words } from '../../../src/envs/wordle/game.ts';
import { wordle } from '../../../src/envs/wordle/wordle.ts';
import { startGym } from '../../../src/gym/server/server.ts';
import { peersMissing, python } from '../python.ts';

const checkout = process.env['AGENTGYM'] ?? '';
const lmrl = join(checkout, 'agentenv-lmrlgym/lmrlgym');
const lacking = (path: string): string | undefined =>
  peersMissing() ?? (existsSync(path) ? undefined : `${path} is not there: set AGENTGYM`);
const clientsMissing = lacking(join(checkout, 'agentenv/agentenv/envs/weather.py'));
const wordleMissing = lacking(join(lmrl, 'llm_rl_scripts/wordle/env/game.py'));
for (const missing of [clientsMissing, wordleMissing]) if (missing !== undefined) console.log(`skipped: ${missing}`);
const GUESSES = 10_000;

async function ask(script: string, args: readonly string[], input: unknown): Promise<unknown> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(python, [path, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(JSON.stringify(input));
  return JSON.parse(await text(child.stdout));
}

interface Seen {
  readonly reset: unknown;
  readonly observed: string;
  readonly steps: readonly [observation: string, reward: number, done: boolean][];
  readonly after: string;
}

describe.skipIf(clientsMissing !== undefined)('AgentGym’s own Python clients on our server', () => {
  it('play the five tool servers to the end by the expert’s calls', async () => {
    const environments: readonly ToolEnvironment[] = [weather, todo, movie, academia, sheet].map((open) =>
      open({ generated: true }),
    );
    await using server = await startGym({ environments });
    const games = environments.flatMap((environment) =>
      [0, 1, 2, 3].map((item) => {
        const expert = environment.expert(environment.taskOfItem(item));
        const replies = ['I do not know.', 'Thought: odd.\n\nAction: fly with Action Input: {}'];
        for (let action = expert.next(''); action !== null; action = expert.next(''))
          replies.push(`Thought: next.\n\nAction: ${action}`);
        return { environment, name: environment.name, item, replies };
      }),
    );
    const seen = (await ask(
      'tool_clients.py',
      [checkout, server.url],
      games.map(({ environment: _, ...game }) => game),
    )) as Seen[];
    for (const [at, { environment, item, replies }] of games.entries()) {
      const here = environment.openItem(item);
      const steps = replies.map((reply) => {
        const { observation, reward, done } = here.send(reply);
        return [observation, reward, done];
      });
      const { observation } = here;
      expect(seen[at]).toEqual({ reset: observation, observed: observation, steps, after: observation });
      expect(steps.at(-1)?.slice(1)).toEqual([1, true]);
    }
  });

  it('play maze and Wordle', async () => {
    const mazes = mazeEnvironment();
    await using server = await startGym({ environments: [mazes, wordle()] });
    const moves = ['move up', 'move left', 'move down', 'dance'].map((move) => `Thought:\nI try.\n\nAction:\n${move}`);
    const guesses = ['s h i r e', 'panic', 'nonsense'].map((word) => `Thought:\nI guess.\n\nAction:\n${word}`);
    const [maze, game] = (await ask(
      'tool_clients.py',
      [checkout, server.url],
      [
        { name: 'maze', item: 3, replies: moves },
        { name: 'wordle', item: 7, replies: guesses },
      ],
    )) as [Seen, Seen];
    const there = mazes.openGame(3);
    expect(maze.observed.endsWith(`\n${there.observation}`)).toBe(true);
    expect(maze.steps).toEqual(
      ['move up', 'move left', 'move down', 'dance'].map((move) => {
        const { observation, reward, done } = there.step(move);
        return [observation, reward, done];
      }),
    );
    for (const word of words) expect(game.observed).toContain(`\n${word}\n`);
    const ours = new WordleGame(7);
    expect(game.steps).toEqual(
      ['s h i r e', 'panic', 'nonsense'].map((word) => {
        const { observation, reward, done } = ours.guess(word);
        return [observation, reward, done];
      }),
    );
  });
});

describe.skipIf(wordleMissing !== undefined)('LMRL-Gym’s own Wordle', () => {
  it('answers ten thousand guesses as ours does, with the same words left', async () => {
    const random = Random.of(1, 'wordle peer');
    const games: [number, string[]][] = [];
    let wanted = 0;
    for (let seed = 0; wanted < GUESSES * 1.15; seed++, wanted += 6)
      games.push([seed, Array.from({ length: 6 }, () => (random.below(20) === 0 ? 'crane' : random.pick(words)))]);
    const theirs = (await ask('wordle_peer.py', [lmrl], games)) as [string, number, boolean, string[]][][];
    let compared = 0;
    games.forEach(([seed, guesses], at) => {
      const game = new WordleGame(seed);
      theirs[at]?.forEach(([answer, reward, done, left], turn) => {
        const ours = game.guess(guesses[turn] ?? '');
        expect([ours.observation.replace(/\s|invalid word/g, ''), ours.reward, ours.done, game.left]).toEqual([
          answer,
          reward,
          done,
          left,
        ]);
        compared++;
      });
    });
    console.log(`Wordle: ${compared} guesses answered as the original answers them`);
    expect(compared).toBeGreaterThan(GUESSES);
  });
});
