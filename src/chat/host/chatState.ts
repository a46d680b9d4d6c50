import type { RuleLevel } from '../../protocol/ruleId.ts';
import type { Reference } from './draft.ts';
import type { TaskSummary } from '../../protocol/message/transcript.ts';

/** The connection over which a task that has not ended is followed. `taskId` is absent until the answer to a message has named a task. */
export interface ShownConnection {
  readonly taskId?: string;
  /**
   * `open`: this window receives events; `quiet`: it does, and none came for a while; `lost`: it tries to connect again; `unknown-state`: the agent is asked
   * again, since it names a state that A2A does not have; `elsewhere`: another
   * window receives them; `none`: no window does; `full`: no window does or will, as no more is kept of this task.
   */
  readonly kind: 'open' | 'quiet' | 'lost' | 'unknown-state' | 'elsewhere' | 'full' | 'none';
  /** Set where no stream is open, for `open` and `quiet`: the agent is asked again and again. */
  readonly polled?: true;
  /** Milliseconds between the agent's last sign of life and this message; absent where there was none. */
  readonly silent?: number;
  /** Milliseconds since listening began, or since the connection was lost. */
  readonly lasts?: number;
  /** For `lost` and `unknown-state`: the number of the next attempt, from 1, and the milliseconds until it begins. Both are absent while an attempt is running. */
  readonly attempt?: number;
  readonly retryIn?: number;
  /** Why it is lost, or why the agent is only polled, in sentences. */
  readonly reason?: string;
}

/** Something that the next message is about. */
export interface Referral extends Reference {
  /** The message asks for another version of it, which is a task of its own. */
  readonly refine?: true;
}

/** An artifact among its versions. */
export interface ShownVersion {
  /** Its entry. */
  readonly seq: number;
  readonly taskId: string;
  readonly artifactId: string;
  readonly name: string;
  /** The same number for all artifacts that are versions of one another. */
  readonly history: number;
  /** The number of this version, from 1, and the number of all versions. */
  readonly version: number;
  readonly of: number;
  /** See `ArtifactVersion`. */
  readonly same?: 'name' | 'id';
  /** The number of the content, at least 2, where the agent has replaced the content within the task. */
  readonly revision?: number;
  /** Number of earlier revisions that are kept. */
  readonly earlier?: number;
  /** The content was not streamed, but for example read with GetTask. */
  readonly apart?: true;
  readonly verdict?: 'accepted' | 'rejected';
  /** The version to refine: the last accepted one, otherwise the last one that was not rejected. */
  readonly latest?: true;
}

/** Protocol findings of one exchange. */
export interface ExchangeFindings {
  readonly exchangeId: string;
  readonly operation: string;
  /** The task that it is about, where that is known. */
  readonly taskId?: string;
  /** Start time, milliseconds since the epoch. */
  readonly startedAt: number;
  /** One line for each rule and text, at least one. */
  readonly lines: readonly FindingLine[];
}

/** All departures from one rule in one exchange that have the same text. `message` and `pointer` may quote the agent. */
export interface FindingLine {
  readonly rule: string;
  /** Title of the rule; empty where the rule no longer exists. */
  readonly title: string;
  /** Section of the specification. */
  readonly section?: string;
  /** Version of the specification; 1.0 where undefined. */
  readonly specification?: '1.0' | '0.3';
  readonly level?: RuleLevel;
  readonly pointer: string;
  readonly message: string;
  /** `ignoredText` of each finding. */
  readonly ignoredTexts?: readonly string[];
  /** Its place among the exchange's findings. */
  readonly finding: number;
  readonly times: number;
  /** The events that they are about, by their numbers, as far as that is known. */
  readonly events?: readonly number[];
}

/** Everything about the context that is not an entry. */
export interface ChatState {
  readonly agent: string;
  readonly description?: string;
  /** The agent's card at a glance; undefined until it was read. */
  readonly card?: {
    readonly name: string;
    readonly version: string;
    readonly provider?: string;
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly extendedCard: boolean;
    /** Names of the first ones. */
    readonly skills: readonly string[];
    /** Faults of the card: how many, and the first ones as sentences. */
    readonly problems?: { readonly count: number; readonly first: readonly string[] };
  };
  /** `not-configured`: there is no agent of that name. */
  readonly reachability: 'unknown' | 'checking' | 'reachable' | 'unreachable' | 'not-configured';
  /** Time since it was last reachable, as a phrase; empty for less than two minutes. */
  readonly checked: string;
  /** Set for the conversation of an opened recording, into which nothing can be sent. */
  readonly recorded?: true;
  /** Why it is not reachable. */
  readonly problem?: { readonly message: string; readonly nextStep?: string };
  /** Set where the agent's card says how to sign in. */
  readonly signsIn?: true;
  /** When the person last signed in, milliseconds since the epoch; undefined where the agent has refused that credential since. */
  readonly signedInAt?: number;
  /** Set where the agent's settings say that its certificate is not checked. */
  readonly unchecked?: true;
  /** Active connections, newest first. */
  readonly connections: readonly ShownConnection[];
  /** One sentence: which interface is used and why. */
  readonly interface?: string;
  /** Set where that is the interface which the card names first. */
  readonly preferred?: true;
  /** Set where the card has another interface that can be used instead. */
  readonly choices?: true;
  /** Set where answers are checked against the rules of the protocol. */
  readonly checksRules?: true;
  /** Set where VS Code has a chat for *Fix with Chat*. */
  readonly offersFix?: true;
  /** The person's settings have the agent, so interface and extensions can be chosen. */
  readonly configured: boolean;
  readonly extensions: {
    /** Number of protocol extensions in the agent's card and settings. */
    readonly known: number;
    readonly on: number;
    /** URIs of those that the agent requires and that are off, some of them. */
    readonly missing: readonly string[];
  };
  readonly contextId?: string;
  /** The agent's card says what data starts a task. */
  readonly takesForm?: boolean;
  readonly title: string;
  /** The newest, newest first. */
  readonly tasks: readonly TaskSummary[];
  /** Number of tasks of the context. */
  readonly taskCount: number;
  /** The newest artifacts of all tasks, in the order in which they came. */
  readonly artifacts: readonly ShownVersion[];
  /** The task that waits for input or authentication, if any: the next message goes there unless the user says otherwise. */
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
