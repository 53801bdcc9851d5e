/** What `agoge data` opens: environments by name, and a tokenizer to count with. */
import { AgogeError } from '../../../core/error.ts';
import type { LoadEnvironment } from '../../../data/play/replay.ts';
import type { Environment } from '../../../envs/environment.ts';
import { openOwn } from '../../options/own-environments.ts';
import { givenSettings, type SettingOptions } from '../../options/settings.ts';

interface KnownEnvironments {
  readonly load: LoadEnvironment;
  readonly names: readonly string[];
  /** An environment that opens without files of its own, or undefined. */
  instructions(name: string): Promise<Environment | undefined>;
  /** For a file: the category of its items, where they are known here. */
  categories(): (file: string) => Promise<(itemId: string) => string | undefined>;
}

/** Environments by name and settings, each loaded once; `own` are files and packages. `--set` wins over what a recording asks for. */
export async function environments(given: SettingOptions, own: readonly string[] = []): Promise<KnownEnvironments> {
  await import('../../../envs/builtin.ts');
  const { environmentEntries, loadEnvironment } = await import('../../../envs/registry.ts');
  const opened = new Map((await Promise.all(own.map(openOwn))).map((environment) => [environment.name, environment]));
  const names = [...opened.keys(), ...environmentEntries().map(({ name }) => name)];
  const settings = await givenSettings(given, names);
  const loaded = new Map<string, Promise<Environment>>();
  const load: LoadEnvironment = async (name, asked = {}) => {
    const mine = opened.get(name);
    if (mine) return mine;
    const all = { ...asked, ...settings.get(name) };
    const key = `${name} ${JSON.stringify(all)}`;
    const known = loaded.get(key) ?? loadEnvironment(name, all);
    loaded.set(key, known);
    return known;
  };
  const instructions = (name: string): Promise<Environment | undefined> => load(name).catch(() => undefined);
  return {
    load,
    names,
    instructions,
    categories: () => async () => {
      const [{ taskOfItem }, { parseItemId }] = await Promise.all([
        import('../../../agent/items.ts'),
        import('../../../data/tasks/items.ts'),
      ]);
      const ready = new Map<string, Environment>();
      for (const name of ['textcraft', 'babyai']) {
        const environment = names.includes(name) ? await instructions(name) : undefined;
        if (environment) ready.set(name, environment);
      }
      return (itemId) => {
        const environment = ready.get(parseItemId(itemId).env);
        if (!environment) return undefined;
        try {
          const { split, index } = taskOfItem(environment, itemId);
          return environment.tasks(split).info(index).category;
        } catch {
          return undefined;
        }
      };
    },
  };
}

export interface TokenCounter extends AsyncDisposable {
  readonly count: ((text: string) => number) | undefined;
}

/** Counts in tokens of a policy; counts nothing where none is named. */
export async function tokenCounter(policy: string | undefined): Promise<TokenCounter> {
  if (policy === undefined) return { count: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { openPolicy } = await import('../../../agent/open-policy.ts');
  const opened = await openPolicy(policy);
  const tokenizer = opened.renderer?.tokenizer;
  if (!tokenizer) {
    await opened[Symbol.asyncDispose]();
    throw new AgogeError('CLI_USAGE_POLICY', `${policy} has no tokenizer to count with: name base, run:<dir> or hf:<folder>`);
  }
  return { count: (text) => tokenizer.encode(text).length, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}
