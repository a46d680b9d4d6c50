import * as z from 'zod';
import type { Finding } from '../finding.ts';
import type { Message } from './message.ts';
import type { Part } from './part.ts';
import { sentence, type LocalizedMessage } from '../problem.ts';
import type { Artifact } from './task.ts';
import type { ShownState } from './taskState.ts';

/** One entry of a context, in order: what the chat panel shows and the history keeps. */
export type Entry = MessageEntry | StatusEntry | ArtifactEntry | ProblemEntry | GapEntry;

interface EntryFacts {
  /** Position in the history: ascending, unique across contexts. */
  readonly seq: number;
  /** Milliseconds since the epoch, by the clock of this machine. */
  readonly at: number;
  /** Set where the time is unknown because it was reported later. `at` is then not to be shown. */
  readonly untimed?: true;
  /** Set for a status that was learned by asking for the task: it came at `at` or earlier. */
  readonly polled?: true;
  /** The task it belongs to: the agent's task id. */
  readonly taskId?: string;
  /** The exchange that it arrived in or was sent with. */
  readonly exchangeId?: string;
}

/**
 * Delivery of a message from the user. `sending`: stored, no answer yet; `sent`: the answer has begun; `refused`: the agent answered with
 * an error, or could not be reached; `unknown`: the connection broke before any answer, so the agent may or may not have the message.
 */
export type Delivery = 'sending' | 'sent' | 'refused' | 'unknown';

/**
 * The call by which a message was sent for the person: by a language model, with the tool and the program that it was called in; without a
 * tool, by another extension of VS Code, whose id is `client`.
 */
export const AssistantCall = z.object({ tool: z.string().max(100).optional(), client: z.string().max(200) });
export type AssistantCall = z.infer<typeof AssistantCall>;

/** A message from the user, or an answer of the agent that is a message. */
export interface MessageEntry extends EntryFacts {
  readonly kind: 'message';
  readonly message: Message;
  /** Only for messages that were sent from this history. */
  readonly delivery?: Delivery;
  /** Set where a language model or another extension sent it. */
  readonly assistant?: AssistantCall;
  /** Short reason why `delivery` is `refused` or `unknown`, where more is known. */
  readonly outcome?: LocalizedMessage;
}

/** A task's status; `message` is the agent's message in it. */
export interface StatusEntry extends EntryFacts {
  readonly kind: 'status';
  readonly state: ShownState;
  readonly message?: Message;
  /** A task is lost that was begun before the agent was started again. */
  readonly withRestart?: true;
  /** Time as the agent sent it. */
  readonly timestamp?: string;
  /** Metadata of the event with this status. A number `progress` in it is the progress in percent. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Who a message is from, for people. One in the role of the user that was not sent from here is only what the agent says. */
export function senderOf({ message, delivery }: MessageEntry): LocalizedMessage {
  if (message.role !== 'ROLE_USER') return sentence('The agent');
  return delivery === undefined ? sentence("In the agent's history, not sent from here") : sentence('You');
}

/** An artifact as far as it has arrived. Adjacent text chunks are joined into one part here, and only here. */
export interface ArtifactEntry extends EntryFacts {
  readonly kind: 'artifact';
  readonly artifact: Artifact;
  /** False while more chunks are expected. */
  readonly complete: boolean;
  /** Number of artifact updates in which its content arrived; what came in a task is none. */
  readonly chunks: number;
}

/** Something went wrong; shown with its next step. */
export interface ProblemEntry extends EntryFacts {
  readonly kind: 'problem';
  readonly code: string;
  readonly sentence: LocalizedMessage;
  /** URL that was asked, where the problem is about an answer or its absence. */
  readonly address?: string;
  readonly nextStep?: LocalizedMessage;
  readonly details?: string;
}

/** The stream was interrupted here; what the agent sent meanwhile may be missing. */
export interface GapEntry extends EntryFacts {
  readonly kind: 'gap';
  readonly reason: LocalizedMessage;
  /** Set where the agent has sent the whole task since, so that nothing is missing any more. */
  readonly filled?: true;
}

/** The content of an entry; empty for a problem or a gap. */
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
 * A change to a transcript that is shown: an entry is put (a new one, or a replacement for the one with its `seq`), or parts are appended
 * to an artifact, with `complete` where that changed.
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
  /** Key of its context in this history. */
  readonly context: string;
  readonly state: ShownState;
  /** The message that started it, shortened; where that is unknown, the agent's message. */
  readonly title: string;
  /** Milliseconds since the epoch; undefined where only the agent's list has it: the agent gives no start. */
  readonly createdAt?: number;
  readonly updatedAt: number;
  /** Set where the time of its state is not known. `updatedAt` is then not to be shown. */
  readonly untimed?: true;
  readonly findings?: readonly Finding[];
  /** Pinned tasks come first in lists. */
  readonly pinned?: true;
  /** When the agent last listed it, in milliseconds since the epoch. */
  readonly seenRemotelyAt?: number;
  /** Set where it is known only from the agent's task list: it was never requested or received here. */
  readonly remoteOnly?: true;
}

/** Makers of contexts: the person in a chat, a request file sent by hand, another client of the agent (only its task list has it), a test or a check. */
export const ContextMaker = z.enum(['person', 'file', 'agent', 'test']);
export type ContextMaker = z.infer<typeof ContextMaker>;

/** A context as lists show it. */
export interface ContextSummary {
  /** Key in this history: a context has one before the agent assigns a `contextId`. */
  readonly key: string;
  /** The name of the agent in `a2a.agents` when it was last used. */
  readonly agent: string;
  readonly contextId?: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly tasks: number;
  /** Number of tasks that wait for input or authorization. */
  readonly waiting: number;
  /** Pinned contexts come first in lists. */
  readonly pinned?: true;
  /** Known only from the agent's task list. */
  readonly remoteOnly?: true;
  readonly madeBy: ContextMaker;
  /** State of its newest task; undefined while it has none. */
  readonly newestState?: ShownState;
}

/**
 * Joins adjacent text parts that have the same media type and no other members: chunks of one text arrive as separate parts. A missing
 * media type counts as `text/plain`.
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
