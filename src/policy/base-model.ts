/** Where the policies that ship lie: the same place seen from src/ and from dist/. */
import { fileURLToPath } from 'node:url';

/** Where the model that ships lies. */
export const baseModelFolder = fileURLToPath(new URL('../../models/base', import.meta.url));

/** Where the start for environments of one's own lies. */
export const readerModelFolder = fileURLToPath(new URL('../../models/reader', import.meta.url));
