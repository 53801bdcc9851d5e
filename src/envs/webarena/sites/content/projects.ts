/** The repository host's projects with their files, commits, issues, merge requests and members. */
import { Random } from '../../../../core/random/random.ts';
import { people } from './people.ts';
import { date } from './products.ts';

export interface Project {
  readonly owner: string;
  readonly name: string;
  readonly line: string;
  readonly language: string;
  readonly stars: number;
  readonly forks: number;
  readonly licence: string;
  readonly readme: readonly string[];
  readonly files: readonly string[];
  readonly members: readonly Member[];
  readonly commits: readonly Commit[];
}

export const roles = ['Owner', 'Maintainer', 'Developer', 'Reporter', 'Guest'] as const;
export type Role = (typeof roles)[number];

export interface Member {
  readonly user: string;
  readonly role: Role;
}

export interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  readonly date: string;
}

export interface Issue {
  readonly project: string;
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly assignee: string;
  readonly labels: readonly string[];
  readonly open: boolean;
  readonly date: string;
}

export interface MergeRequest {
  readonly project: string;
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly branch: string;
  readonly state: 'open' | 'merged' | 'closed';
  readonly date: string;
}

export const labels = ['bug', 'feature', 'docs', 'question', 'help wanted'] as const;

const rows = `
maren|tide-tables|High and low water for any harbour, in one small library.|TypeScript|MIT
maren|hive-log|A notebook for beekeepers: hives, weights, weather.|Python|Apache-2.0
felix|pebble|A tiny language that compiles to WebAssembly.|Rust|MIT
felix|crumb|Recipes as plain text, scaled and shopped for.|Go|MIT
caleb|fogbank|Finds the sharpest frame of a series.|Python|BSD-3-Clause
priya|old-maps|Tiles of historic charts with a time slider.|TypeScript|Apache-2.0
tobias|spoke|Wheel building calculator for the workshop.|JavaScript|MIT
lena|lamp-schedule|Light signals of the lighthouse, as a library.|C|GPL-3.0
hugo|quiz-night|Questions, teams and a scoreboard for the Anchor.|Ruby|MIT
emil|birdcount|Tallies of the winter count, with charts.|R|GPL-3.0
`;

const issueRows = `
tide-tables|Low water is an hour late after the clock change|bug
tide-tables|Support harbours in the southern hemisphere|feature
tide-tables|Explain the harmonic constants in the README|docs
tide-tables|Export a month as a calendar file|feature
tide-tables|Negative heights are printed without a sign|bug
tide-tables|Which datum do the heights refer to?|question
hive-log|Weights are lost when the phone sleeps|bug
hive-log|Add a field for the queen's year|feature
hive-log|Import from a spreadsheet|help wanted
hive-log|Dark colours for night inspections|feature
pebble|Nested closures capture the wrong variable|bug
pebble|Tail calls in mutual recursion|feature
pebble|Document the memory layout of strings|docs
pebble|Error messages without a line number|bug
pebble|Is there a debugger?|question
crumb|Fractions are rounded to nothing|bug
crumb|Metric and imperial in one recipe|feature
crumb|Shopping list forgets the salt|bug
crumb|Translate the manual into German|help wanted
fogbank|Crash on images with odd width|bug
fogbank|Rank by contrast as well as sharpness|feature
fogbank|Add an example with raw files|docs
old-maps|Tiles are shifted by half a degree in the north|bug
old-maps|Let me compare two years side by side|feature
old-maps|Scans of the 1874 survey wanted|help wanted
old-maps|How large is the whole archive?|question
spoke|Wrong spoke length for radial lacing|bug
spoke|Save a wheel as a file|feature
spoke|Add rims from the spring catalogue|help wanted
lamp-schedule|Signal repeats one flash too early|bug
lamp-schedule|Bindings for other languages|feature
lamp-schedule|Describe the sector colours|docs
quiz-night|Scores vanish when a team is renamed|bug
quiz-night|A timer for the music round|feature
quiz-night|Questions about fish are too hard|question
birdcount|Chart labels overlap|bug
birdcount|Read tallies from a photo|feature
birdcount|Which species list is used?|question
`;

