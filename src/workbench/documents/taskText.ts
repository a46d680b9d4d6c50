import { textOf, type Part } from '../../protocol/message/part.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import { joinStatuses } from '../../protocol/message/statusEntries.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import { senderOf, type Entry } from '../../protocol/message/transcript.ts';
import type { ReceivedSummary } from '../../protocol/exchange.ts';
import { outcomeSentence, rehearsalSentence } from './deliveryText.ts';
import { type Translate, findingLines } from './findingLines.ts';
import type { Finding } from '../../protocol/finding.ts';

/** Input of a task's document. */
interface TaskTimeline {
  readonly agent: string;
  readonly task: Task;
  /** Entries of the task, oldest first. */
  readonly entries: readonly Entry[];
  /** True if the task has more entries than these. */
  readonly more: boolean;
  readonly deviations: readonly Deviation[];
  /** The push notifications of the task that were received here, oldest first. */
  readonly received?: readonly ReceivedSummary[];
}

/** A task as text; `exchanges` are the ids of the exchanges in the order of their numbers in the text. */
export interface TaskText {
  readonly text: string;
  readonly exchanges: readonly string[];
  /** The line, from 0, after the timeline. */
  readonly timelineEnd: number;
}

/** Longest text of one entry, in UTF-16 code units. */
const maxTextLength = 2000;
/** Columns before an entry's text, and before the number of its exchange. */
const indent = 34;
const exchangeColumn = 26;

/** Matches the exchange's number in a line of the timeline. It stands before any text of an agent, so that an agent cannot fake it. */
export const exchangeNumberPattern = /^[ \d.+s]{26}⇄(\d+)/;

/**
 * A task as text to read: messages and events with their times, the time since the entry before, and the exchange that brought it; then the
 * task as JSON. No line of the timeline begins with an agent's text.
 */
export function taskText(
  { agent, task, entries: separateEntries, more, deviations, received = [] }: TaskTimeline,
  translate: Translate,
): TaskText {
  const lineOf = (entry: Entry): TimelineLine => ({ at: entry.at, exchangeId: entry.exchangeId, words: wordsOf(entry, translate) });
  const entries = inOrder(
    joinStatuses(separateEntries).map(lineOf),
    received.map(each => ({ at: each.at, exchangeId: each.exchangeId, words: deliveryWords(each, translate) })),
  );
  const exchanges = [...new Set(entries.flatMap(({ exchangeId }) => exchangeId ?? []))];
  const first = entries[0]?.at ?? 0;
  const last = entries.at(-1)?.at ?? first;
  const facts: readonly (readonly [LocalizedMessage, string])[] = [
    [sentence('Agent'), agent],
    [sentence('Task'), task.id],
    [sentence('Context'), task.contextId ?? '–'],
    [sentence('State'), taskStates[task.status.state].label],
    ...(separateEntries[0]?.untimed === true
      ? []
      : [[sentence('Started'), new Date(first).toISOString()] as const, [sentence('Duration'), seconds(last - first)] as const]),
  ];
  const names = facts.map(([name]) => translate(name));
  const width = Math.max(...names.map(name => name.length));
  const lines = facts.map(([, value], index) => `${(names[index] ?? '').padEnd(width)}  ${oneLine(value)}`);
  const timeline = entries.map((entry, index) => {
    const gap = index === 0 ? '' : `+${seconds(entry.at - (entries[index - 1]?.at ?? entry.at))}`;
    const exchange = entry.exchangeId === undefined ? '' : `⇄${exchanges.indexOf(entry.exchangeId) + 1}`;
    const [head = '', ...rest] = entry.words.split('\n');
    const begin = `${seconds(entry.at - first).padStart(11)} ${gap.padStart(12)}  ${exchange.padEnd(6)}`.padEnd(indent);
    return [`${begin}${head}`.trimEnd(), ...rest.map(line => `${' '.repeat(indent + 2)}${line}`.trimEnd())].join('\n');
  });
  if (more) timeline.push(`${' '.repeat(indent)}${translate(sentence('There is more in the chat than is shown here.'))}`);
  const broken = deviationLines(
    deviations,
    exchangeId => {
      const number = exchangeId === undefined ? 0 : exchanges.indexOf(exchangeId) + 1;
      return `${' '.repeat(exchangeColumn)}${number === 0 ? '' : `⇄${number}`}`.padEnd(indent);
    },
    translate,
  );
  if (broken.length > 0) timeline.push('', `── ${translate(sentence('Protocol findings'))} ──`, '', ...broken);
  const above = [...lines, '', `── ${translate(sentence('Timeline'))} ──`, '', ...timeline, ''].join('\n');
  return {
    exchanges,
    timelineEnd: above.split('\n').length,
    text: [above, `── ${translate(sentence('Current task'))} ──`, '', JSON.stringify(task, null, 2), ''].join('\n'),
  };
}

