import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Artifact, Task, TaskStatus } from '../../protocol/message/task.ts';
import { isActive } from '../../protocol/message/taskState.ts';
import type { Entry, MessageEntry, ProblemEntry, StatusEntry } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';
import type { ComparedRun, TurnOutcome } from '../../recording/compare/comparedRun.ts';
import { saidMessages } from '../../recording/saidMessage.ts';
import type { StoredContext } from '../contexts/storedContext.ts';

/** The part of a context of the history that is read. */
type Conversation = Pick<StoredContext, 'agentName' | 'title' | 'contextId' | 'entriesAfter' | 'deviantExchanges' | 'exchangeHead'>;

/** A message of the person with the entries of the agent that came of it, in order. */
interface StoredTurn {
  readonly said: MessageEntry;
  readonly entries: Entry[];
}

/** Most entries of a conversation that is read as a whole. */
const maxEntries = 10_000;

/**
 * A conversation of the history, from its transcript: the bytes of its exchanges may be gone, and only findings go with them. A message that
 * did not arrive and was sent once more right after that counts once.
 * @throws Problem `too-long` for more than 10,000 entries.
 */
export function storedRun(context: Conversation): ComparedRun {
  const turns = storedTurns(context);
  const said = saidMessages(turns.map(({ said: { message, taskId } }) => ({ message, taskIds: taskId === undefined ? [] : [taskId] })));
  const findings = findingsOf(context, turns);
  return {
    name: `${context.agentName} · ${context.title}`,
    turns: said.map((message, index) => ({
      said: message,
      outcome: withoutUndefined({ ...outcomeOf(turns, index, context.contextId), findings: findings[index] }),
    })),
  };
}

/**
 * The turns of a conversation as `storedRun` has them, with the entries that they are made from. Messages that another client sent, which only
 * the agent says, are turns where no message was sent from here: else an agent could put words into the mouth of the person.
 */
export function storedTurns(context: Pick<Conversation, 'entriesAfter'>): readonly StoredTurn[] {
  const turns: StoredTurn[] = [];
  const entries = entriesOf(context);
  const isOwn = entries.some(entry => isSaid(entry) && entry.delivery !== undefined);
  for (const entry of entries) {
    if (!isSaid(entry)) turnOf(turns, entry)?.entries.push(entry);
    else if (!isOwn || entry.delivery !== undefined) turns.push({ said: entry, entries: [] });
  }
  return turns.filter(({ said: { delivery, message } }, index) => {
    const didNotArrive = delivery === 'refused' || delivery === 'unknown';
    return !didNotArrive || !isDeepStrictEqual(turns[index + 1]?.said.message.parts, message.parts);
  });
}

const isSaid = (entry: Entry): entry is MessageEntry => entry.kind === 'message' && entry.message.role === 'ROLE_USER';

function entriesOf(context: Pick<Conversation, 'entriesAfter'>): readonly Entry[] {
  const entries: Entry[] = [];
  for (let more = true; more; ) {
    const page = context.entriesAfter(entries.at(-1)?.seq ?? 0, 200);
    entries.push(...page.items);
    more = page.more;
    if (entries.length > maxEntries)
      throw new Problem('too-long', sentence('The conversation has more than {0} entries, too many to be read as a whole.', maxEntries));
  }
  return entries;
}

/** The turn of an entry: the last of its task; where it has no task, that of its exchange, else the last of all. */
const turnOf = (turns: readonly StoredTurn[], { taskId, exchangeId }: Entry): StoredTurn | undefined =>
  taskId === undefined
    ? (turns.findLast(({ said }) => exchangeId !== undefined && said.exchangeId === exchangeId) ?? turns.at(-1))
    : turns.findLast(({ said }) => said.taskId === taskId);

