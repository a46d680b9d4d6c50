import type { RuleLevel } from '../../protocol/rules/index.ts';
import type { TaskSummary } from '../../protocol/message/transcript.ts';

/** How the agent is heard of in a task that is not over, or in the answer to a message before it has named one (`taskId` is absent then). */
export interface ShownConnection {
  readonly taskId?: string;
  /** `open` and `quiet`: it is listened to here; `lost`: it shall be again; `elsewhere`: another window listens; `none`: nobody does; `full`: the same, for good. */
  readonly kind: 'open' | 'quiet' | 'lost' | 'elsewhere' | 'full' | 'none';
  /** Milliseconds since the agent was last heard of, when this was told; absent where it never was. */
  readonly silent?: number;
  /** Milliseconds since listening began, or since the connection was lost. */
  readonly lasts?: number;
  /** Of a lost one: which attempt is next, from 1, and in how many milliseconds it begins; it is under way without these. */
  readonly attempt?: number;
  readonly retryIn?: number;
  readonly reason?: string;
}

/** Something earlier that a message refers to: a task of this context, or an artifact of one. */
export interface Reference {
  readonly taskId: string;
  readonly artifactId?: string;
}

/** Something that the next message is about. */
export interface Referral extends Reference {
  /** Another version of it is wanted, which is a task of its own. */
  readonly refine?: true;
}

/** An artifact among its versions. */
export interface ShownVersion {
  /** Its entry. */
  readonly seq: number;
  readonly taskId: string;
  readonly artifactId: string;
  readonly name: string;
  /** Artifacts that are versions of one another have the same. */
  readonly history: number;
  /** Counted from 1, and how many there are. */
  readonly version: number;
  readonly of: number;
  /** Of its content, where the agent has replaced that within the task: at least 2. */
  readonly revision?: number;
  /** How many of the revisions before are kept. */
  readonly earlier?: number;
  readonly verdict?: 'accepted' | 'rejected';
  /** It is the one to go on from: the last accepted, or the last that was not rejected. */
  readonly latest?: true;
}

/** Where the agent departed from its protocol in one exchange. */
export interface ExchangeFindings {
  readonly exchangeId: string;
  /** When it began, milliseconds since the epoch. */
  readonly startedAt: number;
  /** At least one, one a rule. */
  readonly lines: readonly FindingLine[];
}

/** All departures from one rule in one exchange; the words of the first. `message` and `pointer` may quote the agent. */
export interface FindingLine {
  readonly rule: string;
  /** What the rule asks for; empty where the rule is not known any more. */
  readonly title: string;
  /** Section of the A2A 1.0 specification. */
  readonly section?: string;
  readonly level?: RuleLevel;
  readonly pointer: string;
  readonly message: string;
  /** Its place among the exchange's findings. */
  readonly finding: number;
  readonly times: number;
}

/** Everything about the context that is not an entry. */
export interface ChatState {
  readonly agent: string;
  readonly description?: string;
  /** `not-configured`: there is no agent of that name. */
  readonly reachability: 'unknown' | 'checking' | 'reachable' | 'unreachable' | 'not-configured';
  /** Why it is not reachable. */
  readonly problem?: { readonly message: string; readonly nextStep?: string };
  /** What is under way, the newest first. */
  readonly connections: readonly ShownConnection[];
  /** One sentence: which interface is spoken and why. */
  readonly interface?: string;
  /** The person's settings have the agent, so interface and extensions can be chosen. */
  readonly configured: boolean;
  readonly extensions: {
    /** How many of the protocol's extensions the agent's card and settings have. */
    readonly known: number;
    readonly on: number;
    /** URIs of those that the agent requires and that are off, some of them. */
    readonly missing: readonly string[];
  };
  readonly contextId?: string;
  /** The agent's card says what data starts a task. */
  readonly takesForm?: boolean;
  readonly title: string;
  /** Newest first. */
  readonly tasks: readonly TaskSummary[];
  /** The newest artifacts of all tasks, in the order in which they came. */
  readonly artifacts: readonly ShownVersion[];
  /** The task that waits for input or authorisation, if any: the next message goes there unless the user says otherwise. */
  readonly waitingTaskId?: string;
  /** A request of this context is under way. */
  readonly running: boolean;
  /** Stop was asked and the agent has not confirmed it. */
  readonly stopping: boolean;
  /** The agent is asked for tasks of which the transcript has nothing yet. */
  readonly loading?: true;
  /** Prompts the card's skills offer. */
  readonly examples: readonly string[];
  /** Media types that the agent's card says its answers can have. */
  readonly outputModes?: readonly string[];
}
