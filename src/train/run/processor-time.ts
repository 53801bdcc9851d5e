/** Seconds of processor time that this process has used so far, all of its threads together; processes that it has started are not in it. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
