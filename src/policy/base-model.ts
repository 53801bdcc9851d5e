/** Where the base policy that ships lies: the same place seen from src/ and from dist/. */
import { fileURLToPath } from 'node:url';

/** Where the model that ships lies. */
export const baseModelFolder = fileURLToPath(new URL('../../models/base', import.meta.url));
