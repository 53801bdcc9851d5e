/**
 * No silent zero: a number that is missing is an error by its name (`at`, `sameLengths`), and never becomes a 0. What was not counted
 * yet is none; the other zeros are argued for here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const fallback = /(?:\?\?|\|\|)=? *0(?![.\d]*[1-9]|x)/;
/** `counts[key] = (counts[key] ?? 0) + …` */
const counting = /(\w+)\[([^\]]+)\] = \(\1\[\2\] \?\? 0\) \+ /;
/** `counts.get(key) ?? 0` */
const counted = /\.get\((?:[^()]|\([^()]*\))*\) \?\? 0/g;
/** File → how often, and why: defaults of protocols and options, and what nobody has counted yet. */
const argued: Readonly<Record<string, readonly [times: number, why: string]>> = {
  'agent/episode.ts': [2, 'the first sample, and no further tries'],
  'agent/formats/detect.ts': [1, 'a format that no reply was read in'],
  'chaos/checks.ts': [1, 'a file that is not there has no bytes'],
  'chaos/episodes.ts': [2, 'the first sample'],
  'cli/commands/data/print.ts': [1, 'there is a first one where any are'],
  'cli/commands/doctor/examine-model.ts': [1, 'without a card nothing is free on it'],
  'cli/commands/training/train.ts': [1, 'a recipe without epochs has steps'],
  'cli/terminal/training-progress.ts': [1, 'no bar where nobody knows the end'],
  'cli/terminal/work-progress.ts': [1, 'no bar where nobody knows the end'],
  'config/interpolate.ts': [1, 'a name without dots'],
  'config/recipe/rl-recipe.ts': [1, 'no advice unless the algorithm has some'],
  'config/shell/arithmetic.ts': [1, 'what is no expression is 0, as in bash an unset variable is'],
  'config/verl/optimizer.ts': [1, "verl's default rank: no LoRA"],
  'config/verl/rl.ts': [1, 'a penalty that was not given'],
  'core/parquet/pages.ts': [2, 'a column that does not repeat starts a row'],
  'core/python/literal.ts': [1, 'the expression matches the empty text'],
  'core/random/numpy.ts': [1, "numpy's SeedSequence fills its pool up with zeros"],
  'dashboard/docs/search.ts': [1, 'found by its title alone'],
  'dashboard/evaluations/eval-file.ts': [2, 'not in files of older versions; no episode ended by it'],
  'dashboard/runs/episode-shelf.ts': [1, 'the first page'],
  'data/convert.ts': [1, 'the first row'],
  'data/inspect.ts': [2, 'counts rows'],
  'data/parquet/chunk.ts': [1, 'no dictionary'],
  'data/traces/spans.ts': [1, 'only the order counts: without a date it comes first'],
  'engine/embedded/measure-peer.ts': [3, 'padding: the peer gets rectangles'],
  'engine/embedded/open-model.ts': [1, 'the default seed'],
  'engine/embedded/runtime/session.ts': [1, 'the first captured graph of a session has the number 0'],
  'engine/embedded/sampling/router.ts': [1, 'the lane has nothing in hand'],
  'engine/embedded/train/learner.ts': [1, 'before the first optimizer step there are no moments'],
  'engine/tinker/client/engine.ts': [1, 'the default weight decay'],
  'engine/tinker/server/futures.ts': [1, 'an answer without log-probabilities takes no memory for them'],
  'engine/tinker/server/listings.ts': [2, 'the page begins at the first run'],
  'engine/tinker/server/service.ts': [1, 'full weights have the rank 0 in listings'],
  'engine/tinker/wire/answers.ts': [1, 'a server that does not count reused tokens'],
  'engine/tinker/wire/requests.ts': [1, 'the protocol: a number that is left out is 0'],
  'engine/tinker/wire/training-proto.ts': [2, 'proto3 leaves a zero out'],
  'envs/alfworld/homes/home.ts': [1, 'kinds that never close'],
  'envs/alfworld/names.ts': [1, 'a kind without a number comes first'],
  'envs/alfworld/world/formula.ts': [1, 'a predicate with fewer arguments'],
  'envs/babyai/expert/planner.ts': [1, 'no way costs nothing more'],
  'envs/sciworld/language/referents.ts': [1, 'counts names'],
  'envs/sciworld/tasks/tasks.ts': [1, 'a draw without a bound'],
  'envs/sciworld/things/thing.ts': [1, 'a thing without terminals has no connections'],
  'envs/sqlgym/draw.ts': [1, 'a cell that is not there has no width'],
  'envs/sqlgym/generated/world.ts': [1, 'a whole number has no decimals'],
  'envs/tools/sheet/grid.ts': [1, 'an empty sheet has no columns'],
  'envs/tools/sheet/tools.ts': [1, 'an empty sheet has no columns'],
  'envs/tools/weather/sky.ts': [1, 'no -0'],
  'envs/tools/weather/tools.ts': [1, 'geopy takes None for 0'],
  'envs/webarena/browser/act.ts': [1, 'a page that did not scroll'],
  'envs/webarena/browser/packaged-folder.ts': [1, 'Windows has no numbers of users'],
  'envs/webarena/observation/dom-text.ts': [1, 'a node without a number has no box'],
  'envs/webarena/sites/admin/goods.ts': [2, 'nothing was sold'],
  'envs/webarena/sites/forum/frame.ts': [1, 'no vote'],
  'envs/webarena/sites/git/work.ts': [1, 'the first issue'],
  'envs/webarena/sites/server.ts': [1, 'any free port'],
  'envs/webarena/sites/shop/cart.ts': [1, 'none in the cart yet'],
  'envs/webarena/sites/shop/picture.ts': [1, 'a hue: red where a category has none'],
  'envs/webarena/sites/tasks/admin.ts': [1, 'nothing was sold'],
  'envs/webshop/webshop.ts': [1, 'a split that the shop has no tasks of'],
  'envs/wordle/wordle.ts': [1, 'splits of their own lists count from their first'],
  'eval/evaluation-request.ts': [1, 'the default seed'],
  'eval/panel.ts': [1, 'a panel without tasks'],
  'gym/client/call.ts': [2, 'no pause was asked for'],
  'gym/server/native.ts': [1, 'the first page'],
  'gym/server/server.ts': [1, 'any free port'],
  'gym/server/worker-process.ts': [1, 'a process that has not said yet what it has open'],
  'lint/disturbance.ts': [1, 'a text without a place stands first'],
  'lint/shrink.ts': [2, 'nothing left to make smaller'],
  'policy/endpoint/endpoint-answer.ts': [2, 'a server that does not count tokens'],
  'policy/endpoint/endpoint-request.ts': [1, 'no pause was asked for'],
  'retrieval/vectors/hnsw.ts': [1, 'rows of the ground floor alone'],
  'retrieval/vectors/onnx-names.ts': [1, 'the end of the file ends its last number'],
  'run/growing-lines.ts': [1, 'a file that is not there yet'],
  'run/run-directory.ts': [1, 'without a checkpoint a run goes on from its start'],
  'sandbox/sqlite/program.ts': [1, 'an answer without rows'],
  'sandbox/sqlite/read-only-files.ts': [3, 'the address of a function that is not there'],
  'train/sft/drawing.ts': [1, 'the first line where none is open'],
  'train/sft/ladders.ts': [1, 'counts names'],
};

