import { crc32, deflateSync } from 'node:zlib';
import type { ChatSnapshot } from '../../../src/chat/host/messages.ts';
import type { ChatState, ExchangeFindings } from '../../../src/chat/host/chatState.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { ShownState } from '../../../src/protocol/message/taskState.ts';
import type { Entry, MessageEntry, TaskSummary } from '../../../src/protocol/message/transcript.ts';

/** When the stories begin, milliseconds since the epoch: so lately that their end is now. */
export const storyStart = Date.now() - 100_000;

export const idleState: ChatState = {
  agent: 'Sailboat',
  description: 'Draws sailboats and changes them on request.',
  reachability: 'reachable',
  checked: '',
  interface: 'A2A 1.0 over JSON-RPC at http://127.0.0.1:41241: the first interface of the card that is understood',
  configured: true,
  extensions: { known: 0, on: 0, missing: [] },
  title: '',
  tasks: [],
  taskCount: 0,
  artifacts: [],
  connections: [],
  running: false,
  stopping: false,
  examples: [],
};

export function snapshotOf(
  entries: readonly Entry[],
  state: Partial<ChatState> = {},
  findings: readonly ExchangeFindings[] = [],
): ChatSnapshot {
  const connections = (state.tasks ?? [])
    .filter(({ state: of }) => of === 'TASK_STATE_WORKING')
    .map(({ taskId }) => ({ taskId, kind: 'open' as const }));
  return {
    context: 'context-1',
    state: { ...idleState, connections, taskCount: state.tasks?.length ?? 0, ...state },
    entries,
    more: false,
    findings,
    references: [],
    strings: {},
  };
}

export function task(taskId: string, state: ShownState, title: string, at: number): TaskSummary {
  return { taskId, context: 'context-1', state, title, createdAt: storyStart + at, updatedAt: storyStart + at };
}

/** Writes entries in order; times are seconds after the start. */
export class Story {
  readonly entries: Entry[] = [];

  user(seconds: number, text: string, facts: Pick<MessageEntry, 'taskId' | 'delivery' | 'assistant'> = {}): this {
    const { delivery = 'sent', taskId, assistant } = facts;
    const message = { messageId: `u${this.entries.length}`, role: 'ROLE_USER' as const, parts: [{ text }] };
    return this.#add({ kind: 'message', message, delivery, ...(assistant && { assistant }), ...this.#facts(seconds, taskId) });
  }

  agent(seconds: number, parts: readonly Part[], taskId?: string): this {
    return this.#add({
      kind: 'message',
      message: { messageId: `a${this.entries.length}`, role: 'ROLE_AGENT', parts: [...parts] },
      ...this.#facts(seconds, taskId),
    });
  }

  status(seconds: number, taskId: string, state: ShownState, text?: string): this {
    const message =
      text === undefined ? undefined : { messageId: `s${this.entries.length}`, role: 'ROLE_AGENT' as const, parts: [{ text }] };
    return this.#add({ kind: 'status', state, message, ...this.#facts(seconds, taskId) });
  }

  artifact(
    seconds: number,
    taskId: string,
    parts: readonly Part[],
    facts: { name?: string; description?: string; complete?: boolean; chunks?: number } = {},
  ): this {
    const { complete = true, chunks = 1, name, description } = facts;
    return this.#add({
      kind: 'artifact',
      artifact: { artifactId: `x${this.entries.length}`, name, description, parts: [...parts] },
      complete,
      chunks,
      ...this.#facts(seconds, taskId),
    });
  }

  problem(seconds: number, what: string, nextStep: string, details: string, taskId?: string): this {
    return this.#add({
      kind: 'problem',
      code: 'story',
      sentence: { template: what, args: [] },
      nextStep: { template: nextStep, args: [] },
      details,
      ...this.#facts(seconds, taskId),
    });
  }

  gap(seconds: number, taskId: string): this {
    return this.#add({
      kind: 'gap',
      reason: { template: 'The stream was cut here; what the agent said meanwhile may be missing.', args: [] },
      ...this.#facts(seconds, taskId),
    });
  }

  #facts(seconds: number, taskId: string | undefined): { seq: number; at: number; taskId: string | undefined; exchangeId: string } {
    return { seq: this.entries.length + 1, at: storyStart + seconds * 1000, taskId, exchangeId: `exchange-${this.entries.length}` };
  }

  #add(entry: Entry): this {
    this.entries.push(entry);
    return this;
  }
}

/** A real PNG in base64, drawn by a function from coordinates to color: sea, sky and a sail. */
function picture(width: number, height: number, colour: (x: number, y: number) => readonly [number, number, number]): string {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(colour(x / width, y / height), y * (1 + width * 3) + 1 + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

export function sailboat(red: boolean): string {
  return picture(320, 200, (x, y) => {
    if (y > 0.72 + 0.015 * Math.sin(x * 40)) return [24, 78, 119];
    if (y > 0.66 && Math.abs(x - 0.5) < 0.2 - (y - 0.66)) return [94, 60, 38];
    if (y > 0.15 && y < 0.64 && x > 0.5 && x - 0.5 < (y - 0.15) * 0.4) return red ? [200, 44, 50] : [245, 243, 235];
    if (y > 0.2 && y < 0.64 && x < 0.49 && 0.49 - x < (y - 0.2) * 0.28) return red ? [222, 84, 78] : [228, 226, 216];
    return [150 + Math.round(60 * y), 196 + Math.round(30 * y), 230];
  });
}
