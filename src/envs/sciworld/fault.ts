/** Where the original throws: the session ends in an error whose text it prints from then on. */
export class OriginalFault extends Error {}
