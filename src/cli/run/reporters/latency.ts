import { jsonText, oneLine } from '../../terminal/output.ts';
import type { RunResult } from './runResult.ts';
import { isBad, type Verdict } from './verdict.ts';
import type { NewReporter } from './reporter.ts';

/** Times in milliseconds. Percentiles by nearest rank: each is a time that was measured. */
interface Percentiles {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export function percentiles(times: readonly number[]): Percentiles | undefined {
  if (times.length === 0) return undefined;
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => rounded(sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)] ?? 0);
  return { count: sorted.length, p50: at(50), p90: at(90), p95: at(95), p99: at(99), max: at(100) };
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

interface Latency {
  readonly name: string;
  readonly failed: number;
  /** Until the first event, or the answer. */
  readonly firstEvent?: Percentiles | undefined;
  /** Until the request was over. */
  readonly total?: Percentiles | undefined;
}

/** Verdicts on requests of which nothing can be timed. */
const unsent: readonly Verdict[] = ['not-run', 'skipped', 'left-out', 'interrupted'];

/** Percentiles of answer times: for each request, and for all of them where there are several. Failures are counted and not timed. */
export const latency: NewReporter = (write, { json, output }) => ({
  result: () => {},
  end: (results, { ms }) => {
    const sent = results.filter(({ verdict }) => !unsent.includes(verdict));
    const groups = Map.groupBy(sent, ({ file, name }) => `${file} › ${name}`);
    const each = [...groups].map(([name, ones]) => latencyOf(name, ones));
    const all = latencyOf('all', sent);
    const perSecond = ms === 0 ? 0 : rounded((sent.length / ms) * 1000);
    if (json) {
      for (const one of each) for (const value of output.selectedIn(one)) write(jsonText(value));
      for (const value of output.selectedIn({ ...all, requestsPerSecond: perSecond, ms })) write(jsonText(value));
      return;
    }
    for (const one of [...each, ...(each.length === 1 ? [] : [all])]) {
      write(`${oneLine(one.name)}${one.failed === 0 ? '' : `  (${one.failed} failed)`}`);
      if (one.firstEvent !== undefined) write(line('first event', one.firstEvent));
      if (one.total !== undefined) write(line('total', one.total));
    }
    write(`${sent.length} ${sent.length === 1 ? 'request' : 'requests'} in ${(ms / 1000).toFixed(1)} s, ${perSecond} a second`);
  },
});

function latencyOf(name: string, results: readonly RunResult[]): Latency {
  const good = results.filter(({ verdict }) => !isBad(verdict));
  return {
    name,
    failed: results.length - good.length,
    firstEvent: percentiles(good.flatMap(({ firstEventMs }) => firstEventMs ?? [])),
    total: percentiles(good.map(({ ms }) => ms)),
  };
}

const line = (title: string, { count, p50, p90, p95, p99, max }: Percentiles): string =>
  `  ${title.padEnd(11)}  n ${count}  p50 ${p50} ms  p90 ${p90} ms  p95 ${p95} ms  p99 ${p99} ms  max ${max} ms`;