const found: Record<string, string[]> = {};
const src = fileURLToPath(new URL('.', import.meta.url));
for (const entry of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
  const name = entry.replaceAll('\\', '/');
  if (!name.endsWith('.ts') || /\.(test|fixture)\.ts$/.test(name)) continue;
  readFileSync(join(src, name), 'utf8')
    .split('\n')
    .forEach((line, i) => {
      if (!fallback.test(line.replaceAll(counted, '')) || counting.test(line)) return;
      (found[name] ??= []).push(`${i + 1}: ${line.trim()}`);
    });
}

const unargued = Object.entries(found).filter(([file, lines]) => lines.length !== argued[file]?.[0]);

it('finds no zero for a number that is missing in the mathematics, but those argued for', () => {
  expect(unargued.filter(([file]) => /^(learn|train|engine)\//.test(file))).toEqual([]);
  expect(Object.keys(argued).filter((file) => !found[file])).toEqual([]);
});

it('elsewhere, a few at most wait for their reason', () => {
  expect(unargued.length, JSON.stringify(unargued)).toBeLessThanOrEqual(3);
});

it.each(['reward ?? 0', 'x || 0)', 'total ??= 0', 'a[i] ?? 0.0'])('would see %s', (line) => expect(line).toMatch(fallback));
it.each(['p ?? 0.5', 'n ?? 10', 'list ?? []'])('leaves %s', (line) => expect(line).not.toMatch(fallback));
