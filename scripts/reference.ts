/** `npm run reference`: writes docs/reference from the code. A test holds the committed pages to what this gives. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './reference/pages.ts';
import { root } from './reference/source.ts';

const folder = join(root, 'docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, text] of await referencePages()) writeFileSync(join(folder, name), text);
