import type { Finding } from '../finding.ts';
import type { Message } from './message.ts';
import type { Part } from './part.ts';
import type { LocalizedMessage } from '../problem.ts';
import type { Artifact } from './task.ts';
import type { ShownState } from './taskState.ts';

/** What happened in one context, in order: this is what the chat panel shows and the history keeps. */
export type Entry = MessageEntry | StatusEntry | ArtifactEntry | ProblemEntry | GapEntry;

interface EntryFacts {
  /** Position in the history, growing, unique across contexts. */
  readonly seq: number;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly at: number;
  /** Nobody knows when it happened: it was told afterwards. `at` is not to be shown. */
  readonly untimed?: true;
  /** The task it belongs to, as the agent named it. */
  readonly taskId?: string;
  /** The exchange that brought or carried it. */
  readonly exchangeId?: string;
}

/**
 * How far a message of the user got. `sending`: written down, the answer has not begun; `sent`: the agent has begun to answer;
 * `refused`: the agent answered with an error, or could not be reached at all; `unknown`: the connection broke before any answer,
 * so the agent may or may not have it.
 */
export type Delivery = 'sending' | 'sent' | 'refused' | 'unknown';

/** A message of the user, or an agent's answer that is a message. */
export interface MessageEntry extends EntryFacts {
  readonly kind: 'message';
  readonly message: Message;
  /** Only for messages that were sent from here. */
  readonly delivery?: Delivery;
}

/** A task's status; `message` is what the agent said with it. */
export interface StatusEntry extends EntryFacts {
  readonly kind: 'status';
  readonly state: ShownState;
  readonly message?: Message;
  /** As the agent sent it. */
  readonly timestamp?: string;
  /** Of the update that told it; a number `progress` in it is how far the work is, in percent. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** An artifact as far as it has arrived. Adjacent text chunks are joined into one part here (only here). */
export interface ArtifactEntry extends EntryFacts {
  readonly kind: 'artifact';
  readonly artifact: Artifact;
  /** False while more chunks are expected. */
  readonly complete: boolean;
  /** How many updates brought it. */
  readonly chunks: number;
  /** The `artifactId` of an earlier one of its task, whose whole text the agent told again in this one. */
  readonly retells?: string;
}

/** Something went wrong; shown with its next step. */
export interface ProblemEntry extends EntryFacts {
  readonly kind: 'problem';
  readonly code: string;
  readonly sentence: LocalizedMessage;
  readonly nextStep?: LocalizedMessage;
  readonly details?: string;
}

/** The stream was cut here; what the agent said meanwhile may be missing. */
export interface GapEntry extends EntryFacts {
  readonly kind: 'gap';
  readonly reason: LocalizedMessage;
  /** The agent has told the whole task since, so that nothing of it is missing any more. */
  readonly filled?: true;
}

/** What an entry says or brings; nothing where it is a problem or a gap. */
export function partsOf(entry: Entry): readonly Part[] {
  switch (entry.kind) {
    case 'message':
      return entry.message.parts;
    case 'status':
      return entry.message?.parts ?? [];
    case 'artifact':
      return entry.artifact.parts;
    default:
      return [];
  }
}

/**
 * A change to a transcript that is on show: an entry put (new, or replacing the one of its seq), or parts added to an artifact, with
 * `complete` where that changed.
 */
export type EntryUpdate =
  | { readonly type: 'put'; readonly entry: Entry }
  | {
      readonly type: 'append';
      readonly seq: number;
      readonly parts: readonly Part[];
      readonly chunks: number;
      readonly complete?: boolean;
    };

/** A task as lists show it. */
export interface TaskSummary {
  readonly taskId: string;
  /** Key of the context it belongs to, in this history. */
  readonly context: string;
  readonly state: ShownState;
  /** The message that started it, shortened; the agent's words where no such message is known. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly findings?: readonly Finding[];
  /** Comes first in lists. */
  readonly pinned?: true;
  /** When the agent last listed it, in milliseconds since the epoch. */
  readonly seenRemotelyAt?: number;
  /** Known from the agent's list alone: nothing of it was ever asked for or heard here. */
  readonly remoteOnly?: true;
}

/** A context as lists show it. */
export interface ContextSummary {
  /** Key in this history: a context has one before the agent has given it a `contextId`. */
  readonly key: string;
  /** The name of the agent in `a2a.agents` when it was last used. */
  readonly agent: string;
  readonly contextId?: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly tasks: number;
  /** Tasks that wait for input or authorisation. */
  readonly waiting: number;
  /** Comes first in lists. */
  readonly pinned?: true;
  /** Known from the agent's list of tasks alone. */
  readonly remoteOnly?: true;
  /** A test made it. */
  readonly testRun?: true;
  /** Of its newest task; undefined while it has none. */
  readonly newestState?: ShownState;
}

/**
 * Joins neighbouring text parts of one media type that say nothing but text: chunks of one text arrive as parts of their own. No media
 * type is `text/plain`.
 */
export function joinText(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  let run: string[] = [];
  let mediaType = plain;
  const flush = (): void => {
    if (run.length > 0) joined.push(mediaType === plain ? { text: run.join('') } : { text: run.join(''), mediaType });
    run = [];
  };
  for (const part of parts) {
    if ('text' in part && isBare(part)) {
      if ((part.mediaType ?? plain) !== mediaType) flush();
      mediaType = part.mediaType ?? plain;
      run.push(part.text);
    } else {
      flush();
      joined.push(part);
    }
  }
  flush();
  return joined;
}

const plain = 'text/plain';
const isBare = (part: Part): boolean => part.metadata === undefined && part.filename === undefined;