function outcomeOf(turns: readonly StoredTurn[], index: number, contextId: string | undefined): TurnOutcome {
  const { said, entries } = turns[index]!;
  const { taskId } = said;
  const ofTask = turns.slice(0, index + 1).flatMap(turn => (turn.said.taskId === taskId ? [turn.said, ...turn.entries] : []));
  const task = taskId === undefined ? undefined : taskOf(taskId, contextId, ofTask);
  const status = entries.findLast((entry): entry is StatusEntry => entry.kind === 'status');
  const answer = status === undefined ? entries.findLast((entry): entry is MessageEntry => entry.kind === 'message') : undefined;
  const isSettled = answer !== undefined || (status !== undefined && status.state !== 'LOST' && !isActive(status.state));
  const failure = isSettled ? undefined : entries.findLast((entry): entry is ProblemEntry => entry.kind === 'problem');
  const timed = entries.filter(({ untimed }) => untimed === undefined);
  return withoutUndefined({
    task,
    message: answer?.message,
    problem: isSettled ? undefined : problemOf(said, failure, status),
    startedAt: said.at,
    firstEventAt: timed.find(({ kind }) => kind !== 'problem' && kind !== 'gap')?.at,
    endedAt: Math.max(said.at, (status ?? answer ?? failure ?? timed.at(-1))?.at ?? said.at),
  });
}

/** The task as these entries of it leave it; undefined where the agent has said nothing of it. */
function taskOf(id: string, contextId: string | undefined, entries: readonly Entry[]): Task | undefined {
  let status: TaskStatus | undefined;
  const history: Message[] = [];
  const artifacts = new Map<string, Artifact>();
  const add = (message: Message | undefined): void => {
    if (message !== undefined && !history.some(known => isSame(known, message))) history.push(message);
  };
  for (const entry of entries) {
    if (entry.kind === 'message') add(entry.message);
    else if (entry.kind === 'artifact') artifacts.set(entry.artifact.artifactId, entry.artifact);
    else if (entry.kind === 'status' && entry.state !== 'LOST') {
      const { state, message, timestamp } = entry;
      add(message);
      status = withoutUndefined({ state, message, timestamp });
    }
  }
  if (status === undefined && artifacts.size === 0) return undefined;
  const said = history.filter(message => !isSame(message, status?.message));
  return withoutUndefined({
    id,
    contextId,
    status: status ?? { state: 'TASK_STATE_UNSPECIFIED' as const },
    artifacts: artifacts.size === 0 ? undefined : [...artifacts.values()],
    history: said.length === 0 ? undefined : said,
  });
}

/** Ids that versions without any are given need not differ. */
const isSame = (one: Message, other: Message | undefined): boolean =>
  one === other || (one.messageId === other?.messageId && !one.messageId.startsWith(syntheticIdPrefix));

/** Why there is no good answer, as the transcript has it. */
function problemOf(
  { delivery, outcome }: MessageEntry,
  failure: ProblemEntry | undefined,
  status: StatusEntry | undefined,
): Problem | undefined {
  if (failure !== undefined) return new Problem(failure.code, failure.sentence, withoutUndefined(failure));
  if (status?.state === 'LOST') return new Problem('task-not-found', sentence('The agent no longer has the task.'));
  if (delivery === 'refused') return new Problem('refused', outcome ?? sentence('The message did not arrive.'));
  if (delivery === 'unknown') return new Problem('unknown-delivery', outcome ?? sentence('It is not known whether the message arrived.'));
  return undefined;
}

/**
 * Findings by turn, of every exchange of its task that began before the next message into the task; undefined where the exchange of its
 * message is not kept any more. What the official texts disagree on is left out, as in the outcome of a request.
 */
function findingsOf(context: Conversation, turns: readonly StoredTurn[]): readonly (readonly Finding[] | undefined)[] {
  const deviant = context.deviantExchanges();
  return turns.map(({ said, entries }, index) => {
    if (said.exchangeId === undefined || context.exchangeHead(said.exchangeId) === undefined) return undefined;
    const ids = new Set([said.exchangeId, ...entries.map(({ exchangeId }) => exchangeId)]);
    const next = turns.slice(index + 1).find(turn => turn.said.taskId === said.taskId)?.said.at ?? Infinity;
    return deviant
      .filter(
        ({ exchangeId, taskId, startedAt }) =>
          ids.has(exchangeId) || (taskId !== undefined && taskId === said.taskId && startedAt >= said.at && startedAt < next),
      )
      .flatMap(exchange => exchange.findings.filter(({ disputed }) => disputed !== true));
  });
}
