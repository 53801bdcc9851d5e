/**
 * Replies that are held to JSON schemas: are all of them valid, and what does it cost? Random schemas and a model with random weights, so
 * that nothing but the constraint makes a reply valid; free and held replies alternate, with the same seeds and numbers of tokens.
 *   npx tsx bench/engine/constrained.ts [--schemas 1000] [--rounds 5]
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { Random } from '../../src/core/random/random.ts';
import { compileConstraint } from '../../src/engine/constraint/constraint.ts';
import { randomSchema } from '../../src/engine/constraint/schemas.fixture.ts';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { presetConfig } from '../../src/engine/embedded/network/config.ts';
import { inProject } from '../root.ts';

const { values } = parseArgs({
  options: { schemas: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '5' } },
});
const schemas = Array.from({ length: Number(values.schemas) }, (_, seed) => randomSchema(Random.of(seed, 'bench')));

// Random weights: every byte is about as likely as any other.
{
  await using engine = await EmbeddedEngine.open({ config: presetConfig('xxs', { vocabulary: 300, context: 2048 }), seed: 1 });
  const { tokenizer } = engine.model;
  const prompt = tokenizer.encode('{');
  let [valid, tokens] = [0, 0];
  const failures: string[] = [];
  await Promise.all(
    schemas.map(async (schema, seed) => {
      const constraint = { kind: 'schema', schema } as const;
      const { expressions, start } = compileConstraint(constraint);
      const maxTokens = expressions.shortest(start) + 1 + Random.of(seed, 'length').below(150);
      const sample = await engine.sample({ prompt, maxTokens, seed, stopTokens: tokenizer.endOfTurn, constraint });
      tokens += sample.tokens.length;
      const text = tokenizer.decode(sample.tokens.subarray(0, -1));
      try {
        z.fromJSONSchema(schema).parse(JSON.parse(text));
        valid++;
      } catch (thrown) {
        failures.push(`${JSON.stringify(schema)}\n  ${text}\n  ${String(thrown)}`);
      }
    }),
  );
  console.log(`random weights: ${valid} of ${schemas.length} replies parse and are valid (${tokens} tokens)`);
  for (const failure of failures.slice(0, 3)) console.log(failure);
}

// The policy that ships: the same number of tokens, free and held, in turns.
{
  await using engine = await EmbeddedEngine.open({ model: inProject('models/base') });
  const { tokenizer } = engine.model;
  const prompt = tokenizer.encode('Say something about the box.');
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } }, n: { type: 'integer' } },
    required: ['name', 'tags', 'n'],
  };
  const rate = async (held: boolean, round: number): Promise<Rate> => {
    const [from, before] = [performance.now(), process.cpuUsage()];
    const samples = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        engine.sample({
          prompt,
          maxTokens: 128,
          seed: round * 64 + index,
          ...(held ? { constraint: { kind: 'schema', schema } as const, stopTokens: tokenizer.endOfTurn } : {}),
        }),
      ),
    );
    const tokens = samples.reduce((sum, sample) => sum + sample.tokens.length, 0);
    const { user, system } = process.cpuUsage(before);
    return { perSecond: (tokens / (performance.now() - from)) * 1000, perProcessorSecond: (tokens / (user + system)) * 1e6 };
  };
  await rate(true, 0);
  await rate(false, 0);
  const ratios: Rate[] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    const [free, held] = [await rate(false, round), await rate(true, round)];
    const ratio = {
      perSecond: held.perSecond / free.perSecond,
      perProcessorSecond: held.perProcessorSecond / free.perProcessorSecond,
    };
    ratios.push(ratio);
    console.log(
      `round ${round}: free ${free.perSecond.toFixed(0)}, held ${held.perSecond.toFixed(0)} tokens/s; ratio ${ratio.perSecond.toFixed(2)}, by processor time ${ratio.perProcessorSecond.toFixed(2)}`,
    );
  }
  const median = (of: keyof Rate): string =>
    (ratios.map((ratio) => ratio[of]).sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? NaN).toFixed(2);
  console.log(
    `held to a schema: ${median('perSecond')} of free sampling, ${median('perProcessorSecond')} by processor time (medians of ${ratios.length})`,
  );
}

interface Rate {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}
