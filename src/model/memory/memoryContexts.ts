import { randomUUID } from 'node:crypto';
import { inBoth, type WireLog } from '../../client/wireLog/wireLog.ts';
import type { Exchange, Frame } from '../../protocol/exchange.ts';
import type { ContextMaker } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { RequestResult } from '../../request/values/requestResult.ts';
import type { Agents } from '../agents/agents.ts';
import { unknownAgent } from '../contexts/unknownAgent.ts';
import type { Disposable } from '../emitter.ts';
import { roughLength } from '../fold/roughLength.ts';
import { runTiming, type RunTiming } from '../run/runTiming.ts';
import type { OnLostStream } from './lostStreams.ts';
import { MemoryContext } from './memoryContext.ts';

interface MemoryContextsOptions {
  readonly agents: Pick<Agents, 'get'>;
  readonly timing?: Partial<RunTiming>;
  readonly onLostStream?: OnLostStream;
  readonly onError: (error: unknown) => void;
  /** Another log of what is on the wire between this program and an agent. */
  readonly logOf?: (agentName: string) => WireLog | undefined;
  readonly bounds?: typeof memoryBounds;
}

/** Most that one task may send, in bytes; that is kept of exchanges, of which the oldest go first, and of results, in code units. */
const memoryBounds = { task: 64 * 2 ** 20, exchanges: 64 * 2 ** 20, results: 256 * 2 ** 20 };

interface KeptExchange {
  readonly exchange: Exchange;
  readonly frames: Frame[];
  /** In code units: of what the agent decides the length of, and of the frames. */
  readonly length: number;
  framesLength: number;
}

/** The contexts of a program that keeps no history: what its requests need of one another, and nothing else. */
export class MemoryContexts implements Disposable {
  readonly #options: MemoryContextsOptions;
  readonly #timing: RunTiming;
  readonly #bounds: typeof memoryBounds;
  readonly #contexts = new Map<string, MemoryContext>();
  /** Keys by agent and the agent's id of a context. */
  readonly #byContextId = new Map<string, string>();
  readonly #byTask = new Map<string, string>();
  readonly #exchanges = new Map<string, KeptExchange>();
  #length = 0;
  #resultsLength = 0;
  readonly #log: WireLog;

  constructor(options: MemoryContextsOptions) {
    this.#options = options;
    this.#timing = { ...runTiming, ...options.timing };
    this.#bounds = options.bounds ?? memoryBounds;
    this.#log = {
      exchange: exchange => this.#keep(exchange),
      frames: (id, frames) => this.#keepFrames(id, frames),
    };
  }

  get(key: string): MemoryContext | undefined {
    return this.#contexts.get(key);
  }

  create(agentName: string, { contextId }: { readonly contextId?: string; readonly madeBy?: ContextMaker } = {}): MemoryContext {
    const key = randomUUID();
    const { agents, onLostStream, onError, logOf } = this.#options;
    const other = logOf?.(agentName);
    const context = new MemoryContext({
      key,
      agentName,
      contextId,
      timing: this.#timing,
      maxTaskBytes: () => this.#bounds.task,
      agent: () => agents.get(agentName) ?? unknownAgent(agentName),
      log: other === undefined ? this.#log : inBoth(this.#log, other),
      holderOf: taskId => this.forTask(agentName, taskId),
      onTask: taskId => {
        if (!this.#byTask.has(idOf(agentName, taskId))) this.#byTask.set(idOf(agentName, taskId), key);
      },
      onContextId: id => {
        if (!this.#byContextId.has(idOf(agentName, id))) this.#byContextId.set(idOf(agentName, id), key);
      },
      onLostStream,
      onError,
    });
    this.#contexts.set(key, context);
    if (contextId !== undefined) this.#byContextId.set(idOf(agentName, contextId), key);
    return context;
  }

  forContextId(agent: string, contextId: string): MemoryContext {
    const key = this.#byContextId.get(idOf(agent, contextId));
    return (key === undefined ? undefined : this.#contexts.get(key)) ?? this.create(agent, { contextId });
  }

  forTask(agent: string, taskId: string): MemoryContext | undefined {
    const key = this.#byTask.get(idOf(agent, taskId));
    return key === undefined ? undefined : this.#contexts.get(key);
  }

  /** Forgets a context in which nothing happened; false if something did. */
  discard(key: string): boolean {
    const context = this.#contexts.get(key);
    if (context?.isEmpty !== true) return false;
    context.dispose();
    this.#contexts.delete(key);
    return true;
  }

  /** There is no other writer. */
  async patiently<T>(work: () => T): Promise<T> {
    return work();
  }

  /** Why nothing more is sent: the results of requests are kept until the end, as others may refer to them. */
  get full(): Problem | undefined {
    const most = this.#bounds.results;
    if (this.#resultsLength <= most) return undefined;
    return new Problem(
      'results-too-large',
      sentence('The request was not sent: the answers so far exceed the limit of {0} MiB.', most / 2 ** 20),
      { nextStep: sentence('Send fewer requests at a time, or ask the agents for less.') },
    );
  }

  /** Counts the result of a request. `before`: what it takes the place of, where it was sent before. */
  keepResult(result: RequestResult, before?: RequestResult): void {
    this.#resultsLength += resultLength(result);
    // The result of another task stays counted.
    if (before !== undefined && (before.task === undefined || before.task.id === result.task?.id))
      this.#resultsLength -= resultLength(before);
  }

  /** Undefined for one that was let go. */
  exchange(id: string): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    return this.#exchanges.get(id);
  }

  /** Drops exchanges that are not read any more. */
  drop(ids: Iterable<string>): void {
    for (const id of ids) {
      const kept = this.#exchanges.get(id);
      if (kept !== undefined) this.#length -= kept.length + kept.framesLength;
      this.#exchanges.delete(id);
    }
  }

  dispose(): void {
    for (const context of this.#contexts.values()) context.dispose();
    this.#contexts.clear();
    this.#exchanges.clear();
  }

  #keep(exchange: Exchange): void {
    const kept = this.#exchanges.get(exchange.id);
    const length = lengthOf(exchange);
    this.#exchanges.set(exchange.id, { framesLength: 0, frames: [], ...kept, exchange, length });
    this.#length += length - (kept?.length ?? 0);
    this.#bound();
  }

  #keepFrames(id: string, frames: readonly Frame[]): void {
    const kept = this.#exchanges.get(id);
    if (kept === undefined) return;
    for (const frame of frames) {
      kept.frames.push(frame);
      const length = frameLength(frame);
      kept.framesLength += length;
      this.#length += length;
    }
    this.#bound();
  }

  /** The newest exchange always stays: the bound of one task is its bound. */
  #bound(): void {
    for (const id of this.#exchanges.keys()) {
      if (this.#length <= this.#bounds.exchanges || this.#exchanges.size === 1) return;
      this.drop([id]);
    }
  }
}

const together = (...texts: readonly (string | undefined)[]): number => texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);

const lengthOf = ({ request, response, failure }: Exchange): number =>
  together(request.body, request.bytes, response?.body, response?.bytes, failure);

const frameLength = ({ data, bytes, event, id, around = [] }: Frame): number => together(data, bytes, event, id, ...around);

const resultLength = ({ task, message, value }: RequestResult): number => roughLength({ task, message, value }, Infinity);

const idOf = (agent: string, id: string): string => `${agent}\n${id}`;
