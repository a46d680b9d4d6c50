import * as z from 'zod';
import { maxDropped, maxNameLength } from '../../chat/host/draft.ts';
import { maxExported, maxFindLength, maxMessageLength, type Requests } from '../../chat/host/messages.ts';
import { maxUnfolded } from '../../chat/host/taskGraphMessages.ts';
import { draftFields, draftSchema, partIdSchema, pieceSchema } from './drafts/draftSchema.ts';

const seq = z.int().min(0);
const part = z.int().min(0).max(10_000);
const json = z.string().min(2).max(maxMessageLength);
const id = z.string().min(1).max(10_000);

/** Schemas of the panel's requests. They are checked because the panel shows hostile text and is therefore not trusted. */
const schemas = {
  ready: z.null(),
  older: z.strictObject({ before: seq }),
  newer: z.strictObject({ after: seq }),
  around: z.strictObject({ seq }),
  find: z.strictObject({ text: z.string().min(1).max(maxFindLength), matchCase: z.boolean(), before: seq.optional() }),
  send: z
    .strictObject({
      text: z.string().max(maxMessageLength),
      taskId: id.optional(),
      anyway: z.literal(true).optional(),
      newContext: z.literal(true).optional(),
      references: draftFields.references.optional(),
      parts: draftFields.parts.min(1).optional(),
      textAt: draftFields.textAt.optional(),
      metadata: draftFields.metadata.optional(),
      outputModes: draftFields.outputModes.optional(),
      sending: draftFields.sending,
    })
    .refine(({ text, parts }) => text !== '' || parts !== undefined),
  keepDraft: draftSchema,
  attach: pieceSchema,
  pickFiles: z.null(),
  attachDropped: z.strictObject({ uris: z.array(z.string().min(1).max(10_000)).min(1).max(maxDropped) }),
  thumbnail: z.strictObject({ id: partIdSchema }),
  checkMode: z.strictObject({ mediaType: z.string().max(maxNameLength) }),
  recall: z.union([z.strictObject({ seq }), z.strictObject({ before: seq.optional() })]),
  compareArtifact: z.strictObject({ seq }),
  compareRevisions: z.strictObject({ seq }),
  judgeArtifact: z.strictObject({ seq, verdict: z.enum(['accepted', 'rejected']).nullable() }),
  stop: z.null(),
  findLine: z.strictObject({ text: z.string().min(1).max(maxFindLength), matchCase: z.boolean(), seq, nth: part }),
  openPart: z.strictObject({ seq, part, line: seq.optional() }),
  savePart: z.strictObject({ seq, part }),
  copyWhole: z.strictObject({ seq, part: part.optional() }),
  openExchange: z.strictObject({ exchangeId: id, finding: part.optional() }),
  openLink: z.strictObject({ url: z.string().min(1).max(100_000) }),
  tryNow: z.null(),
  reloadCard: z.null(),
  refreshTask: z.strictObject({ taskId: id }),
  chooseInterface: z.null(),
  chooseExtensions: z.null(),
  turnOnExtensions: z.null(),
  signIn: z.null(),
  sendAgain: z.strictObject({ seq }),
  checkDelivery: z.strictObject({ seq }),
  loadPart: z.strictObject({ seq, part }),
  checkOutput: z.strictObject({ seq, part, asked: seq }),
  exchanges: z.strictObject({ before: id.optional() }),
  exchange: z.strictObject({ exchangeId: id }),
  entryOf: z.strictObject({ exchangeId: id, event: seq.optional() }),
  wireEvents: z.strictObject({ exchangeId: id, after: seq.optional() }),
  wireEvent: z.strictObject({ exchangeId: id, event: seq }),
  replay: z.strictObject({ exchangeId: id, from: seq.optional(), to: seq }),
  exportHar: z.strictObject({ exchangeIds: z.array(id).min(1).max(maxExported).optional() }),
  copyExchange: z.strictObject({ exchangeId: id, form: z.enum(['curl', 'a2a']) }),
  tasks: z.strictObject({ unfolded: z.array(id).max(maxUnfolded) }),
  manageNotifications: z.strictObject({ taskId: id }),
  openTask: z.strictObject({ taskId: id }),
  form: z.strictObject({ seq: seq.optional() }),
  checkForm: z.strictObject({ seq: seq.optional(), json }),
  sendForm: z
    .strictObject({
      seq: seq.optional(),
      json: json.optional(),
      button: part.optional(),
      anyway: z.literal(true).optional(),
      text: z.string().min(1).max(maxMessageLength).optional(),
    })
    .refine(({ json: data, button }) => (data === undefined) !== (button === undefined)),
  secrets: z.strictObject({ seq }),
} satisfies { readonly [Name in keyof Requests]: z.ZodType<Requests[Name]['params']> };

const Envelope = z.strictObject({
  type: z.literal('request'),
  id: z.int().min(0),
  name: z.enum(Object.keys(schemas) as [keyof Requests, ...(keyof Requests)[]]),
  params: z.unknown(),
});

const Addressed = z.object({ type: z.literal('request'), id: z.int().min(0) });

export interface ChatRequest {
  readonly id: number;
  readonly name: keyof Requests;
  readonly params: Requests[keyof Requests]['params'];
}

/** Parses a message of the panel; undefined if it breaks the contract. */
export function readChatRequest(message: unknown): ChatRequest | undefined {
  const envelope = Envelope.safeParse(message);
  if (!envelope.success) return undefined;
  const params = schemas[envelope.data.name].safeParse(envelope.data.params);
  return params.success ? { id: envelope.data.id, name: envelope.data.name, params: params.data } : undefined;
}

/** The id of a message that claims to be a request, valid otherwise or not; undefined if it cannot be answered. */
export function requestId(message: unknown): number | undefined {
  const read = Addressed.safeParse(message);
  return read.success ? read.data.id : undefined;
}
