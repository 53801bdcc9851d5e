/** Objects in the place of names: those of `define…` functions, and instances of classes, as environments that ship are. */
import { expect, it } from 'vitest';
import '../envs/builtin.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { hashOfHeld, heldObject, named } from './held.ts';

it('names what has functions of its own or of its class, and leaves data alone', async () => {
  const maze = await loadEnvironment('maze'); // an instance of a class: `train({ tasks: [{ env: maze }] })` was refused
  const plain = { name: 'plain', estimate: () => 1 };
  const recipe = { run: 'mine', tasks: [{ env: maze, split: 'train' }], algorithm: { name: 'grpo', estimator: plain } };
  expect(named(recipe)).toEqual({
    run: 'mine',
    tasks: [{ env: './maze.object', split: 'train' }],
    algorithm: { name: 'grpo', estimator: './plain.object' },
  });
  expect(heldObject('./maze.object')).toBe(maze);
});

it('hashes the code of an object and of its class', () => {
  class One {
    name = 'it';
    step = 1;
    play(): number {
      return 1;
    }
  }
  class Other {
    name = 'it';
    step = 1;
    play(): number {
      return 2;
    }
  }
  expect(hashOfHeld(new One())).toBe(hashOfHeld(new One()));
  expect(hashOfHeld(new One())).not.toBe(hashOfHeld(new Other()));
  expect(hashOfHeld({ name: 'it', play: () => 1 })).not.toBe(hashOfHeld({ name: 'it', play: () => 2 }));
});
