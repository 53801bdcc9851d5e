/**
 * Which of BIRD's questions AgentGym trains on and evaluates on: 3,000 of the 9,428 training questions and 200 of the 1,534
 * development questions, kept here as bit sets. Items are counted as there: training questions first, then development.
 */
export const TRAIN_ITEMS = 9428;
export const DEV_ITEMS = 1534;

/** AgentGym's training items, in rising order. */
export function agentGymTrain(): number[] {
  return unpack(TRAIN, 0, TRAIN_ITEMS);
}

/** AgentGym's evaluation items. */
export function agentGymTest(): number[] {
  return unpack(TEST, TRAIN_ITEMS, DEV_ITEMS);
}

/** Bit i of the set, counted from the lowest bit of each byte, says whether item `first + i` belongs to it. */
function unpack(base64: string, first: number, size: number): number[] {
  const bytes = atob(base64);
  const items: number[] = [];
  for (let i = 0; i < size; i++) if ((bytes.charCodeAt(i >> 3) >> (i & 7)) & 1) items.push(first + i);
  return items;
}

const TRAIN =
  '3IoLFKtbpi4GKzjMIAIEFCFiAIAAGUgC6aVoYARRDDiOEAqcEJBx0gmaCQRDQRKAwFIMB5EACVgJEJgioIgSYHjSKFywKFwwAcBYEAKoqgBIIeHi' +
  'qDEOUHAypmCYICYFAHAlC/9eYWILgAiIwnvMRHAQwYgIADIKIBbgRAg4EhKUFSKJAQEKSXJaAIJAVkUUFqkoewIhmViBCtRRUcxRiwl2gFwRHmRp' +
  'iE4wIgNigkiGA0mASsAV8BIIZ4UIYKJ0CAGLocYYChbeMBXctBoiYEngVSsBAggBhABqCyQSHqMAjAZMKJChHwh2UmE1RiyGCRAIxBSOsHKjYgxG' +
  '0QRRYIoS3QkKTPEakGQNYmgBCnYQEIkCKgKk3gZQApUQQDAQIEtESLQUcC6MVhms4ooAgNOIMACqcQyQQEASJECKCAXBnIWYIJinCQHCOSAAICqC' +
  'DUXOG6pANJBCqhkEaEEgAAEpNhEFyBRHhcZCwC6AhFIhBhwEsohgboEwomSwoQTjGIQMAEAQ3ol6BxRCQiQCUIAMDAIiIQIwOCBNgiIciMEWYig4' +
  'Si2lkggEDAUFaHAM6BhCCwpZRAAiPk0AgxpKwCCYSgDkNEFQfXICMgD2CQFAISQQ2QILiRQGkCMQiDEkBDOJgSQmARYtwBRJCQCicAxgoFgMOgoE' +
  'ufHQAdBLsyghqVAgFoDEvWD1pFQQCgIYLIIAKRACosiAADzUSk0EMYmisBDsURIjzzAYBF8xTVCssCgNCQSPRHps4CYiWQlaBQiMMA0A0EDAOojQ' +
  'wmHBgBAnIyTJMkDQ0RBUOnMQmQIJaTQNBKJhHgCBPaoRNOhsPkJCiHAaAAUAQBiCADMpEvEQAJ/Ei+JAFAI0othSAxTJQkAAIQtusTEEeSPIIEgj' +
  'AQCIwSEkMo4gWGDQRBBPoIkmGBEWFAL0iNOBo1AYIEsESECjqIIZCEJKEBkFQIk0lNYIQKIRgACgOWKAEDYxCBAAUWAEBxlLNAeQCJQJDlgQgQAA' +
  'CwEFoDBkgJhhNFRAGAAkcoIIIChYAqEERMIyrUStNNAkSAJo1EUhIiwwAAqXTQUasKogIIAdJilEwNAMFQB7IIrggRcATBPoQIokEANBYQELRriA' +
  '1AEmgAJCAgYAFAFAArAnAgAAfQ0TDIAjmKhtFCQZFiCZecDhEgWRKktcQGIISgGLESAR2apUEtEYng5oAGJBMDKKaFSgR4GgKCwIIgbCBRIQRoog' +
  'B4CRQZNQSKSjGLtAgctApYAgjCpEDwiAegwi4ImcSUxIZCqzg+OKhTNhwAKhiN+AAuHzFkFqAAGQBDcHAimAQTAliAixQBIiOVS4wyNCTgAlyQqA' +
  'MhgwBK1CDECJUEIvGMJaYeCygQnIDRAbANqhBeU0iIJGBDlEeqAJVQQyAGEUBqoHAGjsBZI6eBAhIjABGA0RoA5iAJ4EzAAFnk0AMCIACgsAwJFs' +
  'o0QwrkgNOlAKAMDiVUbCCFEEQnZJCyENlMXSOIo4gCwCQnII7lodzKKAjxCBZQmFJQfCQCkAQQ6gpBR5+ICpFdDQHGWGLQxmFAYLTESwtoIRCJYS' +
  'UFQB';

const TEST =
  'IBEEAAEigAAkIqggADAAQAAAAEEoAAEFkAiAAFCAIQQECQmAAJAqAIECgaQgAAACBEAEQUEAQARQAEACAQAAAIBgAAAgQAQEAAAAAgIgACAKAKIA' +
  'IBAAAAABECAJUBBAEAhBQBAIAQQAEEAAIIAAgAAAIAAEIAAEgIAAFMAogATAAAkiAAAABACAQEKYAQIAAJSgECiABASAAAIFASEAgAAAQBBAhYEE' +
  'BACAIAoJQAKgAAAEQQAoQgAgBQmhIAAL';
