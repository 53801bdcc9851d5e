/** Where the base policy that ships lies: the same place seen from src/ and from dist/. */
import { fileURLToPath } from 'node:url';

export const baseModelFolder = fileURLToPath(new URL('../../models/base', import.meta.url));
