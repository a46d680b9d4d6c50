import type { Finding } from './finding.ts';
import type { LocalizedMessage } from './problem.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Outcome of a push notification. `applied`: it changed the task; `stream`: the task's stream is open and has the same; `older`: more is
 * known already; `asked`: the agent was asked for the whole task instead; `elsewhere`: another window follows the task; `repeated`: it was
 * delivered before; `rehearsed`: it was answered with a failure on purpose, so that the agent sends it again; `refused` and `unreadable`:
 * nothing of it counts.
 */
export type ReceivedOutcome = 'applied' | 'stream' | 'older' | 'asked' | 'elsewhere' | 'repeated' | 'rehearsed' | 'refused' | 'unreadable';

/** The facts that are kept of a push notification beside its request and our answer. */
export interface ReceivedFacts {
  readonly outcome: ReceivedOutcome;
  readonly verdicts: readonly { readonly outcome: 'passed' | 'failed' | 'absent'; readonly sentence: LocalizedMessage }[];
  /** Set where our answer was a rehearsal of a failure; `slow` says after how many milliseconds it came. */
  readonly rehearsed?: { readonly kind: 'error' | 'redirect' | 'silent' } | { readonly kind: 'slow'; readonly ms: number };
}

/** The security requirement of an agent card that a request satisfies (A2A 1.0 §4.5.8). */
export interface SatisfiedRequirement {
  /** Names of security schemes, all of them satisfied. */
  readonly schemes: readonly string[];
  /** Under which name the person keeps the sign-in; `default` where they gave none. */
  readonly identity: string;
}

/** In which coding a body came (RFC 9110 §8.4): how many bytes there were, and how many they became. */
export interface CodedBody {
  readonly coding: string;
  readonly came: number;
  readonly became: number;
}

/**
 * One request and its answer as they were on the wire. Header values with credentials are already masked; everything else is kept unchanged
 * (bodies as UTF-8 text, decompressed). Times are milliseconds since the epoch, with fractions.
 */
export interface Exchange {
  readonly id: string;
  /** An A2A 1.0 operation, or `AgentCard` for fetching a card. */
  readonly operation: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body: string;
    /** The original bytes in base64, where the body was not text. `body` is then the same as ProtoJSON. */
    readonly bytes?: string;
  };
  readonly startedAt: number;
  readonly response?: {
    readonly status: number;
    readonly headers: Headers;
    /** The whole body; absent for an event stream (see `Frame`). */
    readonly body?: string;
    /** As `bytes` of the request. */
    readonly bytes?: string;
    /** Headers that were sent after the body. */
    readonly trailers?: Headers;
    /** Set where the body was longer than the limit and was cut there. */
    readonly truncated?: boolean;
    /** Set where the body, or the stream, came in a coding; everything else about it is decoded. */
    readonly coded?: CodedBody;
  };
  /** When the headers of the response had arrived. */
  readonly headersAt?: number;
  readonly endedAt?: number;
  /** Why the exchange ended early, in English. */
  readonly failure?: string;
  /** The same with its values apart, to be translated; undefined where nothing but the text is known. */
  readonly failureSentence?: LocalizedMessage;
  readonly findings: readonly Finding[];
  /** Set where a sign-in gave the request its credentials. */
  readonly satisfies?: SatisfiedRequirement;
  /** Set where the agent sent the request and this program answered: a push notification. */
  readonly received?: ReceivedFacts;
}

/** `Exchange.failure` where this program closed an answer before the agent ended it: nothing failed at the agent. */
export const closedByClient = 'Closed by the client.';

/** The same where it was under way when its window closed. */
export const closedWithWindow = 'Cut off when the window closed.';

/** A push notification in the timeline of its task. */
export interface ReceivedSummary {
  readonly exchangeId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The beginning of its body. */
  readonly body: string;
  /** Undefined where it was not answered. */
  readonly status?: number;
  readonly received: ReceivedFacts;
}

/** An exchange as lists show it, without headers and bodies. Times as in `Exchange`. */
export interface ExchangeSummary
  extends Pick<
    Exchange,
    'id' | 'operation' | 'protocolBinding' | 'protocolVersion' | 'startedAt' | 'headersAt' | 'endedAt' | 'failure' | 'failureSentence'
  > {
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  /** The error in the body of the answer, shortened. */
  readonly error?: string;
  /** How many events the stream has had so far, and when the first arrived. */
  readonly frames: number;
  readonly firstFrameAt?: number;
  /** Which rules were broken, and by which event, as far as that is known. */
  readonly findings: readonly Pick<Finding, 'rule' | 'frame' | 'times' | 'alsoIn'>[];
  /** Set for push notifications. */
  readonly received?: Pick<ReceivedFacts, 'outcome' | 'rehearsed'>;
  readonly sent: BodyHead;
  /** Absent for an event stream, and before the answer has arrived. */
  readonly answered?: BodyHead;
}

/** The size of a body, in bytes of UTF-8, and its first characters; `head` is empty where a long body is kept elsewhere. */
export interface BodyHead {
  readonly size: number;
  readonly head: string;
}

/** The line of a body or an event in a table of the wire. */
export interface WireLine {
  /** Bytes of UTF-8. */
  readonly size: number;
  /** The kind of body or event, in words of the protocol: `status ▸ working`, `artifact +1`. */
  readonly type: string;
  /** The text that is in it, or else its JSON: one line of at most some hundred characters. Untrusted. */
  readonly preview: string;
  /** Neighbours with the same text here differ only in what they say, and can be shown as one. */
  readonly alike?: string;
  /** The method of a request that is not named as its operation, such as `message/send`. */
  readonly method?: string;
  /** Set where it has the state of a task: whether the agent still works on that. */
  readonly active?: boolean;
}

/** An event of a stream as a line. Number and time as in `Frame`. */
export interface WireEvent extends WireLine {
  readonly seq: number;
  readonly at: number;
}

/** One event of a stream as it was on the wire: a server-sent event, a WebSocket message or a message of a gRPC stream. */
export interface Frame {
  /** 0 for the first event of its exchange. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly data: string;
  /** The original bytes in base64, where the event was not text. `data` is then the same as ProtoJSON. */
  readonly bytes?: string;
  readonly event?: string;
  readonly id?: string;
  /**
   * The text before, between and after the lines of `data` since the event before: comments, other fields, spaces and line ends, so that
   * `eventText` has the text as it came. Absent for `data: `, the data and a line feed, and where it is not known.
   */
  readonly around?: readonly string[];
}