/** One line of the timeline, with the lines below it. */
interface TimelineLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly exchangeId: string | undefined;
  readonly words: string;
}

/** Each notification before the first entry that came after it, or that it brought. The entries keep their order. */
function inOrder(entries: readonly TimelineLine[], deliveries: readonly TimelineLine[]): readonly TimelineLine[] {
  const left = [...deliveries];
  const lines = entries.flatMap(entry => {
    const own = left.findIndex(({ exchangeId }) => exchangeId === entry.exchangeId);
    const later = left.findIndex(({ at }) => at > entry.at);
    const before = Math.max(own + 1, later < 0 ? left.length : later);
    return [...left.splice(0, before), entry];
  });
  return [...lines, ...left];
}

/** The answer and the outcome, and the beginning of the bytes. */
function deliveryWords({ status, received, body }: ReceivedSummary, translate: Translate): string {
  const answered =
    status === undefined ? sentence('Push notification, not answered') : sentence('Push notification, answered HTTP {0}', status);
  const rehearsal = rehearsalSentence(received);
  const outcome = outcomeSentence(received.outcome);
  const notes = translate(rehearsal === undefined ? outcome : sentence('{0} {1}', outcome, rehearsal));
  const bytes = oneLine(body);
  return [translate(answered), notes, bytes.length > maxBodyLength ? `${bytes.slice(0, maxBodyLength)}…` : bytes].join('\n');
}

/** Length of a notification's body in the timeline, in UTF-16 code units; its exchange has all of it. */
const maxBodyLength = 400;

const filledGap = sentence('The agent has sent the whole task since.');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function wordsOf(entry: Entry, translate: Translate): string {
  const spokenBy = (who: LocalizedMessage, parts: readonly Part[]): string => `${translate(who)}\n${partsText(parts, translate)}`.trimEnd();
  switch (entry.kind) {
    case 'message':
      return spokenBy(senderOf(entry), entry.message.parts);
    case 'status':
      return spokenBy(sentence('Status: {0}', taskStates[entry.state].label), entry.message?.parts ?? []);
    case 'artifact': {
      const {
        artifact: { name, artifactId, parts },
        chunks,
      } = entry;
      return spokenBy(
        chunks > 1
          ? sentence('Artifact {0} in {1} updates', oneLine(name ?? artifactId), chunks)
          : sentence('Artifact {0}', oneLine(name ?? artifactId)),
        parts,
      );
    }
    case 'problem':
      return [sentence('Problem'), entry.sentence, ...(entry.nextStep === undefined ? [] : [entry.nextStep])].map(translate).join('\n');
    case 'gap':
      return [sentence('Interruption'), entry.reason, ...(entry.filled === true ? [filledGap] : [])].map(translate).join('\n');
  }
}

function partsText(parts: readonly Part[], translate: Translate): string {
  const texts = textOf(parts);
  const others = parts.flatMap(part =>
    'text' in part
      ? []
      : [translate(sentence('File {0}', oneLine(part.filename ?? part.mediaType ?? ('data' in part ? 'application/json' : '–'))))],
  );
  return [...(texts === '' ? [] : [texts.length > maxTextLength ? `${texts.slice(0, maxTextLength)}…` : texts]), ...others].join('\n');
}

/** A deviation of an agent from the protocol; without `exchangeId` if the exchange is no longer kept. */
export interface Deviation {
  readonly exchangeId?: string;
  readonly findings: readonly Finding[];
}

/** The findings of the exchanges that brought the task's entries, and those recorded for the task itself. */
export function deviationsOf(
  entries: readonly Entry[],
  deviant: readonly { readonly exchangeId: string; readonly findings: readonly Finding[] }[],
  noted: readonly Finding[] = [],
): readonly Deviation[] {
  const exchanges = new Set(entries.map(({ exchangeId }) => exchangeId));
  const own = deviant.filter(({ exchangeId }) => exchanges.has(exchangeId));
  const ofExchanges = new Set(own.flatMap(({ findings }) => findings.map(({ rule, message }) => JSON.stringify([rule, message]))));
  const others = noted.filter(({ rule, message }) => !ofExchanges.has(JSON.stringify([rule, message])));
  return others.length === 0 ? own : [...own, { findings: others }];
}

/** One line for each rule, text and exchange; none begins with an agent's text. */
const deviationLines = (
  deviations: readonly Deviation[],
  begin: (exchangeId: string | undefined) => string,
  translate: Translate,
): readonly string[] =>
  deviations.flatMap(({ exchangeId, findings }) =>
    findingLines(findings, translate).map(
      ({ rule, title, pointer, message, times }) =>
        `${begin(exchangeId)}${[rule, title, [pointer, message].filter(Boolean).join(' ')].filter(Boolean).join(' · ').replaceAll(/\s+/g, ' ')}${times > 1 ? ` (×${times})` : ''}`,
    ),
  );
