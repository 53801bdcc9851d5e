import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from './csv.ts';

describe('CSV', () => {
  it.each<[string, string, Record<string, string>[]]>([
    [
      'plain',
      'a,b\n1,2\n3,4\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['without a last line end', 'a,b\n1,2', [{ a: '1', b: '2' }]],
    ['Windows', 'a,b\r\n1,2\r\n', [{ a: '1', b: '2' }]],
    ['old Macs', 'a,b\r1,2\r', [{ a: '1', b: '2' }]],
    ['a byte order mark', '\ufeffa,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['commas, quotes and line breaks in quotes', 'a,b\n"1, 2","say ""hi""\nthere"\n', [{ a: '1, 2', b: 'say "hi"\nthere' }]],
    [
      'empty fields',
      'a,b,c\n,,\n1,,3\n',
      [
        { a: '', b: '', c: '' },
        { a: '1', b: '', c: '3' },
      ],
    ],
    ['an empty field in quotes', 'a,b\n"",2\n', [{ a: '', b: '2' }]],
    ['a field left out at the end', 'a,b\n1\n', [{ a: '1', b: '' }]],
    ['blank lines', 'a,b\n\n1,2\n\n', [{ a: '1', b: '2' }]],
    ['blanks around names', ' a , b \n1,2\n', [{ a: '1', b: '2' }]],
    ['blanks in fields stay', 'a\n x \n', [{ a: ' x ' }]],
    ['one column', 'a\n1\n2\n', [{ a: '1' }, { a: '2' }]],
    ['a header alone', 'a,b\n', []],
    ['nothing', '', []],
  ])('%s', (_, text, want) => expect(parseCsv(text)).toEqual(want));

  it.each<[string, string, RegExp]>([
    [
      'a comma without quotes',
      'question,answer\nWhat is 1,000 + 1?,1001\n',
      /row 1 has 3 fields, the header 2: put texts with commas in quotes/,
    ],
    ['two columns of one name', 'a,b,a\n1,2,3\n', /two columns are called "a"/],
    ['a quote that is not closed', 'a,b\n"1,2\n', /quote is not closed/],
    ['a quote in the middle', 'a,b\n5" pipe,2\n', /quote is not closed/],
    ['text behind a quote', 'a,b\n"1"x,2\n', /quote is not closed/],
  ])('%s is an error', (_, text, message) => expect(() => parseCsv(text)).toThrow(message));

  it('a field of several megabytes is read', () => {
    const long = 'x""'.repeat(1_000_000);
    expect(parseCsv(`a,b\n"${long}",1\n`)[0]?.['a']).toHaveLength(2_000_000);
  });

  it('whatever is written with quotes comes back', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'ß'), maxLength: 8 });
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(table, (rows) => {
        const quoted = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
        expect(parseCsv(`x,y\n${quoted.join('\n')}\n`)).toEqual(rows.map(([x, y]) => ({ x, y })));
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});
