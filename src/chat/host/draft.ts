import * as z from 'zod';
import { isShallow } from '../../protocol/json/depth.ts';
import {
  maxFileBytes,
  maxHistoryLength,
  maxJsonLength,
  maxMessageLength,
  maxNameLength,
  maxOutputModes,
  maxParts,
  maxReferences,
  pieceBytes,
} from './limits.ts';

// The next message of a context while it is composed: the part of the contract between panel and host that stores drafts. Pages import the types alone.

const id = z.string().min(1).max(10_000);
const name = z.string().max(maxNameLength);
const mediaType = z.string().max(maxNameLength);

/** Id of a part, chosen by the side that made it. Used as a file name in the draft's folder, so it must not be a path. */
export const PartId = z.string().regex(/^\w[\w-]{0,63}$/);

const common = {
  id: PartId,
  mediaType: mediaType.optional(),
  /** Metadata of the part, from a message that is edited anew. Bounded in depth: it is serialized by recursive code. */
  metadata: z
    .record(z.string(), z.unknown())
    .refine(value => isShallow(value))
    .optional(),
};

/** A file whose bytes are at the host. */
const DraftFile = z.strictObject({
  ...common,
  kind: z.literal('file'),
  name,
  mediaType,
  /** Size in bytes. */
  size: z.int().min(0).max(maxFileBytes),
  /** Why the agent does not accept it; the person may attach it anyway. */
  refused: z.string().max(2_000).optional(),
});
export type DraftFile = z.infer<typeof DraftFile>;

const DraftPart = z.discriminatedUnion('kind', [
  DraftFile,
  z.strictObject({
    ...common,
    kind: z.literal('text'),
    text: z.string().max(maxMessageLength),
    /** Name of its source; not sent. */
    name: name.optional(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('data'),
    /** JSON as typed. */
    json: z.string().max(maxJsonLength),
  }),
  z.strictObject({ ...common, kind: z.literal('link'), url: z.string().max(100_000), name: name.optional() }),
]);
/**
 * To add one: its shape here, its looks in `chat/compose/draftChips.tsx`, what is sent for it in `workbench/chat/drafts/messageParts.ts`,
 * and cases of `drafts.test.ts`.
 */
export type DraftPart = z.infer<typeof DraftPart>;

/** Something earlier that a message refers to: a task of this context, or an artifact of one. */
const Reference = z.strictObject({ taskId: id, artifactId: id.optional() });
export type Reference = Readonly<z.infer<typeof Reference>>;

/** Options for sending a message. */
export const SendingOptions = z.strictObject({
  /** False: the answer is not streamed, whatever the agent's card says. */
  streaming: z.literal(false).optional(),
  /** The agent is asked to answer before its work is done; not streamed. */
  returnImmediately: z.literal(true).optional(),
  /** Maximum number of messages of the task's history in the answer. */
  historyLength: z.int().min(0).max(maxHistoryLength).optional(),
  /** It counts for the next message alone. */
  once: z.literal(true).optional(),
});
export type SendingOptions = Readonly<z.infer<typeof SendingOptions>>;

/** Where a message goes: to a task, to a new task of this context, or to a new context. */
const Target = z.union([z.enum(['new-task', 'new-context']), z.strictObject({ taskId: id })]);
export type Target = z.infer<typeof Target>;

/** The content of a message. */
export const DraftContent = z.strictObject({
  /** Content of the text box: sent as a part of its own, unless it is blank. */
  text: z.string().max(maxMessageLength),
  /** Number of parts before the text. */
  textAt: z.int().min(0).max(maxParts),
  parts: z.array(DraftPart).max(maxParts).readonly(),
  references: z.array(Reference).max(maxReferences).readonly(),
  /** Metadata of the message: a JSON object as typed, or empty. */
  metadata: z.string().max(maxJsonLength),
});
export type DraftContent = Readonly<z.infer<typeof DraftContent>>;

export const Draft = DraftContent.extend({
  /** Grows with every change: of two stored drafts, the one with the larger number counts. */
  version: z.int().min(0),
  /** Accepted output modes (media types); empty where the agent may choose. */
  outputModes: z.array(mediaType.min(1)).max(maxOutputModes).readonly(),
  /** The person's options for sending, where they differ from the agent's card. */
  sending: SendingOptions.optional(),
  /** The target that the person chose. */
  target: Target.optional(),
  /** The draft that waits while an earlier message is edited. */
  waiting: DraftContent.optional(),
});
export type Draft = Readonly<z.infer<typeof Draft>>;

/** A sent message, to be edited and sent as a new one. */
export interface Recalled extends DraftContent {
  readonly seq: number;
}

/** A piece of a file for the host. Pieces are sent in order, each after the answer to the one before. */
export const FilePiece = z.strictObject({
  id: PartId,
  name: z.string().max(10_000),
  /** As the browser reports it; empty where unknown. */
  mediaType,
  /** Size of the whole file in bytes. */
  size: z.number().min(0),
  /** Offset of the piece in bytes. */
  at: z.int().min(0),
  /** Base64 of at most `pieceBytes` bytes. */
  bytes: z
    .string()
    .max((pieceBytes * 4) / 3)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/),
});
export type FilePiece = Readonly<z.infer<typeof FilePiece>>;
