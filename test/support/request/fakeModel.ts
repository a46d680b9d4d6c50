import { subjectTask } from '../../../src/protocol/message/operations.ts';
import { Emitter } from '../../../src/model/emitter.ts';
import type { FollowedRun, RequestAgent, RequestContext, RequestModel } from '../../../src/model/requests/requestPorts.ts';
import type { RunResult, SendOptions } from '../../../src/model/run/sendOptions.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';

type Answer = Pick<RunResult, 'task' | 'message' | 'problem'> & Partial<Pick<RunResult, 'states' | 'findings'>>;

/** One thing that was sent, with everything that would have gone to the agent. */
export interface Sent {
  readonly agent: string;
  readonly context: string;
  readonly what: string;
  readonly options: unknown;
}

const text = ({ parts }: SendOptions): string => parts.map(part => ('text' in part ? part.text : '?')).join('+');

const taskIn = (state: TaskState, id: string, contextId: string): Task => ({ id, contextId, status: { state } });

/**
 * Agents and contexts in memory. `answer` says what becomes of a message; by default a task that is completed, `t1`, `t2` … in the order
 * of sending, and one context id for each context.
 */
export class FakeModel implements RequestModel {
  readonly sent: Sent[] = [];
  /** How many wait for the agent `Slow`, which never answers; `Dead` refuses and `Nobody` is unknown. */
  connecting = 0;
  readonly #contexts = new Map<string, RequestContext>();
  readonly #tasks = new Map<string, Task>();
  #taskCount = 0;
  streaming = true;
  answer: (words: string, context: string) => Answer | Promise<Answer> = (_words, context) => ({
    task: this.task('TASK_STATE_COMPLETED', context),
  });
  /** What a raw body brings, batch by batch. */
  raw: readonly { readonly events: readonly StreamResponse[]; readonly results: readonly unknown[] }[] = [];
  /** Called with the message that is sent; what it returns is called on stop. */
  onStop: (words: string) => void = () => {};
  /** What was followed so far, in the order of sending. */
  readonly followed: WeakRef<FollowedRun>[] = [];
  /** Why the agent cancels nothing. */
  refusal: Problem | undefined;

  /** A new task, `t1`, `t2` …, of the context, as the agent would make it. */
  task(state: TaskState, context: string, id = `t${++this.#taskCount}`): Task {
    const task = taskIn(state, id, `id of ${context}`);
    this.#tasks.set(id, task);
    return task;
  }

  readonly agents: RequestModel['agents'] = {
    find: name => {
      if (name === 'Nobody') throw new Problem('unknown-agent', sentence('No agent is called "{0}".', name));
      const agent: RequestAgent = {
        name,
        interfaces: { offered: [] },
        card: {
          name,
          description: '',
          version: '1',
          capabilities: { streaming: this.streaming },
          supportedInterfaces: [],
          defaultInputModes: [],
          defaultOutputModes: [],
          skills: [],
        },
        connect: async () => {
          await Promise.resolve();
          if (name === 'Slow') {
            this.connecting += 1;
            await new Promise(() => {});
          }
          if (name === 'Dead') throw new Problem('unreachable', sentence('Connection refused: no server is listening at {0}.', 'dead:1'));
          return {
            chosen: {
              interface: { url: 'http://fake', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
              reason: sentence('It is a fake.'),
            },
          };
        },
      };
      return agent;
    },
  };

  readonly contexts: RequestModel['contexts'] = {
    get: key => this.#contexts.get(key),
    create: agent => this.#context(agent, `context ${this.#contexts.size + 1}`),
    forContextId: (agent, contextId) => this.#contexts.get(contextId) ?? this.#context(agent, contextId),
    // Nothing is written down here, so every context was used.
    discard: () => false,
    patiently: work => Promise.resolve().then(work),
    exchange: () => undefined,
    forTask: (_agent, taskId) => [...this.#contexts.values()].find(({ key }) => this.#tasks.get(taskId)?.contextId === `id of ${key}`),
  };

  #context(agent: string, key: string): RequestContext {
    const note = (what: string, options: unknown): void => void this.sent.push({ agent, context: key, what, options });
    const updates = new Emitter<never[]>();
    const context: RequestContext = {
      key,
      contextId: undefined,
      onDidUpdate: updates.event,
      onDidChangeState: new Emitter<void>().event,
      task: id => this.#tasks.get(id),
      send: options => {
        note(text(options), options);
        return this.#run(text(options), () => this.answer(text(options), key));
      },
      subscribeTask: id => {
        note(`subscribe ${id}`, undefined);
        return this.#run(`subscribe ${id}`, () => ({ task: this.#tasks.get(id) }));
      },
      trySubscription: async id => note(`try to subscribe ${id}`, undefined),
      call: async (operation, params) => {
        note(operation, params);
        await Promise.resolve();
        const id = subjectTask(params) ?? '';
        const result =
          operation === 'ListTasks'
            ? { tasks: [...this.#tasks.values()], nextPageToken: '', pageSize: 1, totalSize: 1 }
            : this.#tasks.get(id);
        if (result === undefined) throw new Problem('agent-error', sentence('No task {0}', id));
        return { result: result as never, exchangeId: `x${this.sent.length}`, findings: [] };
      },
      extendedCard: async params => {
        note('GetExtendedAgentCard', params);
        await Promise.resolve();
        return { result: { name: agent }, exchangeId: `x${this.sent.length}`, findings: [] };
      },
      sendRaw: body => {
        note(body, undefined);
        const { raw } = this;
        return (async function* () {
          await Promise.resolve();
          for (const batch of raw) yield { exchangeId: 'x-raw', frames: [], findings: [], ...batch };
        })();
      },
    };
    this.#contexts.set(key, context);
    return context;
  }

  #run(words: string, answer: () => Answer | Promise<Answer>): FollowedRun {
    const startedAt = performance.timeOrigin + performance.now();
    let result: RunResult = { delivery: 'sending', states: [], findings: [], startedAt, endedAt: startedAt, exchangeIds: [] };
    const done = (async (): Promise<RunResult> => {
      const told = await answer();
      const states = told.task === undefined ? [] : [told.task.status.state];
      return (result = {
        states,
        findings: [],
        ...told,
        delivery: 'sent',
        startedAt,
        firstEventAt: startedAt + 1,
        endedAt: startedAt + 2,
        exchangeIds: [`x${this.sent.length}`],
      });
    })();
    let refusal: Problem | undefined;
    const run: FollowedRun = {
      get refusal() {
        return refusal;
      },
      taskId: undefined,
      state: undefined,
      connection: { kind: 'none' },
      lastReceivedAt: undefined,
      provisional: undefined,
      done,
      ended: done.then(() => {}),
      get result() {
        return result;
      },
      ask: async () => {},
      stop: async () => {
        this.onStop(words);
        refusal = this.refusal;
        if (refusal !== undefined) return 'not-cancelable';
        await done;
        return 'canceled';
      },
    };
    this.followed.push(new WeakRef(run));
    return run;
  }
}
