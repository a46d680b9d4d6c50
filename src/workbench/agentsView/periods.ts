/** Periods of the last change, by which lists are grouped and filtered. */
export const periods = ['today', 'yesterday', 'week', 'month', 'older'] as const;
export type Period = (typeof periods)[number];

export interface TimeRange {
  /** Milliseconds since the epoch: `since` inclusive, `until` exclusive. A missing bound is open. */
  readonly since?: number;
  readonly until?: number;
}

/** Midnight of the day `daysAgo` before that of `now`, in local time: not every day has 24 hours. */
function midnight(now: number, daysAgo: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
}

/**
 * Periods do not overlap and leave no gap: `week` is the last seven days (today is one of them) without `today` and `yesterday`; `month` is
 * the last thirty days without the last seven.
 */
export function rangeOf(period: Period, now: number): TimeRange {
  switch (period) {
    case 'today':
      return { since: midnight(now, 0) };
    case 'yesterday':
      return { since: midnight(now, 1), until: midnight(now, 0) };
    case 'week':
      return { since: midnight(now, 6), until: midnight(now, 1) };
    case 'month':
      return { since: midnight(now, 29), until: midnight(now, 6) };
    case 'older':
      return { until: midnight(now, 29) };
  }
}

/** The beginning of the period, in milliseconds since the epoch. */
export const startOf = (period: Exclude<Period, 'older'>, now: number): number => rangeOf(period, now).since ?? 0;

/** The intersection; undefined if it is empty. */
export function intersection(one: TimeRange, other: TimeRange): TimeRange | undefined {
  const since = Math.max(one.since ?? -Infinity, other.since ?? -Infinity);
  const until = Math.min(one.until ?? Infinity, other.until ?? Infinity);
  if (since >= until) return undefined;
  return { ...(since > -Infinity && { since }), ...(until < Infinity && { until }) };
}
