import { t } from './strings.ts';

/** A number of bytes for display: `512 B`, `3.2 KB`, `1.4 MB`; a KB is 1024 bytes, as in VS Code. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return t('{0} B', bytes);
  const kilobytes = bytes / 1024;
  if (kilobytes < 1000) return t('{0} KB', short(kilobytes));
  return kilobytes < 1_000_000 ? t('{0} MB', short(kilobytes / 1024)) : t('{0} GB', short(kilobytes / 1024 / 1024));
}

const short = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/** A duration in milliseconds for display: `0.4 s`, `12 s`, `3 min 4 s`, `2 h 5 min`. Never negative. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return t('{0} s', seconds.toFixed(1));
  const whole = Math.round(seconds);
  if (whole < 60) return t('{0} s', whole);
  if (whole < 3600) return t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
  const minutes = Math.floor(whole / 60);
  return t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

/** Like `elapsed`, with milliseconds for short durations: `35 ms`, `1.2 s`. */
export const durationText = (ms: number): string => (ms < 1000 ? t('{0} ms', Math.round(Math.max(0, ms))) : elapsed(ms));

/** An agent's progress value as percent from 0 to 100; undefined where it is not such a number. */
export const percent = (progress: unknown): string | undefined =>
  typeof progress === 'number' && progress >= 0 && progress <= 100 ? t('{0} %', Math.round(progress)) : undefined;

/** The time of day of `at` (milliseconds since the epoch), with the date before it when that is not the day of `now`. */
export function clockTime(at: number, language: string, now = Date.now()): string {
  const day = new Date(at);
  const today = day.toDateString() === new Date(now).toDateString();
  return formatOf(language, today ? 'time' : 'day').format(day);
}

/** The exact moment, for tooltips: date, time and milliseconds. */
export function exactTime(at: number, language: string): string {
  return formatOf(language, 'exact').format(new Date(at));
}

/** The time of day with seconds. */
export function secondsTime(at: number, language: string): string {
  return formatOf(language, 'seconds').format(new Date(at));
}

/** The time of day with milliseconds. */
export function preciseTime(at: number, language: string): string {
  return formatOf(language, 'precise').format(new Date(at));
}

const formats = {
  precise: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' },
  time: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  exact: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const made = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating a format takes as long as rendering a row, and the first one longer than a frame. */
function formatOf(language: string, name: keyof typeof formats): Intl.DateTimeFormat {
  const key = `${language} ${name}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat(language, formats[name]);
  made.set(key, format);
  return format;
}

/** Number of bytes that a base64 text encodes; white space is ignored. */
export function base64Size(base64: string): number {
  const characters = base64.replace(/[\s=]+/g, '').length;
  return Math.floor((characters * 3) / 4);
}

/** Number of bytes of a text in UTF-8; a lone surrogate counts as the replacement character. */
export function utf8Size(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(index + 1))) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
