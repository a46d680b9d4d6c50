import { citationOf } from '../../conformance/rules/rule/rule.ts';
import { loadRules, ruleOf } from '../../conformance/rules/loadedRules.ts';
import { isObject } from '../../protocol/json.ts';
import { type Part, textOf } from '../../protocol/message/part.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import type { Recording } from '../../recording/recording.ts';
import { conversationsIn, type RecordedTurn } from '../../recording/turns.ts';

/** Longest text that is quoted, and of a line; in UTF-16 code units. */
const maxQuoted = 2_000;
const maxLine = 300;
/** Most broken rules that are listed, messages, the last ones, and texts and artifacts of one answer. */
const [maxRules, maxTurns, maxWords] = [20, 10, 10];

/**
 * A bug report in Markdown, in English: what was asked in a recording, what came of each message, and how to see it. Made of the recording alone, from
 * which everything personal is removed.
 * @param file the recording's name
 */
export async function issueReport(
  recording: Recording,
  { file, version }: { readonly file: string; readonly version: string },
): Promise<string> {
  await loadRules();
  const all = turnsIn(recording);
  const turns = all.slice(-maxTurns);
  const used = recording.exchanges[(turns.at(-1)?.number ?? recording.exchanges.length) - 1]?.exchange;
  const { card } = recording;
  const agentVersion = isObject(card) && typeof card['version'] === 'string' ? ` ${card['version']}` : '';
  const rules = rulesIn(recording);
  return [
    ...(all.length > turns.length ? [`The first ${all.length - turns.length} messages are in the recording alone.`] : []),
    ...(turns.length === 0 ? ['### What was asked', 'No message.', '### What came', 'Nothing.'] : []),
    ...turns.flatMap((turn, index) => {
      const place = all.length === 1 ? '' : ` (message ${all.length - turns.length + index + 1} of ${all.length})`;
      return [`### What was asked${place}`, quoted(textOf(turn.message.parts)), `### What came${place}`, whatCame(turn)];
    }),
    ...(rules.length === 0 ? [] : ['### Rules of the protocol that are broken', rules.join('\n')]),
    '### Versions',
    [
      `- Agent: ${code(`${recording.agent.name ?? recording.agent.url}${agentVersion}`)}`,
      ...(used === undefined ? [] : [`- Protocol: ${code(`A2A ${used.protocolVersion} over ${used.protocolBinding}`)}`]),
      `- A2A Workbench: ${code(version)}`,
    ].join('\n'),
    '### Recording',
    `${code(file)} is attached. Open it in VS Code with the extension A2A Workbench to see the conversation and the wire. Play it as an agent:`,
    quoted(`a2a serve '${file.replaceAll("'", "'\\''")}'`, 'sh'),
  ].join('\n\n');
}

/** In the order of time; conversations may share their first turns. */
function turnsIn(recording: Recording): readonly RecordedTurn[] {
  const byNumber = new Map(conversationsIn(recording).conversations.flatMap(turns => turns.map(turn => [turn.number, turn])));
  return [...byNumber.values()].toSorted((one, other) => one.number - other.number);
}

function whatCame({ answer, later, end }: RecordedTurn): string {
  const events = [...answer, ...later].map(({ event }) => event);
  const state = events.map(stateIn).findLast(each => each !== undefined);
  const words = events.map(wordsIn).filter((text, index, texts) => text !== '' && text !== texts[index - 1]);
  const artifacts = [...artifactsIn(events)];
  const ending =
    end === undefined
      ? []
      : end === 'broken'
        ? ['The connection broke.']
        : 'error' in end
          ? [`Error ${end.error.code}:`, quoted(end.error.message)]
          : 'grpc' in end
            ? [`gRPC ${end.grpc}:`, quoted(end.message)]
            : [`HTTP ${end.status}:`, quoted(end.body)];
  const parts = [
    ...(state === undefined ? [] : [`State: ${taskStates[state].label}`]),
    ...words.slice(-maxWords).map(text => quoted(text)),
    ...artifacts.slice(0, maxWords).flatMap(([id, { name = id, parts }]) => {
      const text = textOf(parts);
      return text === '' ? [`Artifact ${code(name)}, without text.`] : [`Artifact ${code(name)}:`, quoted(text)];
    }),
    ...ending,
  ];
  return parts.length === 0 ? 'Nothing.' : parts.join('\n\n');
}

const stateIn = (event: StreamResponse) =>
  'task' in event ? event.task.status.state : 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;

/** Words of the agent in a message or a status. */
function wordsIn(event: StreamResponse): string {
  if ('artifactUpdate' in event) return '';
  const message = 'message' in event ? event.message : ('task' in event ? event.task : event.statusUpdate).status.message;
  return textOf(message?.parts ?? []);
}

/** Artifacts by their ids, with the chunks that were appended to them. */
function artifactsIn(events: readonly StreamResponse[]): ReadonlyMap<string, Pick<Artifact, 'name' | 'parts'>> {
  const artifacts = new Map<string, { readonly name?: string; readonly parts: Part[] }>();
  for (const event of events) {
    const updates =
      'task' in event
        ? (event.task.artifacts ?? []).map(artifact => ({ artifact, append: false }))
        : 'artifactUpdate' in event
          ? [event.artifactUpdate]
          : [];
    for (const { artifact, append } of updates) {
      const { artifactId, name, parts } = artifact;
      const known = append === true ? artifacts.get(artifactId) : undefined;
      if (known === undefined) artifacts.set(artifactId, { ...(name !== undefined && { name }), parts: [...parts] });
      else for (const part of parts) known.parts.push(part);
    }
  }
  return artifacts;
}

function rulesIn({ exchanges }: Recording): readonly string[] {
  const lines = new Set<string>();
  for (const { exchange } of exchanges)
    for (const { rule, message } of exchange.findings) {
      const known = ruleOf(rule);
      const { section, specification = '1.0' } = known === undefined ? {} : citationOf(known, exchange.protocolVersion);
      const clause = section === undefined ? '' : ` (A2A ${specification} §${section})`;
      lines.add(`- ${code(rule)}${clause}: ${code(message)}`);
    }
  return [...lines].slice(0, maxRules);
}

/** A text that nothing in it can end, as code in a line. */
function code(text: string): string {
  const line = beginningOf(text.replaceAll(/\s+/g, ' ').trim(), maxLine, '…');
  const fence = '`'.repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A text that nothing in it can end, as a block. */
function quoted(text: string, language = 'text'): string {
  const shown = beginningOf(text, maxQuoted, '…');
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length));
