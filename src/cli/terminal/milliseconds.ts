import { UsageError } from './usage.ts';

const units: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const maxMs = 24 * units['h']!;

/** Parses the duration of `--timeout` to milliseconds. @throws UsageError */
export function parseMilliseconds(written: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(written) ?? [];
  const ms = Math.round(Number(count) * units[unit]!);
  if (count !== '' && ms >= 1 && ms <= maxMs) return ms;
  throw new UsageError(`--timeout must be at most a day, such as 500ms, 30s or 2m, not ${JSON.stringify(written.slice(0, 40))}.`);
}
