/** `urllib.parse.urlparse` and `parse_qs` as the evaluators need them: they take any text and know no base address. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

export function splitUrl(text: string): UrlParts {
  // As urllib does: no blanks or controls in front, no tabs or line breaks anywhere.
  // eslint-disable-next-line no-control-regex -- these are what it is about
  let rest = text.replace(/^[\x00-\x20]+/, '').replace(/[\t\r\n]/g, '');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(rest)?.[1] ?? '';
  if (scheme !== '') rest = rest.slice(scheme.length + 1);
  let host = '';
  if (rest.startsWith('//')) {
    const end = rest.slice(2).search(/[/?#]/);
    host = end < 0 ? rest.slice(2) : rest.slice(2, 2 + end);
    rest = end < 0 ? '' : rest.slice(2 + end);
  }
  const hash = rest.indexOf('#');
  if (hash >= 0) rest = rest.slice(0, hash);
  const mark = rest.indexOf('?');
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  let path = mark < 0 ? rest : rest.slice(0, mark);
  // Parameters of the last part of the path are split off (`/a;v=1`) for the schemes that have them.
  const last = path.lastIndexOf('/');
  const semicolon = path.indexOf(';', Math.max(last, 0));
  if (semicolon >= 0 && WITH_PARAMETERS.has(scheme.toLowerCase())) path = path.slice(0, semicolon);
  return { scheme: scheme.toLowerCase(), host, path, query };
}

const WITH_PARAMETERS = new Set([
  '',
  'ftp',
  'hdl',
  'prospero',
  'http',
  'https',
  'shttp',
  'rtsp',
  'rtsps',
  'rtspu',
  'sip',
  'sips',
  'mms',
  'sftp',
  'tel',
]);

/** Keys with their values; keys without a value are left out. */
export function parseQuery(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || equals === pair.length - 1) continue;
    const key = unquote(pair.slice(0, equals));
    const value = unquote(pair.slice(equals + 1));
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values;
}

/** `unquote` with `+` as a blank; what is not UTF-8 becomes the replacement character. */
function unquote(text: string): string {
  const plain = text.replaceAll('+', ' ');
  return plain.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (byte) => Number.parseInt(byte, 16));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  });
}
