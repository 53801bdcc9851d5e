/**
 * A command of a page on small settings: the same command with fewer tasks, steps and tokens, with the addresses of the test's own
 * servers and values for its placeholders. Later options and overrides win, so they are added behind what the page says.
 */
import type { Request } from './session.ts';

export interface Places {
  /** A served shop and crafting world, and a chat endpoint that answers. */
  readonly gym: string;
  readonly endpoint: string;
}

export interface Small extends Request {
  /** What a player types. */
  readonly input?: string;
}

/** Why a command is not done by this test. What belongs to other programs is left alone; of our own, the words are still read. */
const notDone: readonly [RegExp, string][] = [
  [/^(npm|git clone|pip) /, 'installs, or is the test itself'],
  [/^(tail -f|tensorboard|wandb|swanlab) /, 'another program'],
  [/^(podman|buildah|docker|curl) /, 'another program'],
  [
    /^inspect eval |^PYTHONPATH=adapters\/verifiers vf-eval /,
    'another program; tests/peers/harnesses/harnesses.test.ts plays the same adapters',
  ],
  [/^agoge bench /, 'a measurement'],
  [/^agoge gpu |--device cuda|device=cuda/, 'needs a card, or fetches the libraries for one'],
  [/ --chaos /, 'starts processes of its own; tests/runs/chaos.test.ts does it'],
  [/^agoge sweep /, 'starts a process for every run; tests/runs/train.test.ts does it'],
  [/^agoge study /, 'starts a process for every run; tests/runs/study.test.ts does it'],
  [/^agoge demo\b/, 'half a minute of processor time at least; tests/terminal/terminal.test.ts plays it'],
  [/hf:\S*Qwen|recipes\/textcraft-smollm2(?!.*policy=gguf:)/, 'needs a model from the hub'],
  [/http:\/\/(a|b|c|env-host):|my-model|textcraft-verl\/checkpoints/, 'needs other machines, or what they made'],
  [/engine\.sampler\./, 'needs a vLLM server; tests/servers/vllm.test.ts does it'],
  [
    /items_shuffle_1000|json_2\.1\.1|BIRD|wiki|test\.raw\.json|^agoge webarena (check|auto-login)/i,
    'needs the official files or sites',
  ],
];

export function reasonNotToDo(command: string): string | undefined {
  return notDone.find(([pattern]) => pattern.test(command))?.[1];
}

