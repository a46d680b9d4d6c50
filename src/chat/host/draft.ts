import type { Reference } from './messages.ts';
import type { Target } from './target.ts';

/** The next message of a context as it is being written: the part of the contract between panel and host that says what is kept of it. */
export interface Draft extends DraftContent {
  /** Grows with every change: of two that are kept, the one with the larger number counts. */
  readonly version: number;
  /** Media types that the answer may have; empty for whatever the agent likes. */
  readonly outputModes: readonly string[];
  /** Where the person wants it to go. */
  readonly target?: Target;
  /** The draft that waits while an earlier message is written anew. */
  readonly waiting?: DraftContent;
}

/** What a message says. */
export interface DraftContent {
  /** What stands in the text box: a part of its own, unless it is blank. */
  readonly text: string;
  /** How many of the other parts come before it. */
  readonly textAt: number;
  readonly parts: readonly DraftPart[];
  readonly references: readonly Reference[];
  /** Of the message: a JSON object as typed, or nothing. */
  readonly metadata: string;
}

export type DraftPart = DraftFile | DraftText | DraftData | DraftLink;

interface Common {
  /** Made by whoever made the part. */
  readonly id: string;
  readonly mediaType?: string;
  /** Of the part, from a message that is written anew. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A file whose bytes the host has. */
export interface DraftFile extends Common {
  readonly kind: 'file';
  readonly name: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** Why the agent is not likely to take it; it is attached all the same where the person wants that. */
  readonly refused?: string;
}

interface DraftText extends Common {
  readonly kind: 'text';
  readonly text: string;
  /** Where it is from; not sent. */
  readonly name?: string;
}

interface DraftData extends Common {
  readonly kind: 'data';
  /** As typed. */
  readonly json: string;
}

interface DraftLink extends Common {
  readonly kind: 'link';
  readonly url: string;
  readonly name?: string;
}

/** An earlier message of the person's, to be written anew. */
export interface Recalled extends DraftContent {
  readonly seq: number;
}

/** A piece of a file on its way to the host: pieces come in order, each after the one before was answered. */
export interface FilePiece {
  readonly id: string;
  readonly name: string;
  /** As the browser knows it; empty where it does not. */
  readonly mediaType: string;
  /** Of the whole file, bytes. */
  readonly size: number;
  /** Where the piece begins. */
  readonly at: number;
  /** Base64 of at most `pieceBytes` bytes. */
  readonly bytes: string;
}

/** Bytes of one piece: three times a number, so that each is base64 without padding but the last. */
export const pieceBytes = 192 * 1024;
/** Most parts besides the text of one message. */
export const maxParts = 20;
/** Largest file, and the most of all files of one message, bytes. */
export const maxFileBytes = 8 * 1024 * 1024;
export const maxFilesBytes = 16 * 1024 * 1024;
/** Longest data part and longest metadata as typed, UTF-16 code units. */
export const maxJsonLength = 200_000;
/** Longest name of a file and longest media type. */
export const maxNameLength = 120;
/** Most media types that are wanted of an answer. */
export const maxOutputModes = 50;
/** Most addresses of files that are dropped at once. */
export const maxDropped = 20;
