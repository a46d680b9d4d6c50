import { setTimeout } from 'node:timers/promises';

/** Of this thread alone, in milliseconds. */
const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** What one turn of the event loop took and might have taken, in milliseconds of a processor. */
export interface Turn {
  readonly holds: boolean;
  readonly figures: string;
}

/**
 * The most time of a processor that one turn of the event loop takes while the work is done and shortly after: for so long everything else in
 * the process stands still. It may be `share` times what `yardstick` says. Other work on the machine makes both slower, so they are measured
 * one after the other, and of some rounds one good one is enough.
 */
export async function longestTurn(work: () => Promise<unknown>, share = 1, rounds = 8): Promise<Turn> {
  const figures: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const turn = await measured(work);
    const most = (turn <= least * share ? least : yardstick()) * share;
    figures.push(`${Math.round(turn)} of ${Math.round(most)} ms`);
    if (turn <= most) return { holds: true, figures: figures.at(-1)! };
  }
  return { holds: false, figures: figures.join(', ') };
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

/** A turn may always take this, in milliseconds. */
const least = 100;

const members = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1])));

/**
 * How long a turn may take on this machine, as it is now, in milliseconds: three times as long as it takes to parse 200,000 members of JSON,
 * which is 200 ms where that takes 67.
 */
export function yardstick(): number {
  let shortest = Infinity;
  for (let round = 0; round < 3; round++) {
    const before = cpu();
    JSON.parse(members);
    shortest = Math.min(shortest, cpu() - before);
  }
  return Math.max(3 * shortest, least);
}
