/** Seconds as a person says them; what is not known is a question mark. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '?';
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`;
}
