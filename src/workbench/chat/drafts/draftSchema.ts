import * as z from 'zod';
import type { Draft, DraftPart, FilePiece } from '../../../chat/host/draft.ts';
import {
  maxFileBytes,
  maxHistoryLength,
  maxJsonLength,
  maxNameLength,
  maxOutputModes,
  maxParts,
  pieceBytes,
} from '../../../chat/host/draft.ts';
import { maxMessageLength, maxReferences } from '../../../chat/host/messages.ts';
import { isShallow } from '../../../protocol/json/depth.ts';

const id = z.string().min(1).max(10_000);
/** Used as a file name in the draft's folder, so it must not be a path. */
const partId = z.string().regex(/^[\w-]{1,64}$/);
const name = z.string().max(maxNameLength);
/** Bounded in depth: it is serialized by recursive code. */
const metadata = z
  .record(z.string(), z.unknown())
  .refine(value => isShallow(value))
  .optional();
const mediaType = z.string().max(maxNameLength);
const size = z.int().min(0).max(maxFileBytes);

const part = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file'), id: partId, name, mediaType, size, refused: z.string().max(2_000).optional(), metadata }),
  z.strictObject({
    kind: z.literal('text'),
    id: partId,
    text: z.string().max(maxMessageLength),
    name: name.optional(),
    mediaType: mediaType.optional(),
    metadata,
  }),
  z.strictObject({ kind: z.literal('data'), id: partId, json: z.string().max(maxJsonLength), mediaType: mediaType.optional(), metadata }),
  z.strictObject({
    kind: z.literal('link'),
    id: partId,
    url: z.string().max(100_000),
    name: name.optional(),
    mediaType: mediaType.optional(),
    metadata,
  }),
]) satisfies z.ZodType<DraftPart>;

/** Fields that every request about a message has. */
export const draftFields = {
  references: z.array(z.strictObject({ taskId: id, artifactId: id.optional() })).max(maxReferences),
  parts: z.array(part).max(maxParts),
  textAt: z.int().min(0).max(maxParts),
  metadata: z.string().max(maxJsonLength),
  outputModes: z.array(mediaType.min(1)).max(maxOutputModes),
  sending: z
    .strictObject({
      streaming: z.literal(false).optional(),
      returnImmediately: z.literal(true).optional(),
      historyLength: z.int().min(0).max(maxHistoryLength).optional(),
      once: z.literal(true).optional(),
    })
    .optional(),
};

const { references, parts, textAt, metadata: json, outputModes, sending } = draftFields;
const content = { text: z.string().max(maxMessageLength), textAt, parts, references, metadata: json };

/** A draft as the panel sends it and as it is stored on disk. */
export const draftSchema = z.strictObject({
  version: z.int().min(0),
  ...content,
  outputModes,
  sending,
  waiting: z.strictObject(content).optional(),
  target: z.union([z.enum(['new-task', 'new-context']), z.strictObject({ taskId: id })]).optional(),
}) satisfies z.ZodType<Draft>;

export const pieceSchema = z.strictObject({
  id: partId,
  name: z.string().max(10_000),
  mediaType,
  size: z.number().min(0),
  at: z.int().min(0),
  bytes: z
    .string()
    .max((pieceBytes * 4) / 3)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/),
}) satisfies z.ZodType<FilePiece>;

export const partIdSchema = partId;
