import { setTimeout } from 'node:timers/promises';

/** Of this thread alone, in milliseconds. */
const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * The most time of a processor, in milliseconds, that one turn of the event loop takes while the work is done and shortly after: for so long
 * everything else in the process stands still. Other work on the machine only ever adds to that, so the best of some rounds counts.
 * @param enough a round that is as good as this is the last one.
 */
export async function longestTurn(work: () => Promise<unknown>, enough: number, rounds = 5): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < rounds && best > enough; round++) best = Math.min(best, await measured(work));
  return best;
}

async function measured(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, over] = [0, cpu(), false];
  const look = (): void => {
    const now = cpu();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const watching = (async () => {
    while (!over) {
      await setTimeout(1);
      look();
    }
  })();
  try {
    await work();
    await setTimeout(50);
  } finally {
    over = true;
    await watching;
  }
  return longest;
}

/**
 * How long a turn may take on this machine, in milliseconds: three times as long as it takes to parse 200,000 members of JSON, which is
 * 200 ms where that takes 67.
 */
export function longestAllowed(): number {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1])));
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const before = cpu();
    JSON.parse(text);
    least = Math.min(least, cpu() - before);
  }
  return Math.max(3 * least, 100);
}
