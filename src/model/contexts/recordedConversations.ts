import { setImmediate } from 'node:timers/promises';
import { recordedAnswer } from '../../client/recordedAnswer.ts';
import type { StreamBatch } from '../../client/transport/transport.ts';
import type { Message } from '../../protocol/message/message.ts';
import { isSend, operations, subjectTask } from '../../protocol/message/operations.ts';
import { contextIdOf, taskIdOf } from '../../protocol/message/streamResponse.ts';
import { Problem } from '../../protocol/problem.ts';
import { versionFor } from '../../protocol/versions/index.ts';
import type { RecordedExchange, Recording } from '../../recording/recording.ts';
import { sentMessage, sentParams } from '../../recording/turns.ts';

/** A recorded exchange with what it brought, read as a live one is. */
export interface ReadExchange extends RecordedExchange {
  /** Set for a send whose message can be read. */
  readonly message: Message | undefined;
  /** The task that a question names in its body. */
  readonly asked: string | undefined;
  readonly batches: readonly StreamBatch[];
  /** The reason for an early end of its reading. */
  readonly fault: Problem | undefined;
}

/** Most conversations of one recording: what comes later belongs to the last. */
const maxConversations = 1_000;
/** Exchanges, or events of one, that are read before other code runs. */
const atOnce = 500;

/** The conversations of a recording, in the order in which they began; those requests that are about none are in the one before them. */
export async function recordedConversations({ exchanges }: Recording): Promise<readonly (readonly ReadExchange[])[]> {
  const conversations: ReadExchange[][] = [];
  const byName = new Map<string, ReadExchange[]>();
  let last: ReadExchange[] | undefined;
  let isNamed = false;
  for (const [index, recorded] of exchanges.entries()) {
    if (index % atOnce === 0) await setImmediate();
    const read = await readExchange(recorded);
    const names = namesIn(read);
    const known = names.map(name => byName.get(name)).find(conversation => conversation !== undefined);
    const begins = read.message !== undefined && names.length > 0 && isNamed && conversations.length < maxConversations;
    if (known !== undefined) last = known;
    else if (last === undefined || begins) conversations.push((last = []));
    last.push(read);
    if (read.message === undefined) continue;
    for (const name of names) byName.set(name, last);
    isNamed ||= names.length > 0;
  }
  return conversations;
}

async function readExchange(recorded: RecordedExchange): Promise<ReadExchange> {
  const version = versionFor(recorded.exchange);
  const operation = operations.find(candidate => candidate === recorded.exchange.operation);
  const sends = operation !== undefined && isSend(operation);
  const message = version !== undefined && sends ? sentMessage(recorded, version) : undefined;
  const params = version === undefined || operation === undefined || sends ? undefined : sentParams(recorded, operation, version);
  const sent = { ...recorded, message, asked: params === undefined ? undefined : subjectTask(params) };
  const batches: StreamBatch[] = [];
  try {
    for await (const batch of recordedAnswer(recorded, message)) if (batches.push(batch) % atOnce === 0) await setImmediate();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...sent, batches, fault: error };
  }
  return { ...sent, batches, fault: undefined };
}

/** The contexts and tasks that an exchange is about. */
function namesIn({ message, batches }: ReadExchange): readonly string[] {
  const names = new Set([message?.contextId, message?.taskId]);
  for (const { events } of batches) for (const event of events) names.add(contextIdOf(event)).add(taskIdOf(event));
  return [...names].filter((name): name is string => name !== undefined && name !== '');
}
