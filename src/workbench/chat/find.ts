import { findPattern, type FoundEntry, type Requests } from '../../chat/host/messages.ts';
import type { FindQuery } from '../../chat/host/requests.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { joinStatuses } from '../../protocol/message/statusEntries.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { Entry } from '../../protocol/message/transcript.ts';
import { withBytes } from '../../protocol/versions/shared/fileContent.ts';
import { pageBefore } from './entryPages.ts';

/** A search returns what it has found after this many milliseconds, so that it does not block the extension host. */
const defaultTimeLimitMs = 25;
/** Maximum depth to which data is searched. */
const deepest = 64;
/** Maximum number of occurrences that are counted in one entry. */
const maxTimes = 1_000;

/** Returns a sentence in VS Code's display language. */
type Translate = (sentence: LocalizedMessage) => string;

/** Searches a context from `before`, or its newest entry, backwards, page by page. See the panel's request `find`. */
export function findInContext(
  context: Pick<AgentContext, 'entries'>,
  { before, ...query }: Requests['find']['params'],
  translate: Translate,
  timeLimitMs = defaultTimeLimitMs,
): Requests['find']['result'] {
  const pattern = findPattern(query);
  const until = performance.now() + timeLimitMs;
  const pages: (readonly FoundEntry[])[] = [];
  for (let next = before; ; ) {
    const { items, more } = pageBefore(context, { before: next, limit: 200 });
    pages.unshift(
      joinStatuses(items).flatMap(entry => {
        const times = timesIn(textsOf(entry, translate), pattern);
        return times === 0 ? [] : [{ seq: entry.seq, times }];
      }),
    );
    next = items[0]?.seq;
    if (!more || next === undefined) return { found: pages.flat() };
    if (performance.now() > until) return { found: pages.flat(), next };
  }
}

/**
 * Place of the occurrence `nth` (from 0) of an entry in the document of one of its parts: lines of a text, or of the JSON of data;
 * undefined if it is in none.
 */
export function lineOfMatch(entry: Entry, nth: number, query: FindQuery): { readonly part: number; readonly line: number } | undefined {
  const parts =
    entry.kind === 'artifact'
      ? entry.artifact.parts
      : entry.kind === 'message' || entry.kind === 'status'
        ? (entry.message?.parts ?? [])
        : [];
  const pattern = findPattern(query);
  let before = entry.kind === 'artifact' ? timesIn([entry.artifact.name ?? '', entry.artifact.description ?? ''], pattern) : 0;
  for (const [part, content] of parts.entries()) {
    const own = textsOfPart(content);
    const times = timesIn(own, pattern);
    if (nth < before + times) {
      const ofName = content.filename === undefined ? 0 : timesIn([content.filename], pattern);
      const line = lineIn(documentText(content), pattern, nth - before - ofName);
      return line === undefined ? undefined : { part, line };
    }
    before += times;
  }
  return undefined;
}

/** The text of the part's document; empty for bytes and addresses. */
const documentText = (part: Part): string =>
  'text' in part ? part.text : 'data' in part ? (JSON.stringify(part.data, null, 2) ?? '') : '';

/** The line of an occurrence, or of the last one where there are fewer: data has other signs around its words. */
function lineIn(text: string, pattern: RegExp, nth: number): number | undefined {
  const plain = text.normalize('NFC');
  const searched = count(plain, pattern) > 0 ? plain : withoutMarks(plain);
  let found: number | undefined;
  let index = 0;
  for (const match of searched.matchAll(pattern)) {
    found = match.index;
    if (index++ >= Math.max(0, nth)) break;
  }
  return found === undefined ? undefined : searched.slice(0, found).split('\n').length;
}

function timesIn(texts: readonly string[], pattern: RegExp): number {
  let times = 0;
  for (const text of texts) {
    // Markdown syntax can stand between words that are adjacent on screen.
    const written = count(text, pattern);
    times += written > 0 ? written : count(withoutMarks(text), pattern);
    if (times >= maxTimes) return maxTimes;
  }
  return times;
}

function count(text: string, pattern: RegExp): number {
  let times = 0;
  for (const _ of text.normalize('NFC').matchAll(pattern)) if (++times === maxTimes) break;
  return times;
}

const withoutMarks = (text: string): string => text.replace(/\]\([^()\s]*\)|\*+|~~|`+|\[|\b_+|_+\b/g, '');

/** The texts of an entry in the order in which the panel shows them. */
function textsOf(entry: Entry, translate: Translate): readonly string[] {
  switch (entry.kind) {
    case 'message':
      return entry.message.parts.flatMap(textsOfPart);
    case 'status':
      return (entry.message?.parts ?? []).flatMap(textsOfPart);
    case 'artifact':
      return [entry.artifact.name ?? '', entry.artifact.description ?? '', ...entry.artifact.parts.flatMap(textsOfPart)];
    case 'problem':
      return [translate(entry.sentence), ...(entry.nextStep === undefined ? [] : [translate(entry.nextStep)]), entry.details ?? ''];
    case 'gap':
      return entry.filled === true ? [] : [translate(entry.reason)];
  }
}

function textsOfPart(part: Part): readonly string[] {
  const name = part.filename === undefined ? [] : [part.filename];
  if ('text' in part) return [...name, part.text];
  if ('data' in part) return [...name, ...textsOfData(part.data, 0)];
  return 'url' in part && part === withBytes(part) ? [...name, part.url] : name;
}

function textsOfData(value: unknown, depth: number): readonly string[] {
  if (value === null || typeof value !== 'object') return [String(value)];
  if (depth === deepest) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const texts = textsOfData(member, depth + 1);
    if (Array.isArray(value)) return texts;
    return member !== null && typeof member === 'object' ? [key, ...texts] : [`${key}: ${texts[0] ?? ''}`];
  });
}
