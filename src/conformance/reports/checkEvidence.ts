import type { Headers } from '../../protocol/exchange.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import type { CheckExchange, CheckReport, CheckResult } from '../checkReport.ts';
import { ruleHeaders } from './ruleHeaders.ts';

/** The answer, cut around the value that decided, which is `marked`. */
interface MarkedText {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  /** Bytes of UTF-8 in the body or the event's data, from and to (exclusive). */
  readonly bytes: readonly [from: number, to: number];
}

/** The exchange that decided a result. */
interface CheckEvidence extends CheckExchange {
  /** In which event of a stream it is; undefined for the body. */
  readonly frame?: number;
  /** The text that came: the body, or the data of that event; undefined where nothing came. */
  readonly text?: string;
  readonly marked?: MarkedText;
  /** The headers that the rule is about, credentials masked. */
  readonly sent: Headers;
  readonly came: Headers;
}

/** A header in a line. */
export const headerLine = ([name, value]: Headers[number]): string => `${name}: ${value}`;

/** Most characters around the value that are shown, on each side, and of the value itself. */
const around = 240;
const maxMarked = 1_200;

/** @returns undefined for a result that rests on no exchange */
export function evidenceFor({ exchanges }: Pick<CheckReport, 'exchanges'>, result: CheckResult): CheckEvidence | undefined {
  const found = exchanges.find(({ exchange }) => exchange.id === result.exchangeId);
  if (found === undefined) return undefined;
  const { frame, bytes } = result;
  const text = frame === undefined ? found.exchange.response?.body : found.frames.find(({ seq }) => seq === frame)?.data;
  return {
    ...found,
    ...ruleHeaders(result.rule, found.exchange),
    ...(frame !== undefined && { frame }),
    ...(text !== undefined && { text }),
    ...(text !== undefined && bytes !== undefined && { marked: markedIn(text, bytes) }),
  };
}

function markedIn(text: string, bytes: readonly [number, number]): MarkedText {
  const all = Buffer.from(text);
  const [before, marked, after] = [all.subarray(0, bytes[0]), all.subarray(...bytes), all.subarray(bytes[1])].map(part => part.toString());
  return {
    before: before!.length > around ? `…${before!.slice(-around).toWellFormed()}` : before!,
    marked: beginningOf(marked!, maxMarked, '…'),
    after: beginningOf(after!, around, '…'),
    bytes,
  };
}
