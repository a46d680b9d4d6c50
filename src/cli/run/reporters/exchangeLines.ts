import { eventText } from '../../../protocol/eventText.ts';
import { excerpt } from '../../terminal/excerpt.ts';
import { codedLine } from '../../terminal/output.ts';
import type { RunExchange } from './runAnswer.ts';

/** Maximum length of a body, and number of events of a stream, in a report. */
const shownMost = { lines: 40, characters: 4_000, frames: 20 };

/** No bounds, for output to a file. */
export const unbounded = { lines: Infinity, characters: Infinity, frames: Infinity };

/** An exchange as lines: what was sent after `>`, what came after `<`, and words of ours after `*`. */
export function exchangeLines({ exchange, frames }: RunExchange, most = shownMost): readonly string[] {
  const { request, response, failure, startedAt, endedAt, protocolBinding, protocolVersion, operation } = exchange;
  const took = endedAt === undefined ? '' : `, ${Math.round(endedAt - startedAt)} ms`;
  const shownFrames = frames.slice(0, most.frames);
  return [
    `> ${request.method} ${request.url} (${operation}, ${protocolBinding} ${protocolVersion}${took})`,
    ...request.headers.map(([name, value]) => `> ${name}: ${value}`),
    ...bodyLines('> ', request.body, most),
    ...(response === undefined
      ? []
      : [
          `< HTTP ${response.status}`,
          ...response.headers.map(([name, value]) => `< ${name}: ${value}`),
          ...(response.coded === undefined ? [] : [`* ${codedLine(response.coded)}`]),
          ...bodyLines('< ', response.body ?? '', most),
          ...(response.truncated === true ? ['* … longer than what is kept'] : []),
        ]),
    ...shownFrames.flatMap(frame => bodyLines('< ', eventText(frame).replace(/\r?\n$/, ''), most)),
    ...(frames.length > shownFrames.length ? [`* … and ${frames.length - shownFrames.length} more events`] : []),
    ...(failure === undefined ? [] : [`* ${failure}`]),
  ];
}

function bodyLines(mark: string, body: string, most: typeof shownMost): readonly string[] {
  if (body === '') return [];
  if (most.lines !== Infinity && excerpt(body) !== body) return [mark + excerpt(body)];
  const whole = body.length > most.characters ? body.slice(0, most.characters).toWellFormed() : body;
  const all = whole.split(/\r?\n/);
  const lines = all.slice(0, most.lines);
  const isCut = whole.length < body.length || lines.length < all.length;
  return [...lines.map(line => mark + line), ...(isCut ? [`${mark}… (${shownBytes(Buffer.byteLength(body))} in all)`] : [])];
}

/** A size in bytes for people, as the chat shows it; a KB is 1024 bytes. */
export function shownBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? `${short(kilobytes)} KB` : `${short(kilobytes / 1024)} MB`;
}

const short = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
