import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ToyEngine } from '../../tests/fixtures/toy-engine.ts';
import { parsePolicy } from '../policy/spec.ts';
import { agentRecordOf, expandPolicies, modelPath, pinnedPolicy } from './policy-files.ts';
import { identifyPolicy } from './identify-policy.ts';
import { openPolicy } from './open-policy.ts';

let run = '';
beforeAll(async () => {
  run = await mkdtemp(join(tmpdir(), 'agoge-policy-'));
  for (const step of ['000020', '000040']) {
    const folder = join(run, 'checkpoints', `step_${step}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'model.safetensors'), `weights of ${step}`);
  }
  await writeFile(join(run, 'checkpoints', 'best.json'), '{"step":20,"score":0.5}');
});
afterAll(() => rm(run, { recursive: true, force: true }));

describe('policy names', () => {
  it('are pinned to their checkpoint, so that a resumed run finds the weights it began with', async () => {
    expect(await pinnedPolicy(`run:${run}`)).toBe(`run:${run}@step_40`);
    expect(await pinnedPolicy(`run:${run}@best`)).toBe(`run:${run}@step_20`);
    expect(await pinnedPolicy('base')).toBe('base');
  });
  it.each([
    ['base', { kind: 'base' }],
    ['reader', { kind: 'reader' }],
    ['run:outputs/x', { kind: 'run', directory: 'outputs/x', checkpoint: 'latest' }],
    ['run:outputs/x@step_40', { kind: 'run', directory: 'outputs/x', checkpoint: 40 }],
    ['run:a@b/x@all', { kind: 'run', directory: 'a@b/x', checkpoint: 'all' }],
    ['hf:Qwen/Qwen2.5-0.5B', { kind: 'hf', model: 'Qwen/Qwen2.5-0.5B' }],
    ['gguf:m.gguf', { kind: 'gguf', file: 'm.gguf' }],
    ['models/m.gguf', { kind: 'gguf', file: 'models/m.gguf' }],
    ['openai:gpt-4o', { kind: 'openai', model: 'gpt-4o', baseUrl: 'https://api.openai.com/v1' }],
    ['openai:org/m@http://127.0.0.1:8000/v1/', { kind: 'openai', model: 'org/m', baseUrl: 'http://127.0.0.1:8000/v1' }],
    ['replay:e.jsonl.gz', { kind: 'replay', file: 'e.jsonl.gz' }],
    ['expert', { kind: 'expert' }],
  ])('%s', (text, spec) => {
    expect(parsePolicy(text)).toEqual(spec);
  });
  it('a tilde is the home folder, also behind hf: and run:', () => {
    expect(parsePolicy('hf:~/x')).toEqual({ kind: 'hf', model: join(homedir(), 'x') });
    expect(parsePolicy('run:~/outputs/x@best')).toEqual({
      kind: 'run',
      directory: join(homedir(), 'outputs/x'),
      checkpoint: 'best',
    });
    expect(parsePolicy('hf:owner/na~me')).toEqual({ kind: 'hf', model: 'owner/na~me' });
  });

  it.each(['', 'bsae', 'run:', 'run:x@forty', 'openai:', 'expert:x', 'hf:'])('%j is refused with what there is', (text) => {
    expect(() => parsePolicy(text)).toThrow(/base, reader, run:/);
  });

  it.each([
    ['bse', 'did you mean "base"?'],
    ['opeanai:gpt-4o', 'did you mean "openai:gpt-4o"?'],
    ['rnu:outputs/x', 'did you mean "run:outputs/x"?'],
    ['something-else', 'it is none of them'],
  ])('%s is answered with what was most likely meant', (text, says) => {
    expect(() => parsePolicy(text)).toThrow(says);
  });

  it('OpenAI without a key is refused before anything is asked; a server of one’s own is not', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    await expect(expandPolicies('openai:gpt-4o')).rejects.toMatchObject({ code: 'POLICY_NO_KEY' });
    await expect(openPolicy('openai:gpt-4o')).rejects.toThrow(/OPENAI_API_KEY is not set: export/);
    expect(await expandPolicies('openai:m@http://127.0.0.1:8000/v1')).toEqual(['openai:m@http://127.0.0.1:8000/v1']);
    const mixed = 'openai:m@http://127.0.0.1:8000/v1,https://api.openai.com/v1';
    await expect(expandPolicies(mixed)).rejects.toMatchObject({ code: 'POLICY_NO_KEY' });
    vi.stubEnv('OPENAI_API_KEY', 'x');
    expect(await expandPolicies('openai:gpt-4o')).toEqual(['openai:gpt-4o']);
    vi.unstubAllEnvs();
  });

  it('the reader opens with its own context and what it was taught', async () => {
    await using policy = await openPolicy('reader');
    expect(policy.context).toBe(4096);
    expect(await agentRecordOf('reader')).toMatchObject({ format: 'direct' });
  });
});

describe('checkpoints of a run', () => {
  it('all, the newest, the best, or one', async () => {
    const name = (step: number): string => `run:${run}@step_${step}`;
    expect(await expandPolicies(`run:${run}@all`)).toEqual([name(20), name(40)]);
    expect(await expandPolicies(`run:${run}`)).toEqual([name(40)]);
    expect(await expandPolicies(`run:${run}@best`)).toEqual([name(20)]);
    expect(await expandPolicies('expert')).toEqual(['expert']);
    expect(await modelPath(parsePolicy(name(20)))).toBe(join(run, 'checkpoints', 'step_000020'));
    await expect(expandPolicies(`run:${run}@step_30`)).rejects.toThrow(/it has step_20, step_40/);
    await expect(expandPolicies('run:nowhere@all')).rejects.toThrow(/no checkpoints in nowhere/);
  });

  it("are those of other systems too: verl's, and what was built on it", async () => {
    const merged = async (...at: string[]): Promise<void> => {
      const path = join(run, 'others', ...at);
      await mkdir(path, { recursive: true });
      for (const name of ['config.json', 'model.safetensors']) await writeFile(join(path, name), '{}');
    };
    await merged('webshop_grpo', 'checkpoints', 'epoch_5');
    await merged('webshop_grpo', 'checkpoints', 'epoch_15');
    await merged('verl', 'global_step_40', 'actor', 'huggingface');
    await mkdir(join(run, 'others', 'verl', 'global_step_80', 'actor', 'huggingface'), { recursive: true });
    const [seeds, verl] = [join(run, 'others', 'webshop_grpo'), join(run, 'others', 'verl')];
    expect(await expandPolicies(`run:${seeds}@all`)).toEqual([`run:${seeds}@epoch_5`, `run:${seeds}@epoch_15`]);
    expect(await expandPolicies(`run:${seeds}`)).toEqual([`run:${seeds}@epoch_15`]);
    expect(await modelPath(parsePolicy(`run:${seeds}@epoch_5`))).toBe(join(seeds, 'checkpoints', 'epoch_5'));
    expect(await modelPath(parsePolicy(`run:${verl}@global_step_40`))).toBe(join(verl, 'global_step_40', 'actor', 'huggingface'));
    await expect(modelPath(parsePolicy(`run:${verl}@global_step_80`))).rejects.toThrow(/agoge model convert \S*global_step_80/);
  });

  it('are told apart by their weights', async () => {
    const [a, b] = [await identifyPolicy(`run:${run}@step_20`), await identifyPolicy(`run:${run}@step_40`)];
    expect(a['weights']).toMatch(/^[0-9a-f]{16}$/);
    expect(a).not.toEqual(b);
    expect(await identifyPolicy(`run:${run}@best`)).toEqual(a);
  });

  it('are opened by the engine that is given', async () => {
    const opened: string[] = [];
    const openEngine = (model: string): Promise<ToyEngine> => Promise.resolve((opened.push(model), new ToyEngine()));
    await using policy = await openPolicy(`run:${run}@step_40`, { openEngine });
    expect(policy.id).toBe(`run:${run}@step_40`);
    expect(opened).toEqual([join(run, 'checkpoints', 'step_000040')]);
  });
});
