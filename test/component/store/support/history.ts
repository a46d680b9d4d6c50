import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../../../../src/protocol/exchange.ts';
import type { Message } from '../../../../src/protocol/message/message.ts';
import type { Part } from '../../../../src/protocol/message/part.ts';
import type { TaskChange } from '../../../../src/protocol/message/taskChange.ts';
import type { TaskState } from '../../../../src/protocol/message/taskState.ts';
import { openStore } from '../../../../src/store/openStore.ts';
import type { TaskStore } from '../../../../src/store/taskStore.ts';
import { makeEmptyHistory } from '../../../support/model/emptyHistory.ts';

export const owner = 'me';
export const at = 1_700_000_000_000;
export const day = 24 * 60 * 60_000;

export const said = (messageId: string, ...parts: (string | Part)[]): Message => ({
  messageId,
  role: 'ROLE_AGENT',
  parts: parts.map(part => (typeof part === 'string' ? { text: part } : part)),
});
export const is = (taskId: string, word: string, words?: Message, timestamp?: string): TaskChange => ({
  kind: 'status',
  taskId,
  status: { state: `TASK_STATE_${word}` as TaskState, ...(words && { message: words }), ...(timestamp && { timestamp }) },
});
export const artifact = (taskId: string, artifactId: string, text: string, complete = true): TaskChange => ({
  kind: 'artifact',
  taskId,
  artifact: { artifactId, parts: [{ text }] },
  complete,
});
export const append = (taskId: string, artifactId: string, text: string, complete = false): TaskChange => ({
  kind: 'append',
  taskId,
  artifactId,
  parts: [{ text }],
  complete,
});

/** An exchange that is over, of which only the names matter; `more` says what else is known of it. */
export const exchangeOf = (id: string, more: Partial<Exchange> = {}): Exchange => ({
  id,
  operation: 'SendStreamingMessage',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  startedAt: at,
  endedAt: at,
  findings: [],
  request: { method: 'POST', url: 'http://agent.example/', headers: [], body: '{}' },
  ...more,
});

/** A history in a folder of its own. */
export class History {
  folder!: string;
  path!: string;
  store!: TaskStore;

  constructor({ opens = true } = {}) {
    if (opens) this.#open();
  }

  /** One that is new for each test of the suite. */
  static ofEachTest(): History {
    const history = new History({ opens: false });
    setup(() => history.#open());
    teardown(() => history.close());
    return history;
  }

  #open(): void {
    this.folder = mkdtempSync(join(tmpdir(), 'a2a-history-'));
    this.path = join(this.folder, 'history.db');
    makeEmptyHistory(this.path);
    this.store = openStore(this.path);
  }

  reopen(): void {
    this.store.close();
    this.store = openStore(this.path);
  }

  close(): void {
    this.store.close();
    rmSync(this.folder, { recursive: true });
  }

  context(agent = 'Ann', contextId?: string, isTest = false): string {
    const key = randomUUID();
    this.store.putContext({ key, agent, at, contextId, madeBy: isTest ? 'test' : 'person' });
    return key;
  }

  record(key: string, changes: readonly TaskChange[], when = at): void {
    this.store.record(key, changes, { at: when, owner });
  }

  /** A context with one message of the agent; returns its key. */
  saying(...parts: (string | Part)[]): string {
    const key = this.context();
    this.record(key, [{ kind: 'message', message: said(randomUUID(), ...parts) }]);
    return key;
  }
}
