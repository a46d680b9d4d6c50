import type { OfferedInterface } from '../../client/interfaces/offeredInterface.ts';
import type { AgentCard, AgentInterface } from '../../protocol/card/agentCard.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { LocalizedMessage, Problem } from '../../protocol/problem.ts';
import type { ContextMaker } from '../../protocol/message/transcript.ts';
import type { RequestResult } from '../../request/values/requestResult.ts';
import type { WantedConnection } from '../agents/wantedConnection.ts';
import type { LiveContext } from '../contexts/liveContext.ts';
import type { Run } from '../run/run.ts';
import type { SendOptions } from '../run/sendOptions.ts';

/** The part of `Run` that requests use. */
export type FollowedRun = Pick<
  Run,
  'taskId' | 'state' | 'connection' | 'result' | 'lastReceivedAt' | 'provisional' | 'done' | 'ended' | 'ask' | 'stop' | 'refusal'
>;

/** The part of `LiveContext` that requests use. */
export type RequestContext = Pick<
  LiveContext,
  'key' | 'contextId' | 'onDidUpdate' | 'onDidChangeState' | 'task' | 'trySubscription' | 'call' | 'extendedCard' | 'sendRaw'
> & {
  send(options: SendOptions): FollowedRun;
  subscribeTask(taskId: string, wanted?: WantedConnection): FollowedRun;
};

/** The interface a request was sent over, and why that one. */
export interface SpokenInterface {
  readonly interface: AgentInterface;
  readonly reason: LocalizedMessage;
}

/** The part of `Agent` that requests use. */
export interface RequestAgent {
  readonly name: string;
  readonly card: AgentCard | undefined;
  /** Interfaces of the card as it was read last. */
  readonly interfaces: { readonly offered: readonly OfferedInterface[] };
  /** True if requests to an address need no approval, and if left out. */
  trusts?(url: URL): boolean;
  /** See `Agent`; undefined is false. */
  readonly isDebugged?: boolean;
  /** See `Agent.prepare`. */
  prepare?(): Promise<void>;
  connect(options?: { readonly wanted?: WantedConnection }): Promise<{ readonly chosen: SpokenInterface }>;
}

/** The part of `Agents` and `AgentContexts` that requests use. */
export interface RequestModel {
  readonly agents: {
    /** `chosenByAnswer`: an answer of an agent chose the address, so that it is sent no headers that are not meant for it. */
    find(nameOrUrl: string, options?: { readonly chosenByAnswer?: boolean }): RequestAgent;
    /** True for an agent that the person or the file itself has named; left out, none is. */
    isKnown?(nameOrUrl: string): boolean;
  };
  readonly contexts: {
    get(key: string): RequestContext | undefined;
    create(agent: string, origin?: { readonly madeBy?: ContextMaker }): RequestContext;
    forContextId(agent: string, contextId: string, madeBy?: ContextMaker): RequestContext;
    forTask(agent: string, taskId: string): RequestContext | undefined;
    discard(key: string): boolean;
    /** See `AgentContexts.patiently`. */
    patiently<T>(work: () => T): Promise<T>;
    exchange(id: string): { readonly exchange: Exchange } | undefined;
    /** See `MemoryContexts`; what has a history keeps results there. */
    readonly full?: Problem | undefined;
    keepResult?(result: RequestResult, before?: RequestResult): void;
  };
}
