/** The built page as text: what `agoge view` serves and what a single-file report is made of. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AgogeError } from '../../core/error.ts';

export async function page(): Promise<string> {
  // From src/ during tests and from dist/ in the package: the page is built into dist/web either way.
  for (const place of ['../../web/index.html', '../../../dist/web/index.html']) {
    try {
      return await readFile(new URL(place, import.meta.url), 'utf8');
    } catch {
      continue;
    }
  }
  throw new AgogeError('REPORT_NO_PAGE', 'the dashboard is not built: run `npm run build` in the clone');
}

/** Only the page's own inline script may run: recorded text can never become one. */
export function contentPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script type="module"[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return `default-src 'none'; script-src ${scripts.join(' ')}; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}
