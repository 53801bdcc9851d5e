/** Invented papers with authors, venues and citations, from a seed. Every side has its own archive. */
import { Random } from '../../../core/random/random.ts';
import type { Side } from '../core/kit.ts';
import { drawNames } from '../core/names.ts';

export interface Paper {
  readonly title: string;
  readonly authors: readonly string[];
  readonly year: number;
  readonly venue: string;
  readonly citations: number;
  readonly keywords: readonly string[];
  readonly type: string;
  /** Titles of the papers it cites. */
  readonly cites: readonly string[];
}

export interface Archive {
  readonly papers: ReadonlyMap<string, Paper>;
  /** Authors and the organisations they work for. */
  readonly authors: ReadonlyMap<string, string>;
  /** Papers of each author. */
  readonly works: ReadonlyMap<string, readonly Paper[]>;
}

const PAPERS = 160;
const AUTHORS = 70;

const methods: Readonly<Record<Side, readonly string[]>> = {
  train: [
    'Sparse Attention',
    'Graph Diffusion',
    'Adaptive Sampling',
    'Latent Planning',
    'Contrastive Alignment',
    'Neural Scheduling',
    'Robust Pooling',
    'Hierarchical Memory',
  ],
  validation: ['Spectral Pruning', 'Causal Masking', 'Elastic Routing', 'Quantised Search', 'Bayesian Caching'],
  test: [
    'Gated Retrieval',
    'Tensor Folding',
    'Active Distillation',
    'Symbolic Rewriting',
    'Federated Ranking',
    'Stochastic Parsing',
  ],
};
const fields = [
  'Traffic Forecasting',
  'Protein Design',
  'Speech Recognition',
  'Legal Documents',
  'Robot Grasping',
  'Weather Models',
  'Code Review',
  'Medical Imaging',
  'Tabular Data',
  'Music Retrieval',
  'Crop Mapping',
  'Dialogue Agents',
  'Power Grids',
  'Map Matching',
  'Fraud Detection',
  'Video Search',
];
const shapes = [
  (method: string, field: string) => `${method} for ${field}`,
  (method: string, field: string) => `On ${method} in ${field}`,
  (method: string, field: string) => `${field} by ${method}: A Study`,
];
const venues = [
  ['Northern Conference on Learning', 'Conference'],
  ['Symposium on Data Systems', 'Conference'],
  ['Workshop on Small Models', 'Conference'],
  ['Journal of Applied Inference', 'Journal'],
  ['Transactions on Agents', 'Journal'],
  ['Annals of Retrieval', 'Journal'],
] as const;
const words = [
  'learning',
  'graphs',
  'sampling',
  'memory',
  'planning',
  'ranking',
  'vision',
  'language',
  'control',
  'privacy',
  'robustness',
  'search',
];
const places = [
  'University of Elmhaven',
  'Port Calder Institute',
  'Rosling Laboratory',
  'Dunmere College',
  'Kestrel Research',
  'Technical University of Falkenau',
  'Grimsvik Polytechnic',
];

const archives = new Map<string, Archive>();

/** The archive of a seed and a side, made once. */
export function archiveOf(seed: number, side: Side): Archive {
  const key = `${seed} ${side}`;
  const known = archives.get(key);
  if (known) return known;
  const made = makeArchive(Random.of(seed, 'papers', side), side);
  if (archives.size >= 12) archives.clear();
  archives.set(key, made);
  return made;
}

function makeArchive(random: Random, side: Side): Archive {
  const names = drawNames(random, AUTHORS);
  const authors = new Map(names.map((name) => [name, random.pick(places)]));
  const titles = methods[side].flatMap((method) => fields.flatMap((field) => shapes.map((shape) => shape(method, field))));
  const papers = new Map<string, Paper>();
  for (const title of random.shuffle(titles).slice(0, PAPERS)) {
    // Authors who stand near each other in the list work together.
    const first = random.below(names.length);
    const team = new Set(
      Array.from({ length: random.between(2, 4) }, () => names[(first + random.below(7)) % names.length] ?? ''),
    );
    const [venue, type] = random.pick(venues);
    const cites = random.shuffle([...papers.keys()]).slice(0, random.between(0, 5));
    papers.set(title, {
      title,
      authors: [...team],
      year: 2012 + Math.floor((papers.size * 12) / PAPERS),
      venue,
      citations: Math.floor(random.float() ** 2 * 120),
      keywords: random.shuffle(words).slice(0, random.between(2, 4)),
      type,
      cites,
    });
  }
  const works = new Map(names.map((name) => [name, [...papers.values()].filter((paper) => paper.authors.includes(name))]));
  return { papers, authors, works };
}

/** Who has written with an author, in the order of their papers. */
export function collaborators({ works }: Archive, author: string): readonly string[] {
  const others = new Set((works.get(author) ?? []).flatMap((paper) => paper.authors));
  others.delete(author);
  return [...others];
}
