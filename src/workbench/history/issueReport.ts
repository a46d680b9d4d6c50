import { citationOf } from '../../conformance/rules/rule/rule.ts';
import { loadRules, ruleOf } from '../../conformance/rules/loadedRules.ts';
import { isObject } from '../../protocol/json.ts';
import { textOf } from '../../protocol/message/part.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import type { Recording } from '../../recording/recording.ts';
import { conversationsIn, type RecordedTurn } from '../../recording/turns.ts';

/** Longest text that is quoted, and of a line; in UTF-16 code units. */
const maxQuoted = 2_000;
const maxLine = 300;
/** Most broken rules that are listed. */
const maxRules = 20;

/**
 * A bug report in Markdown, in English: what was asked last in a recording, what came, and how to see it. Made of the recording alone, from
 * which everything personal is removed.
 * @param file the recording's name
 */
export async function issueReport(
  recording: Recording,
  { file, version }: { readonly file: string; readonly version: string },
): Promise<string> {
  await loadRules();
  const { conversations } = conversationsIn(recording);
  const turn = conversations
    .flat()
    .toSorted((one, other) => one.number - other.number)
    .at(-1);
  const used = recording.exchanges[(turn?.number ?? recording.exchanges.length) - 1]?.exchange;
  const { card } = recording;
  const agentVersion = isObject(card) && typeof card['version'] === 'string' ? ` ${card['version']}` : '';
  const rules = rulesIn(recording);
  return [
    '### What was asked',
    turn === undefined ? 'No message.' : quoted(textOf(turn.message.parts)),
    '### What came',
    turn === undefined ? 'Nothing.' : whatCame(turn),
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

function whatCame({ answer, later, end }: RecordedTurn): string {
  const events = [...answer, ...later].map(({ event }) => event);
  const states = events.map(stateIn).filter(state => state !== undefined);
  const state = states.at(-1);
  const words = events
    .map(wordsIn)
    .filter(text => text !== '')
    .join('\n');
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
    ...(words === '' ? [] : [quoted(words)]),
    ...ending,
  ];
  return parts.length === 0 ? 'Nothing.' : parts.join('\n\n');
}

const stateIn = (event: StreamResponse) =>
  'task' in event ? event.task.status.state : 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;

function wordsIn(event: StreamResponse): string {
  if ('message' in event) return textOf(event.message.parts);
  if ('artifactUpdate' in event) return textOf(event.artifactUpdate.artifact.parts);
  const { status, artifacts = [] } = 'task' in event ? event.task : { status: event.statusUpdate.status };
  return [...artifacts.map(({ parts }) => textOf(parts)), textOf(status.message?.parts ?? [])].filter(Boolean).join('\n');
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
