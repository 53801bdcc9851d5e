import { describe, expect, it } from 'vitest';
import { Declined, Inputs, PythonError } from '../core/kit.ts';
import { str, type Value } from '../../../core/python/values.ts';
import { archiveOf, collaborators, type Archive, type Paper } from './archive.ts';
import { AcademiaBox } from './tools.ts';

const paper = (title: string, authors: readonly string[], cites: readonly string[]): Paper => ({
  title,
  authors,
  year: 2015,
  venue: 'Annals of Retrieval',
  citations: 4,
  keywords: ['graphs'],
  type: 'Journal',
  cites,
});
const [first, second] = [paper('One', ['Ada', 'Bo'], []), paper('Two', ['Bo', 'Cy'], ['One'])];
const archive: Archive = {
  papers: new Map([
    ['One', first],
    ['Two', second],
  ]),
  authors: new Map([
    ['Ada', 'Dunmere College'],
    ['Bo', 'Kestrel Research'],
    ['Cy', 'Kestrel Research'],
    ['Di', 'Kestrel Research'],
  ]),
  works: new Map([
    ['Ada', [first]],
    ['Bo', [first, second]],
    ['Cy', [second]],
    ['Di', []],
  ]),
};

function open(...graphs: readonly string[]): (tool: string, input?: Value) => string {
  const box = new AcademiaBox(archive);
  for (const graph of graphs) box.call(`load${graph}`, new Inputs({}));
  return (tool, input = {}) => {
    try {
      return str(box.call(tool, new Inputs(input)));
    } catch (error) {
      if (error instanceof PythonError || error instanceof Declined) return error.message;
      throw error;
    }
  };
}

describe('a graph', () => {
  it('must be loaded before it is asked, each for itself', () => {
    const say = open('PaperNet');
    expect(open()('loadAuthorNet')).toBe('AuthorNet is loaded.');
    expect(say('paperNodeCheck', { node: 'One' })).toContain("'year': 2015");
    expect(say('authorNodeCheck', { node: 'Ada' })).toBe('Please load the AuthorNet first.');
    expect(say('authorEdgeCheck', { node1: 'Ada', node2: 'Bo' })).toBe('Please load the AuthorNet first.');
    expect(open()('paperEdgeCheck', { node1: 'One', node2: 'Two' })).toBe('Please load the PaperNet first.');
  });
  it('of another name is the original’s slip', () => {
    expect(open()('neighbourCheck', { graph: 'VenueNet', node: 'One' })).toContain('UnboundLocalError');
  });
});

describe('answers', () => {
  const say = open('PaperNet', 'AuthorNet');
  it.each<[string, Value, string]>([
    ['neighbourCheck', { graph: 'PaperNet', node: 'Two' }, "['One']"],
    ['neighbourCheck', { graph: 'PaperNet', node: 'One' }, '[]'],
    ['neighbourCheck', { graph: 'AuthorNet', node: 'Bo' }, "['Ada', 'Cy']"],
    ['neighbourCheck', { graph: 'AuthorNet', node: 'Di' }, '[]'],
    ['neighbourCheck', { graph: 'AuthorNet', node: 'One' }, 'There is no node named One in the AuthorNet.'],
    [
      'paperNodeCheck',
      { node: 'Two' },
      "{'authors': ['Bo', 'Cy'], 'year': 2015, 'venue': 'Annals of Retrieval', 'n_citation': 4, 'keywords': ['graphs'], 'doc_type': 'Journal'}",
    ],
    ['paperNodeCheck', { node: 'two' }, 'There is no node named two in the PaperNet.'],
    ['paperNodeCheck', {}, "'node'"],
    ['authorNodeCheck', { node: 'Ada' }, "{'name': 'Ada', 'org': 'Dunmere College'}"],
    ['authorEdgeCheck', { node1: 'Ada', node2: 'Bo' }, "{'collaborative_papers': ['One']}"],
    ['authorEdgeCheck', { node1: 'Bo', node2: 'Ada' }, "{'collaborative_papers': ['One']}"],
    ['authorEdgeCheck', { node1: 'Ada', node2: 'Cy' }, 'There is no edge between Ada and Cy.'],
    ['authorEdgeCheck', { node1: 'Bo', node2: 'Bo' }, 'There is no edge between Bo and Bo.'],
    ['authorEdgeCheck', { node1: 'Ada', node2: 'Eve' }, 'There is no node named Eve in the AuthorNet.'],
    ['paperEdgeCheck', { node1: 'Two', node2: 'One' }, '{}'],
    // A citation has a direction.
    ['paperEdgeCheck', { node1: 'One', node2: 'Two' }, 'There is no edge between One and Two.'],
    ['paperNodeCheck', { node: '__proto__' }, 'There is no node named __proto__ in the PaperNet.'],
  ])('%s %j', (tool, input, answer) => expect(say(tool, input)).toBe(answer));
});

describe.each(['train', 'validation', 'test'] as const)('the archive for %s', (side) => {
  const made = archiveOf(0, side);
  it('cites papers that are there and are not younger', () => {
    for (const { title, cites, year } of made.papers.values())
      for (const cited of cites) {
        expect(cited).not.toBe(title);
        expect(made.papers.get(cited)?.year).toBeLessThanOrEqual(year);
      }
  });
  it('has authors who work somewhere, and collaborators who say the same of each other', () => {
    for (const { authors } of made.papers.values()) for (const author of authors) expect(made.authors.get(author)).toBeTruthy();
    for (const author of made.authors.keys()) {
      const others = collaborators(made, author);
      expect(others).not.toContain(author);
      for (const other of others) expect(collaborators(made, other)).toContain(author);
    }
  });
  it('is made once and always the same', () => {
    expect(archiveOf(0, side)).toBe(made);
    expect([...archiveOf(1, side).papers.keys()]).not.toEqual([...made.papers.keys()]);
  });
});

it('no paper stands in two archives', () => {
  const titles = (['train', 'validation', 'test'] as const).flatMap((side) => [...archiveOf(0, side).papers.keys()]);
  expect(new Set(titles).size).toBe(titles.length);
});
