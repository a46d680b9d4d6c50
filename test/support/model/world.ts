import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { scriptedAgent, type ScriptedAgent, type ScriptedAgentOptions } from '../../../src/mock/scriptedAgent.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { AgentContexts, type AgentContextsOptions } from '../../../src/model/contexts/agentContexts.ts';
import { ImpossibleEvent } from '../../../src/model/run/runPhase.ts';
import { Agents, type AgentsOptions } from '../../../src/model/agents/agents.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import type { Entry, EntryUpdate } from '../../../src/protocol/message/transcript.ts';
import { openStore } from '../../../src/store/openStore.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';
import { makeEmptyHistory } from './emptyHistory.ts';

/** Waits short enough for tests, and in the proportions of the real ones. */
export const fast = {
  batch: 5,
  linger: 40,
  lingerMessage: 30,
  attend: 1_000,
  hearOut: 250,
  quiet: 500,
  silence: 1_000,
  keptAlive: 6_000,
  stop: 600,
  naming: 900,
  firstPoll: 5,
  maxPollMs: 20,
  firstRetry: 10,
  maxRetryMs: 40,
  giveUp: 5_000,
  tick: 20,
};

/** One window: a process of its own with its own connection to the history. */
export interface Window {
  readonly store: TaskStore;
  /** Its name among the windows that share the history. */
  readonly owner: string;
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly errors: readonly unknown[];
  close(): void;
}

/** A scripted agent, a history on disk, and windows that share it. */
export interface World {
  readonly agent: ScriptedAgent;
  readonly path: string;
  open(options?: Partial<AgentContextsOptions>, ofAgents?: Partial<AgentsOptions>): Window;
  close(): Promise<void>;
}

/** Waits for what must come; fails after a minute, which a busy machine does not need. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > end) assert.fail('it did not come about');
    await new Promise(resolve => setTimeout(resolve, 3));
  }
}

/** How often a window has looked around in the history since: what it does of its own accord it does then. */
export function looksOf({ store }: Pick<Window, 'store'>): () => number {
  let looks = 0;
  const look = store.look.bind(store);
  store.look = () => {
    looks++;
    return look();
  };
  return () => looks;
}

/** Waits until a window has looked around so often. */
export async function looked(window: Pick<Window, 'store'>, times = 5): Promise<void> {
  const looks = looksOf(window);
  await until(() => looks() >= times);
}

export async function startWorld(options: ScriptedAgentOptions): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-model-'));
  const path = join(folder, 'history.db');
  makeEmptyHistory(path);
  const agent = scriptedAgent(options);
  await agent.start();
  const http = new Http({ loadObserver });
  const windows: Window[] = [];
  return {
    agent,
    path,
    open: (more = {}, ofAgents = {}) => {
      const owner = more.owner ?? randomUUID();
      const store = openStore(path);
      const errors: unknown[] = [];
      const onError = (error: unknown): void => {
        errors.push(error);
      };
      const agents = new Agents({ http, onError, ...ofAgents });
      agents.configure({ Ann: { url: agent.url } });
      const contexts = new AgentContexts({ store, agents, timing: fast, onError, ...more, owner });
      let open = true;
      const window: Window = {
        store,
        owner,
        agents,
        contexts,
        errors,
        close: () => {
          if (!open) return;
          open = false;
          contexts.dispose();
          store.close();
        },
      };
      windows.push(window);
      return window;
    },
    close: async () => {
      for (const window of windows) window.close();
      await http.close();
      await agent.stop();
      rmSync(folder, { recursive: true });
      for (const { errors } of windows)
        assert.deepEqual(
          errors.filter(error => error instanceof ImpossibleEvent),
          [],
        );
    },
  };
}

type Word = 'SUBMITTED' | 'WORKING' | 'COMPLETED' | 'FAILED' | 'CANCELED' | 'REJECTED' | 'INPUT_REQUIRED' | 'AUTH_REQUIRED';
const state = (word: Word): TaskState => `TASK_STATE_${word}`;

export const says = (messageId: string, text = messageId): Message => ({ messageId, role: 'ROLE_AGENT', parts: [{ text }] });
export const taskOf = (word: Word, rest: Partial<Task> = {}, words?: Message): Task => ({
  id: 't',
  contextId: 'c',
  status: { state: state(word), ...(words && { message: words }) },
  ...rest,
});
export const task = (word: Word, rest: Partial<Task> = {}, words?: Message): { readonly event: StreamResponse } => ({
  event: { task: taskOf(word, rest, words) },
});
export const status = (word: Word, words?: Message, taskId = 't'): { readonly event: StreamResponse } => ({
  event: { statusUpdate: { taskId, contextId: 'c', status: { state: state(word), ...(words && { message: words }) } } },
});
export const chunk = (text: string, { append = true, lastChunk = false } = {}): { readonly event: StreamResponse } => ({
  event: { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] }, append, lastChunk } },
});
export const first = { append: false };

/** Takes in what a context tells, as a panel does. */
export function panelOf(context: AgentContext): { readonly entries: () => Entry[] } {
  const shown = new Map<number, Entry>(context.entries({ limit: 200 }).items.map(entry => [entry.seq, entry]));
  context.onDidUpdate((updates: readonly EntryUpdate[]) => {
    for (const update of updates) {
      if (update.type === 'put') shown.set(update.entry.seq, update.entry);
      else {
        const entry = shown.get(update.seq);
        if (entry?.kind !== 'artifact') throw new Error('parts for an artifact that was not shown');
        const text = [...entry.artifact.parts, ...update.parts].map(part => ('text' in part ? part.text : '')).join('');
        shown.set(update.seq, {
          ...entry,
          chunks: update.chunks,
          complete: update.complete ?? entry.complete,
          artifact: { ...entry.artifact, parts: [{ text }] },
        });
      }
    }
  });
  return { entries: () => [...shown.values()].sort((one, other) => one.seq - other.seq) };
}

/** An entry in a word or two. */
export function word(entry: Entry): string {
  switch (entry.kind) {
    case 'message':
      return `${entry.message.role === 'ROLE_USER' ? 'I' : 'agent'}: ${textOf(entry.message)}${entry.delivery === undefined ? '' : ` (${entry.delivery})`}`;
    case 'status':
      return `${entry.state.replace('TASK_STATE_', '').toLowerCase()}${entry.message === undefined ? '' : `: ${textOf(entry.message)}`}`;
    case 'artifact':
      return `${entry.artifact.artifactId}=${textOf(entry.artifact)}${entry.complete ? '.' : ''}`;
    case 'problem':
      return `problem ${entry.code}`;
    case 'gap':
      return 'gap';
  }
}

export const textOf = ({ parts }: Pick<Message, 'parts'>): string => parts.map(part => ('text' in part ? part.text : '?')).join('');