/** Placeholders of the pages. */
const meant: readonly [RegExp, string][] = [
  // A model that somebody else has made; the commands are the same for ours.
  [/gguf:(\S+\.gguf|…)/g, 'base'],
  [/--policy …|--policy <policy>/g, '--policy base'],
  [/--model (<policy>|…)/g, '--model base'],
  [/openai:[\w.-]+(@http\S+)?/g, 'openai:scripted@ENDPOINT'],
  [/@http:\/\/(127\.0\.0\.1|host|localhost):\d+(\/\w+)?(?!\/v1)/g, '@GYM'],
  [/\bcompare A B\b/, 'compare outputs/a outputs/b'],
  [/\bconvert F D\//, 'convert AgentGym-RL-Data/train/webshop_train.json D/'],
  [/--limit N\b/, '--limit 2'],
  [/(seed[ =])s\b/, '$11'],
  [/outputs\/eval-\*/, 'outputs/a outputs/b'],
  [/ …$/, ' --policy random'],
];

/** `agoge data sample` or `agoge eval --json` in the text names a command, or options of one, and runs nothing. */
const mentions =
  /^agoge ((train|sft|reward|sweep|study|eval|play|lint|data|serve|new|model convert)|data (sample|demonstrate|convert|split|dedupe|validate|inspect))( --[a-z-]+)*$/;

let runs = 0;

export function small(command: string, { gym, endpoint }: Places): Small {
  const env: Record<string, string> = {};
  let text = command.replace(/^([A-Z_]+)=(\S+) /, (_, name: string, value: string) => ((env[name] = value), ''));
  for (const [pattern, value] of meant) text = text.replace(pattern, value);
  text = text.replaceAll('@GYM', `@${gym}`).replaceAll('ENDPOINT', endpoint);
  const args = words(text).slice(1);
  const [name = '', sub = ''] = args;
  const unique = `docs-${++runs}`;
  if (args.includes('--help') || reasonNotToDo(command) !== undefined) return { args, env, kind: 'parse' };
  if (mentions.test(command)) return { args, env, kind: 'name' };
  switch (name) {
    case 'eval': {
      if (args.includes('--judge')) return { args, env, kind: 'parse' };
      const fromFile = args.some((word) => /\.(parquet|jsonl?)$/.test(word));
      const few = fromFile ? ['--limit', '1'] : ['--tasks', '0'];
      const short = ['--samples', '1', '--seeds', '1', '--max-turns', '2', '--max-tokens', '4'];
      return { env, kind: 'run', args: [...args, ...few, ...short, '--no-view', '-o', `outputs/${unique}`] };
    }
    case 'train':
    case 'sft': {
      if (args.includes('--resume') || args.includes('--dry-run')) return { env, kind: 'run', args: [...args, '--no-view'] };
      // A recipe of the reader's own, in the folder where he is, is gone on with by its name.
      const own = !sub.includes('/');
      return { env, kind: 'run', args: [...args, ...tiny(name, text), ...(own ? [] : [`run=${unique}`]), '--no-view'] };
    }
    case 'reward': {
      const few = ['policy=base', 'engine.threads=1', 'steps=1', 'batch_pairs=2', 'validate.pairs=2'];
      return { env, kind: 'run', args: [...args, ...few, `run=${unique}`, '--no-view'] };
    }
    case 'lint':
      return { env, kind: 'run', args: [...args, '--cases', '1', '--tasks', '1', '--steps', '100'] };
    case 'play':
      return { env, kind: 'run', args, input: ':quit\n' };
    case 'serve':
      // Servers of the background belong to a folder of the test's own and are stopped by the page's next command.
      env['XDG_STATE_HOME'] = 'state';
      if (args.includes('--background')) return { env, kind: 'run', args: withPort(args) };
      if (sub === 'status') return { env, kind: 'run', args };
      if (sub === 'stop') return { env, kind: 'run', args: ['serve', 'stop'] };
      return { env, kind: 'serve', args: withPort(args.includes('--processes') ? [...args, '--processes', '2'] : args) };
    case 'mcp':
      // Without a port it waits for messages on its standard input.
      return args.includes('--port') ? { env, kind: 'serve', args: withPort(args) } : { env, kind: 'parse', args };
    case 'doctor':
      return {
        env,
        kind: 'run',
        args: sub === '' || sub.startsWith('-') ? args : [...args, '--minutes', '0.005', '--threads', '1'],
      };
    case 'docs':
    case 'view':
      return args.includes('--out') || args.includes('--json')
        ? { env, kind: 'run', args }
        : { env, kind: 'serve', args: withPort(args) };
    case 'data': {
      const count = sub === 'sample' || sub === 'demonstrate' ? ['--count', '2'] : [];
      const out =
        [...args]
          .reverse()
          .find((word) => /\.\w+$/.test(word))
          ?.replace(/^.*\./, `${unique}.`) ?? unique;
      const samples = sub === 'sample' ? ['--samples', '1', '--turns', '2', '--max-tokens', '4', '--out', out] : [];
      const force = ['convert', 'sample', 'demonstrate', 'split', 'dedupe', 'validate', 'import'].includes(sub)
        ? ['--force']
        : [];
      return { env, kind: 'run', args: [...args, ...count, ...samples, ...force] };
    }
    default:
      return { env, kind: 'run', args };
  }
}

function tiny(name: string, text: string): string[] {
  const evaluation = [
    'evaluate.every=0',
    'evaluate.at_start=false',
    'evaluate.at_end=false',
    'checkpoint.every=0',
    'engine.threads=1',
  ];
  if (name === 'train')
    return [
      ...evaluation,
      'steps=1',
      'rollout.groups=1',
      'rollout.samples=2',
      'agent.max_turns=2',
      'agent.tokens_per_turn=4',
      'policy=base',
    ];
  const fresh = /recipes\/base\.yaml/.test(text)
    ? ['policy.fresh.preset=xxs', 'policy.fresh.tokenizer_samples=40', 'policy.fresh.vocabulary=400']
    : ['policy=base'];
  return [...evaluation, ...fresh, 'steps=1', 'batch_tokens=600'];
}

/** Any free port instead of the one that the page names. */
function withPort(args: readonly string[]): string[] {
  const at = args.indexOf('--port');
  const others = at < 0 ? [...args] : [...args.slice(0, at), ...args.slice(at + 2)];
  return [...others, '--port', '0'];
}

/** Words as a shell splits them: blanks outside quotes. */
export function words(text: string): string[] {
  return Array.from(text.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"])+/g), ([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
