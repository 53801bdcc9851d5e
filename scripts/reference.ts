/** `npm run reference`: writes docs/reference from the code. A test holds the committed pages to what this gives. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referencePages } from './reference/pages.ts';
import { root } from './reference/source.ts';

const folder = join(root, 'docs/reference');
for (const [name, text] of await referencePages()) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
