/** Milliseconds of processor time that the work takes: unlike the clock it does not depend on what else the machine does. */
export function cpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
