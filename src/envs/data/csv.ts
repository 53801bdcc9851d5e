/** Records out of CSV (RFC 4180): quoted fields with commas, line breaks and doubled quotes, a header in the first line. */

export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...lines] = records(text.replace(/^\ufeff/, ''));
  if (!header) return [];
  return lines.map((cells) => Object.fromEntries(header.map((name, i) => [name.trim(), cells[i] ?? ''])));
}

function records(text: string): string[][] {
  const found: string[][] = [];
  let record: string[] = [];
  // A field in quotes, or one without; then what ends it.
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
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
