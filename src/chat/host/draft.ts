import type { Reference } from './chatState.ts';
import type { Target } from './target.ts';

/** The next message of a context while it is composed: the part of the contract between panel and host that stores drafts. */
export interface Draft extends DraftContent {
  /** Grows with every change: of two stored drafts, the one with the larger number counts. */
  readonly version: number;
  /** Accepted output modes (media types); empty where the agent may choose. */
  readonly outputModes: readonly string[];
  /** How the person wants messages sent, where not as the agent's card says. */
  readonly sending?: SendingOptions;
  /** The target that the person chose. */
  readonly target?: Target;
  /** The draft that waits while an earlier message is edited. */
  readonly waiting?: DraftContent;
}

/** How a message is sent. */
export interface SendingOptions {
  /** False: the answer is not streamed, whatever the agent's card says. */
  readonly streaming?: false;
  /** The agent is asked to answer before its work is done; not streamed. */
  readonly returnImmediately?: true;
  /** How many messages of the task's history the answer may have. */
  readonly historyLength?: number;
  /** It counts for the next message alone. */
  readonly once?: true;
}

/** The content of a message. */
export interface DraftContent {
  /** Content of the text box: sent as a part of its own, unless it is blank. */
  readonly text: string;
  /** Number of parts before the text. */
  readonly textAt: number;
  readonly parts: readonly DraftPart[];
  readonly references: readonly Reference[];
  /** Metadata of the message: a JSON object as typed, or empty. */
  readonly metadata: string;
}

export type DraftPart = DraftFile | DraftText | DraftData | DraftLink;

interface Common {
  /** Chosen by the side that made the part. */
  readonly id: string;
  readonly mediaType?: string;
  /** Metadata of the part, from a message that is edited anew. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A file whose bytes are at the host. */
export interface DraftFile extends Common {
  readonly kind: 'file';
  readonly name: string;
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  /** Why the agent does not accept it; the person may attach it anyway. */
  readonly refused?: string;
}

interface DraftText extends Common {
  readonly kind: 'text';
  readonly text: string;
  /** Where it comes from; not sent. */
  readonly name?: string;
}

interface DraftData extends Common {
  readonly kind: 'data';
  /** JSON as typed. */
  readonly json: string;
}

interface DraftLink extends Common {
  readonly kind: 'link';
  readonly url: string;
  readonly name?: string;
}

/** A sent message, to be edited and sent as a new one. */
export interface Recalled extends DraftContent {
  readonly seq: number;
}

/** A piece of a file for the host. Pieces are sent in order, each after the answer to the one before. */
export interface FilePiece {
  readonly id: string;
  readonly name: string;
  /** As the browser reports it; empty where unknown. */
  readonly mediaType: string;
  /** Size of the whole file in bytes. */
  readonly size: number;
  /** Offset of the piece in bytes. */
  readonly at: number;
  /** Base64 of at most `pieceBytes` bytes. */
  readonly bytes: string;
}

/** Bytes per piece: a multiple of three, so that only the last piece has base64 padding. */
export const pieceBytes = 192 * 1024;
/** Maximum number of parts per message, besides the text. */
export const maxParts = 20;
/** Maximum size of a file, and of all files of a message together, in bytes. */
export const maxFileBytes = 8 * 1024 * 1024;
export const maxFilesBytes = 16 * 1024 * 1024;
/** Maximum length of a data part and of metadata as typed, in UTF-16 code units. */
export const maxJsonLength = 200_000;
/** Maximum length of a file name and of a media type. */
export const maxNameLength = 120;
/** Maximum number of output modes of a message. */
export const maxOutputModes = 50;
/** Largest history length that can be asked for. */
export const maxHistoryLength = 1_000_000;
/** Maximum number of URIs dropped at once. */
export const maxDropped = 20;
