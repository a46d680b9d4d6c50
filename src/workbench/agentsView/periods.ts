/** When something last changed, as lists are grouped and narrowed by it. */
export const periods = ['today', 'yesterday', 'week', 'month', 'older'] as const;
export type Period = (typeof periods)[number];

export interface TimeRange {
  /** Milliseconds since the epoch: from `since` on, and before `until`. Open where nothing is said. */
  readonly since?: number;
  readonly until?: number;
}

/** Midnight so many days before the day of `now`, by the local clock: days are not all 24 hours long. */
function midnight(now: number, daysAgo: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
}

/** The periods follow upon each other without a gap: `week` is the seven days up to and with today, less those two; `month` the thirty. */
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

/** From the period on until now. */
export const sinceOf = (period: Exclude<Period, 'older'>, now: number): number => rangeOf(period, now).since ?? 0;

/** What is in both; undefined where nothing can be. */
export function both(one: TimeRange, other: TimeRange): TimeRange | undefined {
  const since = Math.max(one.since ?? -Infinity, other.since ?? -Infinity);
  const until = Math.min(one.until ?? Infinity, other.until ?? Infinity);
  if (since >= until) return undefined;
  return { ...(since > -Infinity && { since }), ...(until < Infinity && { until }) };
}
