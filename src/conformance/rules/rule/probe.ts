import type { AgentInterface, AgentCard } from '../../../protocol/card/agentCard.ts';
import type { Exchange, Frame, Headers } from '../../../protocol/exchange.ts';
import type { Operation, OperationParams } from '../../../protocol/message/operations.ts';
import type { Part } from '../../../protocol/message/part.ts';
import type { TaskState } from '../../../protocol/message/taskState.ts';
import type { LocalizedMessage } from '../../../protocol/problem.ts';
import type { Verdict } from './verdict.ts';
import type { AnswerView, Fields } from './passiveCheck.ts';
import type { RuleVersion } from './rule.ts';

/** Result of a check. */
export interface ProbeResult {
  readonly verdict: Verdict;
  /** A sentence with the values that decided it. */
  readonly why: LocalizedMessage;
  /** Id of the exchange that it rests on. */
  readonly exchangeId?: string;
  /** Number of the event that it rests on, in a stream. */
  readonly frame?: number;
  /** RFC 6901 pointer into the body or the event's data. */
  readonly pointer?: string;
}

/** An exchange that a probe caused, with its answer opened. */
export interface ProbeAnswer extends AnswerView {
  readonly exchange: Exchange;
}

/** How a request differs from what the client would send. */
export interface ProbeOptions {
  /**
   * Instead of those that the binding sends under the same names, in any case; a value of undefined leaves the header out. Over gRPC only
   * the service parameters, version and extensions, are looked at.
   */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Members that are added to the parameters as they are written in the version's form, or replace those of that name. */
  readonly members?: Fields;
  /** Longest time, in milliseconds. */
  readonly timeoutMs?: number;
  /** The version whose rules the exchange is judged by on the way; that of the interface where undefined. */
  readonly judgedAs?: RuleVersion;
}

/** A request of which nothing is made by the binding but its address and the headers that every request has. */
export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Added to the interface's address, with its query; `""` for the address itself. */
  readonly path: string;
  readonly headers?: ProbeOptions['headers'];
  readonly body?: string;
  readonly judgedAs?: ProbeOptions['judgedAs'];
}

/** An event with its JSON opened. */
export interface ProbeEvent {
  readonly frame: Frame;
  readonly result: unknown;
  /** Set for an event that is an error. */
  readonly error: AnswerView['error'];
}

/** A stream that a probe opened. */
export interface ProbeStream {
  readonly exchangeId: string;
  readonly events: AsyncIterable<ProbeEvent>;
  /** Once the events are over: the answer where the agent gave one instead of a stream. */
  answer(): ProbeAnswer | undefined;
  /** The latest record of the exchange. */
  exchange(): Exchange | undefined;
  close(): void;
}

/** A task that the agent was made to begin. */
export interface MadeTask {
  readonly taskId: string;
  readonly contextId: string | undefined;
  /** The state in 1.0's words; undefined until one was received. */
  readonly state: TaskState | undefined;
}

/** The agent's answer to a message that starts a task. */
export interface Begun {
  readonly answer: ProbeAnswer;
  /** Undefined where it is a message or an error. */
  readonly task: MadeTask | undefined;
}

/** The kinds of work that a message, from the card or from a person, can start. */
export type Made = 'task' | 'long-task' | 'input-required' | 'auth-required';

/** A webhook that the agent can reach. */
export interface ProbeReceiver {
  readonly url: string;
  /** Deliveries as they come; ends with the receiver. */
  readonly deliveries: AsyncIterable<{ readonly exchangeId: string; readonly headers: Headers; readonly json: unknown }>;
  close(): Promise<void> | void;
}

/** Why there is no webhook that the agent can reach, and what can be done about it. */
export interface Unreachable {
  readonly unreachable: LocalizedMessage;
}

/**
 * The agent as a probe sees it: one interface of its card, with full control over the bytes that are sent. Whatever the agent answers is an
 * answer; a rejection means that the agent could not be asked, which the runner turns into `inconclusive`.
 */
export interface ProbePort {
  readonly version: RuleVersion;
  readonly interface: AgentInterface;
  /** As it was read, in 1.0's shape. */
  readonly card: AgentCard;
  /** There is no card: `card` says nothing but the interface that a person gave. */
  readonly noCard?: boolean | undefined;
  /** As it came. */
  readonly cardJson: Fields;
  /** Address of the card. */
  readonly cardUrl: string;
  /** Aborted when the suite is stopped. */
  readonly signal: AbortSignal;

  /** The operation in the version's form, with parameters in core shape. Streaming operations are opened with `stream`. */
  call<O extends Operation>(operation: O, params: OperationParams[O], options?: ProbeOptions): Promise<ProbeAnswer>;
  /** A body as it is written; undefined over a binding where a body alone is not a request (gRPC). */
  raw(request: RawRequest): Promise<ProbeAnswer> | undefined;
  stream<O extends 'SendStreamingMessage' | 'SubscribeToTask'>(
    operation: O,
    params: OperationParams[O],
    options?: ProbeOptions,
  ): Promise<ProbeStream>;
  /** A GET of an address of the agent's origin, such as its card's. */
  get(url: string, headers?: ProbeOptions['headers']): Promise<ProbeAnswer>;
  /**
   * Makes the agent begin work; undefined if there is no message for that. The task that was begun before is returned again, unless another
   * one is wanted: agents may take long, and cost money.
   */
  make(what: Made, another?: 'another'): Promise<Begun> | undefined;
  /** The parts to send for that; undefined if there are none. */
  prompt(what: Made): readonly Part[] | undefined;
  /** Starts a webhook; the reason where there is none that the agent can reach, undefined where none can be had at all. */
  receiver(): Promise<ProbeReceiver | Unreachable | undefined>;
  /** The same interface with other credentials: none at all, wrong ones, or a second identity; undefined where there is no such. */
  as(identity: 'anonymous' | 'wrong' | 'other'): ProbePort | undefined;
  /** The other interfaces of the card in the same protocol version, with the same credentials. */
  siblings(): readonly ProbePort[];
  /** Asks for the extended card (A2A 1.0 §3.1.11). */
  extendedCard(options?: ProbeOptions): Promise<ProbeAnswer>;
  /** The verdict on the card's signatures; undefined if they cannot be checked. */
  signature(): Promise<{ readonly verdict: string; readonly message: LocalizedMessage } | undefined>;
}

/** An interface as its card declares it, before anything is sent. */
export type Declared = Pick<ProbePort, 'version' | 'interface' | 'card' | 'noCard' | 'siblings'>;

/** How a rule is checked by asking the agent. */
export interface Probe {
  /** Why the agent need not be asked, where it need not: it does not claim the capability. */
  readonly unless?: (port: Declared) => LocalizedMessage | undefined;
  /** Set where what is sent has to be refused: an agent that closes the connection instead breaks the rule. */
  readonly mustRefuse?: true;
  run(port: ProbePort): Promise<ProbeResult>;
  /** The part of the check that starts no task. Where starting tasks is not allowed, it can show that the rule is broken. */
  readonly withoutWork?: (port: ProbePort) => Promise<ProbeResult>;
}
