import { isDeepStrictEqual } from 'node:util';
import { A2AError } from '../../protocol/errors.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { OperationParams, UnaryResults } from '../../protocol/message/operations.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Task } from '../../protocol/message/task.ts';
import { TaskPaging } from '../../protocol/message/taskPaging.ts';
import type { MessageEntry } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { saysUnsupported } from '../unsupported.ts';

/** The result of a search for a message whose first response was lost, and the next step. */
export type DeliveryCheck =
  | { readonly outcome: 'found'; readonly sentence: LocalizedMessage; readonly task: Task; readonly exchangeId: string }
  | { readonly outcome: 'not-found' | 'unknowable'; readonly sentence: LocalizedMessage; readonly nextStep: LocalizedMessage };

/** A task, and the exchange that brought it. */
interface ListedAnswer {
  readonly task: Task;
  readonly exchangeId: string;
}

type Asked = 'GetTask' | 'ListTasks';

/** Dependencies on the message's context. */
interface DeliveryCheckOptions {
  /** Asks the agent and applies nothing. Rejects with a `Problem`. */
  readonly ask: <O extends Asked>(
    operation: O,
    params: OperationParams[O],
  ) => Promise<{ readonly result: UnaryResults[O]; readonly exchangeId: string }>;
  /** The person's messages that the history has of this task, without the one that is looked for; empty if it has nothing of the task. */
  readonly saidIn: (taskId: string) => readonly Message[];
}

/** Most messages to ask for with a task. */
const historyLength = 1000;
const pageSize = 100;
const maxPages = 5;
/** Most tasks listed without their history that are asked for one by one. */
const maxAsked = 20;
/** How much an agent's clock may differ from ours, in milliseconds. */
const clockDifference = 24 * 60 * 60_000;

/**
 * Asks the agent whether it has a message, without sending anything that could arrive twice: GetTask if the message went into a task,
 * otherwise ListTasks (A2A 1.0 §3.1.4), for its context if the agent has named one. Rejects with a `Problem` if the agent cannot be asked.
 */
export function checkDelivery(entry: MessageEntry, options: DeliveryCheckOptions): Promise<DeliveryCheck> {
  const { taskId } = entry.message;
  return taskId === undefined ? inList(entry, options) : inTask(entry.message, taskId, options);
}

async function inTask(message: Message, id: string, { ask, saidIn }: DeliveryCheckOptions): Promise<DeliveryCheck> {
  try {
    const { result: task, exchangeId } = await ask('GetTask', { id, historyLength });
    if (holds(task, message, saidIn(id))) return found({ task, exchangeId });
    // The agent chooses which messages a history contains (§3.7): only a history with others of the person's shows that this one is missing.
    return task.history?.some(({ role }) => role === 'ROLE_USER') === true
      ? notFound(sentence('The task does not have the message.'))
      : silent();
  } catch (error) {
    if (error instanceof A2AError) return unknowable(sentence('The agent no longer has the task: {0}', error.sentence));
    throw error;
  }
}

async function inList(entry: MessageEntry, options: DeliveryCheckOptions): Promise<DeliveryCheck> {
  const { contextId } = entry.message;
  const since = entry.at - clockDifference;
  const filter = withoutUndefined({ contextId, pageSize, historyLength, statusTimestampAfter: new Date(since).toISOString() });
  let withoutMessages = 0;
  const paging = new TaskPaging();
  let pageToken: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const listed = await listPage({ ...filter, ...(pageToken !== undefined && { pageToken }) }, options);
    if ('outcome' in listed) return listed;
    const { tasks } = listed.result;
    for (const task of tasks) {
      // A known task came from another message.
      if (options.saidIn(task.id).length > 0) continue;
      let answer = { task, exchangeId: listed.exchangeId };
      const hasMessages = hasHistory(task);
      if (!hasMessages) {
        if (++withoutMessages > maxAsked) return silent();
        answer = await wholeTask(task.id, options);
      }
      if (!hasHistory(answer.task)) return silent();
      if (!holds(answer.task, entry.message, isAsAskedFor(answer.task, contextId, since) ? [] : undefined)) continue;
      // A list has no artifacts.
      return hasMessages ? found(await wholeTask(task.id, options)) : found(answer);
    }
    pageToken = paging.next(listed.result);
    if (pageToken !== undefined) continue;
    // A list that goes round in a circle does not say what else there is.
    if ((listed.result.nextPageToken ?? '') !== '') break;
    return notFound(sentence('The agent has no task for the message.'));
  }
  return unknowable(sentence('The agent has more tasks than were searched.'));
}

/** In the message's context and not older than the message: an agent may list all its tasks, whatever it is asked for. */
const isAsAskedFor = ({ contextId, status: { timestamp = '' } }: Task, asked: string | undefined, since: number): boolean =>
  asked !== undefined && (contextId ?? asked) === asked && !(Date.parse(timestamp) < since);

async function listPage(params: OperationParams['ListTasks'], { ask }: DeliveryCheckOptions) {
  try {
    return await ask('ListTasks', params);
  } catch (error) {
    if (saysUnsupported(error)) return unknowable(sentence('The agent cannot list its tasks, so it cannot be asked.'));
    throw error;
  }
}

/**
 * Finds the message by its id. An agent may give the person's messages other ids, so among tasks that cannot be of anybody else it is also
 * found by its content, unless that is one of `said`. Undefined `said`: only by its id.
 */
function holds({ history = [] }: Task, { messageId, parts }: Message, said: readonly Message[] | undefined): boolean {
  if (history.some(message => message.messageId === messageId)) return true;
  if (said === undefined) return false;
  const same = (messages: readonly Message[]): number =>
    messages.filter(message => message.role === 'ROLE_USER' && isDeepStrictEqual(message.parts, parts)).length;
  return same(history) > same(said);
}

const hasHistory = ({ history = [] }: Task): boolean => history.length > 0;

async function wholeTask(id: string, { ask }: DeliveryCheckOptions): Promise<ListedAnswer> {
  const { result, exchangeId } = await ask('GetTask', { id, historyLength });
  return { task: result, exchangeId };
}

const found = (answer: ListedAnswer): DeliveryCheck => ({ outcome: 'found', sentence: sentence('The agent has the message.'), ...answer });

const notFound = (what: LocalizedMessage): DeliveryCheck => ({
  outcome: 'not-found',
  sentence: what,
  nextStep: sentence('Send it again. An agent that answers without a task may have received it all the same.'),
});

const unknowable = (what: LocalizedMessage): DeliveryCheck => ({
  outcome: 'unknowable',
  sentence: what,
  nextStep: sentence("Look at the agent's own log, or send the message again: the agent may get it twice."),
});

const silent = (): DeliveryCheck => unknowable(sentence("The agent's tasks do not list their messages."));
