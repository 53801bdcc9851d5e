/** The tools over papers and authors: names and answers as in AgentGym; its graph of DBLP is not in its repository, ours is invented. */
import { checkTool, Declined, finishTool, tool, type Inputs, type Toolbox, type ToolForm } from '../core/kit.ts';
import { str, type Value } from '../../../core/python/values.ts';
import { collaborators, type Archive } from './archive.ts';

const nodes = { node1: 'the first node', node2: 'the second node' };

export const academiaTools: readonly ToolForm[] = [
  tool('loadPaperNet', 'Load PaperNet: papers, and which cites which.'),
  tool('loadAuthorNet', 'Load AuthorNet: authors, and who has written with whom.'),
  tool('neighbourCheck', 'The papers that a paper cites (PaperNet), or the collaborators of an author (AuthorNet).', {
    graph: '"PaperNet" or "AuthorNet"',
    node: 'title of the paper or name of the author',
  }),
  tool('paperNodeCheck', 'Authors, year, venue, number of citations, keywords and type of a paper.', {
    node: 'title of the paper',
  }),
  tool('authorNodeCheck', 'Name and organization of an author.', { node: 'name of the author' }),
  tool('authorEdgeCheck', 'The papers that two authors wrote together.', nodes),
  tool('paperEdgeCheck', 'What is known of a citation between two papers.', nodes),
  checkTool,
  finishTool,
];

export class AcademiaBox implements Toolbox {
  private readonly loaded = new Set<string>();

  constructor(private readonly archive: Archive) {}

  call(name: string, input: Inputs): Value {
    const { papers, authors } = this.archive;
    switch (name) {
      case 'loadPaperNet':
      case 'loadAuthorNet': {
        const graph = name.slice('load'.length);
        this.loaded.add(graph);
        return `${graph} is loaded.`;
      }
      case 'neighbourCheck': {
        const graph = str(input.get('graph'));
        const node = str(input.get('node'));
        if (graph !== 'PaperNet' && graph !== 'AuthorNet')
          throw new Declined(
            "UnboundLocalError(cannot access local variable 'dictionary' where it is not associated with a value)",
          );
        this.check(graph, node);
        return graph === 'PaperNet' ? [...(papers.get(node)?.cites ?? [])] : [...collaborators(this.archive, node)];
      }
      case 'paperNodeCheck': {
        const node = str(input.get('node'));
        this.check('PaperNet', node);
        const paper = papers.get(node);
        if (!paper) return null;
        const { authors: team, year, venue, citations, keywords, type } = paper;
        return { authors: [...team], year, venue, n_citation: citations, keywords: [...keywords], doc_type: type };
      }
      case 'authorNodeCheck': {
        const node = str(input.get('node'));
        this.check('AuthorNet', node);
        return { name: node, org: authors.get(node) ?? '' };
      }
      case 'authorEdgeCheck': {
        const [one, two] = this.pair('AuthorNet', input);
        const both = (this.archive.works.get(one) ?? []).filter((paper) => paper.authors.includes(two));
        if (one === two || both.length === 0) throw new Declined(`There is no edge between ${one} and ${two}.`);
        return { collaborative_papers: both.map(({ title }) => title) };
      }
      case 'paperEdgeCheck': {
        const [one, two] = this.pair('PaperNet', input);
        if (!papers.get(one)?.cites.includes(two)) throw new Declined(`There is no edge between ${one} and ${two}.`);
        return {};
      }
      default:
        return null;
    }
  }

  private pair(graph: string, input: Inputs): readonly [string, string] {
    const [one, two] = [str(input.get('node1')), str(input.get('node2'))];
    this.check(graph, one);
    this.check(graph, two);
    return [one, two];
  }

  private check(graph: string, node: string): void {
    if (!this.loaded.has(graph)) throw new Declined(`Please load the ${graph} first.`);
    const known: ReadonlyMap<string, unknown> = graph === 'PaperNet' ? this.archive.papers : this.archive.authors;
    if (!known.has(node)) throw new Declined(`There is no node named ${node} in the ${graph}.`);
  }
}
