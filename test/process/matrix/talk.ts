import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AgentClient } from '../../../src/client/agentClient.ts';
import type { StreamBatch } from '../../../src/client/transport/transport.ts';
import { TaskReducer } from '../../../src/model/fold/taskReducer.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import type { Finding } from '../../../src/protocol/finding.ts';
import type { UnaryOperation, OperationParams, UnaryResults } from '../../../src/protocol/message/operations.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import { taskIdOf, type StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { MatrixAgent } from './matrixAgent.ts';

/** Where a message goes. */
export type Into = Pick<Task, 'contextId'> & { readonly taskId?: string };

/** A stream as it comes: every event so far, and the task they make. */
export interface Heard {
  readonly events: readonly StreamResponse[];
  readonly task: Task;
}

/** What a behaviour does with one agent over one binding; every departure on the way is kept. */
export class Talk {
  readonly agent: MatrixAgent;
  readonly client: AgentClient;
  readonly findings: Finding[] = [];
  readonly #parts: (text: string) => Part[];

  constructor(agent: MatrixAgent, client: AgentClient, parts: (text: string) => Part[] = text => [{ text }]) {
    this.agent = agent;
    this.client = client;
    this.#parts = parts;
  }

  message(text: string, into?: Into): OperationParams['SendMessage'] {
    return { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: this.#parts(text), ...into } };
  }

  async call<O extends UnaryOperation>(operation: O, params: OperationParams[O]): Promise<UnaryResults[O]> {
    const { result, findings } = await this.client.call(operation, params);
    this.findings.push(...findings);
    return result;
  }

  /** SendMessage whose answer is a task. */
  async task(text: string, into?: Into): Promise<Task> {
    const answer = await this.call('SendMessage', this.message(text, into));
    assert.ok('task' in answer, `a task was expected, not ${JSON.stringify(answer)}`);
    return answer.task;
  }

  stream(text: string, into?: Into): AsyncGenerator<Heard> {
    return this.#hear(this.client.stream('SendStreamingMessage', this.message(text, into)));
  }

  /** `known`: the task as far as it was heard of. */
  subscribe(id: string, known?: Task): AsyncGenerator<Heard> {
    return this.#hear(this.client.stream('SubscribeToTask', { id }), known && new TaskReducer(id, { task: known, complete: new Set() }));
  }

  async *#hear(batches: AsyncIterable<StreamBatch>, known?: TaskReducer): AsyncGenerator<Heard> {
    const events: StreamResponse[] = [];
    let folded = known;
    for await (const batch of batches) {
      this.findings.push(...batch.findings);
      for (const event of batch.events) {
        events.push(event);
        folded ??= new TaskReducer(taskIdOf(event) ?? '');
        folded.apply(event);
        yield { events, task: folded.task };
      }
    }
  }
}

/** The last of a stream. */
export function end(stream: AsyncIterable<Heard>): Promise<Heard> {
  return until(stream, () => false);
}

/** The first of a stream that is as wanted; the last where none is. The stream goes on to be listened to. */
export async function until(stream: AsyncIterable<Heard>, wanted: (heard: Heard) => boolean): Promise<Heard> {
  const iterator = stream[Symbol.asyncIterator]();
  let last: Heard | undefined;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    last = next.value;
    if (wanted(last)) break;
  }
  assert.ok(last !== undefined, 'the stream had no event');
  return last;
}

/** The text of all artifacts, also of one that is data with a text in it. */
export const made = ({ artifacts = [] }: Task): string =>
  artifacts
    .map(({ parts }) =>
      parts.map(part => ('text' in part ? part.text : 'data' in part ? (part.data as { text?: string }).text : '')).join(''),
    )
    .join('|');

/** Whether an agent's error has this name, for `assert.rejects`. */
export const isNamed =
  (name: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof A2AError, String(error));
    assert.equal(error.errorName, name);
    return true;
  };
