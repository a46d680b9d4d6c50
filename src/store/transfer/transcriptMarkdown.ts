import { jsonEscape, replaceControls, replaceInvisible } from '../../protocol/hiddenCharacters.ts';
import type { Part } from '../../protocol/message/part.ts';
import { english, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { joinStatuses } from '../../protocol/message/statusEntries.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import { assistantSentence } from '../../protocol/message/assistantSentence.ts';
import { senderOf, type ContextSummary, type Entry } from '../../protocol/message/transcript.ts';
import { withBytes } from '../../protocol/versions/shared/fileContent.ts';
import type { ArtifactRevision } from '../rows/artifactRevisions.ts';
import type { Verdict } from '../lists/contextArtifacts.ts';

/** Longest name, id or address within a line, in UTF-16 code units. */
const maxInlineLength = 300;

/**
 * A transcript as Markdown for reading, in pieces. Text of agents and people is in fences and code spans that it cannot close, so that none of
 * it becomes a heading, a link or an image. `tell` translates sentences; `verdicts` are the person's on artifacts, by their entries; `revisionsOf` has what the
 * artifact of an entry was before.
 */
export function* transcriptMarkdown(
  context: ContextSummary,
  entries: Iterable<Entry>,
  tell: (sentence: LocalizedMessage) => string = english,
  verdicts: ReadonlyMap<number, Verdict> = new Map(),
  revisionsOf: (seq: number) => readonly ArtifactRevision[] = () => [],
): Generator<string, void> {
  yield `# ${inline(context.title)}\n\n`;
  yield `- ${tell(sentence('Agent: {0}', inline(context.agent)))}\n`;
  if (context.contextId !== undefined) yield `- ${tell(sentence('Context: {0}', inline(context.contextId)))}\n`;
  yield `- ${tell(sentence('From {0} to {1}', time(context.createdAt), time(context.updatedAt)))}\n`;
  for (const entry of withStatusesJoined(entries)) {
    yield* entryMarkdown(entry, tell, verdicts.get(entry.seq), entry.kind === 'artifact' ? revisionsOf(entry.seq) : []);
  }
}

/** Each entry by itself, as it stands in a transcript. */
export function* entriesMarkdown(entries: Iterable<Entry>): Generator<string, void> {
  for (const entry of entries) yield [...entryMarkdown(entry, english, undefined)].join('');
}

/** Most statuses that are read together, so that those which continue each other's text become one. */
const maxStatuses = 10_000;

function* withStatusesJoined(entries: Iterable<Entry>): Generator<Entry> {
  let run: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'status' || run.length >= maxStatuses) {
      yield* joinStatuses(run);
      run = [];
    }
    if (entry.kind === 'status') run.push(entry);
    else yield entry;
  }
  yield* joinStatuses(run);
}

function* entryMarkdown(
  entry: Entry,
  tell: (sentence: LocalizedMessage) => string,
  verdict: Verdict | undefined,
  earlier: readonly ArtifactRevision[] = [],
): Generator<string, void> {
  const when = timeOf(entry, tell);
  yield `\n## ${[tell(headingOf(entry)), ...(when === undefined ? [] : [when])].join(' · ')}\n\n`;
  if (entry.taskId !== undefined) yield `${tell(sentence('Task {0}', inline(entry.taskId)))}\n\n`;
  if (entry.kind === 'message') yield* partsMarkdown(entry.message.parts, tell);
  if (entry.kind === 'status' && entry.message !== undefined) yield* partsMarkdown(entry.message.parts, tell);
  if (entry.kind === 'artifact') {
    if (verdict !== undefined)
      yield `${tell(verdict === 'accepted' ? sentence('You have accepted this version.') : sentence('You have rejected this version.'))}\n\n`;
    if (entry.artifact.description !== undefined) yield fenced(entry.artifact.description);
    for (const { number, artifact } of earlier) {
      yield `### ${tell(sentence('Revision {0}', number))}\n\n`;
      yield* partsMarkdown(artifact.parts, tell);
    }
    const replaced = earlier.at(-1);
    if (replaced !== undefined) {
      const { number, replacedAt, apart } = replaced;
      const facts = [
        tell(sentence('Revision {0}', number + 1)),
        time(replacedAt),
        ...(apart === true ? [tell(sentence('not streamed'))] : []),
      ];
      yield `### ${facts.join(' · ')}\n\n`;
    }
    yield* partsMarkdown(entry.artifact.parts, tell);
  }
  if (entry.kind === 'problem') {
    yield fenced(
      [tell(entry.sentence), entry.nextStep && tell(entry.nextStep), entry.details].filter(text => text !== undefined).join('\n'),
    );
  }
  if (entry.kind === 'gap')
    yield fenced(
      [entry.reason, ...(entry.filled === true ? [sentence('The agent has sent the whole task since.')] : [])].map(tell).join('\n'),
    );
}

/** Undefined where it is unknown, as that of a message which the agent's history has and nothing else. */
function timeOf(entry: Entry, tell: (sentence: LocalizedMessage) => string): string | undefined {
  if (entry.untimed || (entry.kind === 'message' && entry.message.role === 'ROLE_USER' && entry.delivery === undefined)) return undefined;
  return entry.polled ? tell(sentence('{0} or earlier: the agent was asked then', time(entry.at))) : time(entry.at);
}

function headingOf(entry: Entry): LocalizedMessage {
  switch (entry.kind) {
    case 'message':
      if (entry.assistant !== undefined) return assistantSentence(entry.assistant, inline);
      return senderOf(entry);
    case 'status':
      return sentence('Status: {0}', taskStates[entry.state].label);
    case 'artifact':
      return sentence('Artifact {0}', inline((entry.artifact.name ?? '').trim() || entry.artifact.artifactId));
    case 'problem':
      return sentence('Problem');
    case 'gap':
      return sentence('Interruption');
  }
}

function* partsMarkdown(parts: readonly Part[], tell: (sentence: LocalizedMessage) => string): Generator<string, void> {
  for (const part of parts.map(withBytes)) {
    const name = inline([part.filename, part.mediaType].filter(text => text !== undefined).join(', '));
    if ('text' in part) yield fenced(part.text, 'text');
    else if ('data' in part) yield fenced(JSON.stringify(part.data, undefined, 2) ?? '', 'json');
    else if ('url' in part) yield `${tell(sentence('File {0} at {1}', name, inline(part.url)))}\n\n`;
    else yield `${tell(sentence('File {0}, {1} bytes', name, Buffer.byteLength(part.raw, 'base64')))}\n\n`;
  }
}

/** The fence is longer than the longest row of backticks in the text. */
function fenced(text: string, language = 'text'): string {
  const fence = '`'.repeat(Math.max(3, maxRun(text) + 1));
  return `${fence}${language}\n${visible(text)}\n${fence}\n\n`;
}

/** Text in one line, in a code span that it cannot close. */
function inline(text: string): string {
  const line = visible(text.length > maxInlineLength ? `${text.slice(0, maxInlineLength)}…` : text)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const ticks = '`'.repeat(maxRun(line) + 1);
  return `${ticks} ${line === '' ? '…' : line} ${ticks}`;
}

function maxRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Characters that control a terminal and invisible characters are shown by their number. */
const visible = (text: string): string =>
  replaceInvisible(replaceControls(text.toWellFormed().replaceAll('\r\n', '\n'), jsonEscape), jsonEscape);

const time = (at: number): string =>
  new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
