/** Milliseconds of processor time that the work takes: unlike the clock it does not depend on what else the machine does. */
export function cpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return since(before);
}

/** As `cpuTime`, of work that is waited for. */
async function cpuTimeOf(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return since(before);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether work of eight times the size takes less than 24 times the processor time; what grows with the square takes 64 times. Other work on
 * the machine only ever adds to a measurement, so the least of several rounds counts, and one good round is enough.
 * @param judgedAfter Rounds before anything is said: work that is expected not to hold must not seem to because its small size was disturbed.
 */
export async function growsInProportion(
  work: (size: number) => void | Promise<void>,
  small: number,
  rounds = 8,
  judgedAfter = 1,
): Promise<{ readonly holds: boolean; readonly figures: string }> {
  let [least, most] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    least = Math.min(least, await cpuTimeOf(() => work(small)));
    most = Math.min(most, await cpuTimeOf(() => work(8 * small)));
    if (round + 1 >= judgedAfter && most < 24 * Math.max(least, 1)) return { holds: true, figures: '' };
  }
  return { holds: false, figures: `${least} ms for ${small}, ${most} ms for ${8 * small}` };
}
