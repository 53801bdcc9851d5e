/** Questions about papers and authors, from two calls to a dozen. */
import type { Random } from '../../../core/random/random.ts';
import type { Question, Side, Use } from '../core/kit.ts';
import { isList, type Value } from '../../../core/python/values.ts';
import { highest, numberOf, row, textOf, type Row } from '../core/read.ts';
import { collaborators, archiveOf } from './archive.ts';
import { AcademiaBox } from './tools.ts';

interface Draft {
  readonly category: string;
  readonly goal: string;
  readonly solve: (use: Use) => Value | undefined;
}

interface Drawn {
  readonly random: Random;
  readonly paper: string;
  readonly other: string;
  readonly author: string;
  readonly friend: string;
}

const asNumber = 'Please give me a numerical value as an answer.';
const asAuthors = "Please answer in the form of a list ['author1', 'author2', ...].";

export function askAcademia(seed: number, side: Side, random: Random): Question {
  const archive = archiveOf(seed, side);
  const [paper = '', other = ''] = random.shuffle([...archive.papers.keys()]);
  const author = random.pick([...archive.authors.keys()].filter((name) => collaborators(archive, name).length > 0));
  const friend = random.pick(collaborators(archive, author));
  const draft = random.pick(drafts)({ random, paper, other, author, friend });
  return { ...draft, open: () => new AcademiaBox(archive) };
}

const drafts: readonly ((drawn: Drawn) => Draft)[] = [
  ({ paper }) => ({
    category: 'authors',
    goal: `Who wrote the paper titled '${paper}'? ${asAuthors}`,
    solve: (use) => list(details(use, paper)['authors']),
  }),
  ({ random, paper }) => {
    const [field, asked] = random.pick([
      ['year', 'In which year was the paper published'],
      ['n_citation', 'How many citations does the paper have'],
    ] as const);
    return {
      category: field === 'year' ? 'year' : 'citations',
      goal: `${asked} that is titled '${paper}'? ${asNumber}`,
      solve: (use) => numberOf(details(use, paper), field),
    };
  },
  ({ paper }) => ({
    category: 'venue',
    goal: `In which venue was '${paper}' published? Please answer with its name as a string.`,
    solve: (use) => textOf(details(use, paper), 'venue'),
  }),
  ({ author }) => ({
    category: 'organization',
    goal: `Which organization is ${author} affiliated with? Please answer with its name as a string.`,
    solve: (use) => organisation(use, author),
  }),
  ({ paper, other }) => ({
    category: 'more cited',
    goal: `Which paper has received more citations: '${paper}' or '${other}'?`,
    solve(use) {
      use('loadPaperNet');
      return highest([paper, other], (title) => numberOf(paperNode(use, title), 'n_citation'));
    },
  }),
  ({ paper, other }) => ({
    category: 'earlier',
    goal: `Which paper was published first: '${paper}' or '${other}'?`,
    solve(use) {
      use('loadPaperNet');
      return highest([paper, other], (title) => -numberOf(paperNode(use, title), 'year'));
    },
  }),
  ({ author, friend }) => ({
    category: 'mutual collaborators',
    goal: `How many mutual collaborators do ${author} and ${friend} share? ${asNumber}`,
    solve(use) {
      use('loadAuthorNet');
      const [mine, theirs] = [author, friend].map((name) => neighbours(use, 'AuthorNet', name));
      return (mine ?? []).filter((name) => theirs?.includes(name)).length;
    },
  }),
  ({ author, friend }) => ({
    category: 'joint papers',
    goal: `Which papers did ${author} and ${friend} write together? Please answer in the form of a list ['paper1', 'paper2', ...].`,
    solve(use) {
      use('loadAuthorNet');
      return list(row(use('authorEdgeCheck', { node1: author, node2: friend }))['collaborative_papers']);
    },
  }),
  ({ author, friend }) => ({
    category: 'joint citations',
    goal: `How many citations do the papers co-authored by ${author} and ${friend} have in total? ${asNumber}`,
    solve(use) {
      use('loadAuthorNet');
      use('loadPaperNet');
      const joint = list(row(use('authorEdgeCheck', { node1: author, node2: friend }))['collaborative_papers']);
      return joint.reduce((sum, title) => sum + numberOf(paperNode(use, title), 'n_citation'), 0);
    },
  }),
  ({ paper }) => ({
    category: 'most cited reference',
    goal: `Which of the papers that '${paper}' cites has the most citations? Please answer with its title as a string.`,
    solve(use) {
      use('loadPaperNet');
      const cited = neighbours(use, 'PaperNet', paper);
      return cited.length < 2 ? undefined : highest(cited, (title) => numberOf(paperNode(use, title), 'n_citation'));
    },
  }),
  ({ author }) => ({
    category: 'closest collaborator',
    goal: `Who has written the most papers together with ${author}? Please answer with the name as a string.`,
    solve(use) {
      use('loadAuthorNet');
      const others = neighbours(use, 'AuthorNet', author);
      if (others.length < 2 || others.length > 8) return undefined;
      return highest(
        others,
        (name) => list(row(use('authorEdgeCheck', { node1: author, node2: name }))['collaborative_papers']).length,
      );
    },
  }),
  ({ author }) => ({
    category: 'same organization',
    goal: `Who are the collaborators of ${author} from the same organization? ${asAuthors}`,
    solve(use) {
      const home = organisation(use, author);
      const others = neighbours(use, 'AuthorNet', author);
      if (others.length > 8) return undefined;
      const same = others.filter((name) => textOf(row(use('authorNodeCheck', { node: name })), 'org') === home);
      return same.length > 0 ? same : undefined;
    },
  }),
];

function details(use: Use, title: string): Row {
  use('loadPaperNet');
  return paperNode(use, title);
}

function paperNode(use: Use, title: string): Row {
  return row(use('paperNodeCheck', { node: title }));
}

function organisation(use: Use, author: string): string {
  use('loadAuthorNet');
  return textOf(row(use('authorNodeCheck', { node: author })), 'org');
}

function neighbours(use: Use, graph: string, node: string): readonly string[] {
  return list(use('neighbourCheck', { graph, node }));
}

function list(value: Value | undefined): readonly string[] {
  return isList(value) ? value.map(String) : [];
}
