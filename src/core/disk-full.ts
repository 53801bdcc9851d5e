/** Whether an error, or what caused it, says that there is no room: on the disk, in a quota, or for a file of this size. */
export function isDiskFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code } = thrown as NodeJS.ErrnoException;
  return /^(ENOSPC|EDQUOT|EFBIG)$/.test(code ?? '') || isDiskFull(thrown.cause);
}
