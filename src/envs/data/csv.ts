/**
 * Records out of CSV (RFC 4180): quoted fields with commas, line breaks and doubled quotes, a header in the first line. A line with
 * more fields than the header is an error: a comma without quotes would move every field behind it.
 */

export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...lines] = records(text.replace(/^\ufeff/, ''));
  if (!header) return [];
  const names = header.map((name) => name.trim());
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new SyntaxError(`two columns are called ${JSON.stringify(twice)}`);
  return lines.map((cells, line) => {
    if (cells.length > names.length)
      throw new SyntaxError(
        `row ${line + 1} has ${cells.length} fields, the header ${names.length}: put texts with commas in quotes`,
      );
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
}

function records(text: string): string[][] {
  const found: string[][] = [];
  let record: string[] = [];
  // A field in quotes, or one without; then what ends it.
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new SyntaxError(`a quote is not closed after character ${at}`);
    const [, quoted, bare = '', end] = match;
    record.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ',') {
      if (field.lastIndex === text.length) record.push('');
      else continue;
    }
    if (record.length > 1 || record[0] !== '') found.push(record);
    record = [];
  }
  if (record.length > 0) found.push(record);
  return found;
}