const mergeRows = `
tide-tables|Fix the hour after the clock change|open
tide-tables|Add the harbour of Sandwick|merged
tide-tables|Faster series evaluation|open
hive-log|Keep weights on disk at once|open
hive-log|Queen's year in the form|merged
pebble|Give every error a line number|open
pebble|Inline small functions|closed
pebble|String layout, with pictures|merged
crumb|Exact fractions|open
crumb|German manual, first half|merged
fogbank|Pad images with odd width|merged
old-maps|Correct the northern tiles|open
old-maps|Slider with two handles|closed
spoke|Radial lacing|open
lamp-schedule|One flash less|merged
quiz-night|Teams keep their score|open
birdcount|Rotate chart labels|merged
`;

const work = [
  'Fix a typo in the README',
  'Add a test for the empty case',
  'Update dependencies',
  'Explain the new option',
  'Make the parser faster',
  'Remove dead code',
  'Release notes',
  'Handle missing files',
  'Rename a confusing function',
  'Use the shared settings',
];

const sources: Readonly<Record<string, string>> = {
  TypeScript: 'src/entry/index.ts',
  Python: 'main.py',
  Rust: 'src/main.rs',
  Go: 'main.go',
  JavaScript: 'index.js',
  C: 'lamp.c',
  Ruby: 'quiz.rb',
  R: 'count.R',
};

export const projects: readonly Project[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [owner = '', name = '', line = '', language = '', licence = ''] = row.split('|');
    const random = Random.of(21, 'project', name);
    const others = random.shuffle(people.filter(({ id }) => id !== owner)).slice(0, random.between(3, 6));
    const members: Member[] = [
      { user: owner, role: 'Owner' },
      ...others.map(({ id }) => ({ user: id, role: random.pick(roles.slice(1)) })),
    ];
    const commits = random.shuffle(work).map((message, at) => ({
      hash: random.uint32().toString(16).padStart(8, '0'),
      author: random.pick(members.slice(0, 4)).user,
      message,
      date: date(at * random.between(2, 5) + at),
    }));
    return {
      owner,
      name,
      line,
      language,
      licence,
      stars: random.between(3, 240),
      forks: random.between(0, 40),
      readme: [line, `Written in ${language}. Issues and merge requests are welcome, small ones most of all.`],
      files: ['docs', 'tests', sources[language] ?? 'main', 'LICENSE', 'README.md'],
      members,
      commits,
    };
  });

export const projectPath = ({ owner, name }: { readonly owner: string; readonly name: string }): string => `${owner}/${name}`;

function home(name: string): Project {
  const found = projects.find((project) => project.name === name);
  if (!found) throw new RangeError(`there is no project ${name}`);
  return found;
}

export const issues: readonly Issue[] = issueRows
  .trim()
  .split('\n')
  .map((row, at, all) => {
    const [name = '', title = '', label = ''] = row.split('|');
    const project = home(name);
    const random = Random.of(21, 'issue', at);
    return {
      project: projectPath(project),
      number: at - all.findIndex((other) => other.startsWith(`${name}|`)) + 1,
      title,
      text: random.pick([
        'It happens on every machine that I have tried.',
        'I could work on this if somebody shows me where to begin.',
        'Found by a user on the forum, see the thread there.',
        'A small example is enough to see it.',
        'This would make my week.',
      ]),
      author: random.pick(people).id,
      assignee: random.below(3) === 0 ? '' : random.pick(project.members).user,
      labels: random.below(4) === 0 ? [label, 'help wanted'].filter((one, n, list) => list.indexOf(one) === n) : [label],
      open: random.below(3) > 0,
      date: date(random.between(1, 150)),
    };
  });

export const mergeRequests: readonly MergeRequest[] = mergeRows
  .trim()
  .split('\n')
  .map((row, at, all) => {
    const [name = '', title = '', state = 'open'] = row.split('|');
    const project = home(name);
    const random = Random.of(21, 'merge', at);
    return {
      project: projectPath(project),
      number: at - all.findIndex((other) => other.startsWith(`${name}|`)) + 1,
      title,
      author: random.pick(project.members).user,
      branch: title
        .toLowerCase()
        .replace(/[^a-z]+/g, '-')
        .slice(0, 24)
        .replace(/-$/, ''),
      state: state === 'merged' || state === 'closed' ? state : 'open',
      date: date(random.between(1, 90)),
    };
  });
