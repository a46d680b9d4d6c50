import * as z from 'zod';
import { Draft, FilePiece, PartId, SendingOptions } from './draft.ts';
import { KeptState } from './keptState.ts';
import { maxDropped, maxExported, maxFindLength, maxMessageLength, maxNameLength, maxUnfolded } from './limits.ts';

const seq = z.int().min(0);
const part = z.int().min(0).max(10_000);
const json = z.string().min(2).max(maxMessageLength);
const id = z.string().min(1).max(10_000);
const message = Draft.shape;

/** Words to find as they are shown: white space stands for any, and without `matchCase` either case of a letter does. */
const FindQuery = z.strictObject({ text: z.string().min(1).max(maxFindLength), matchCase: z.boolean() });
export type FindQuery = Readonly<z.infer<typeof FindQuery>>;

/**
 * The parameters of the panel's requests. The host checks them because the panel shows hostile text and is therefore not trusted.
 *
 * To add one: a row here, its result (unless it has none) in `Results` of `messages.ts`, its handler in `workbench/chat/`; wrong shapes in
 * `chatAnswers.test.ts`.
 */
const schemas = {
  /** First message of a page, with the state that an earlier page kept; null where there was none. */
  ready: KeptState.nullable(),
  /** Entries before this seq, newest last. */
  older: z.strictObject({ before: seq }),
  /** Entries after this seq, oldest first; `more` where there are newer ones still. */
  newer: z.strictObject({ after: seq }),
  /** An entry among its neighbours, oldest first, and whether there are more at either end. */
  around: z.strictObject({ seq }),
  /**
   * Where words occur in the whole context, from the newest entry before `before` on, oldest first; one answer covers as much as can be
   * read at once. `next` is the `before` of the request that goes on, absent once all is read.
   */
  find: FindQuery.extend({ before: seq.optional() }),
  /**
   * Sends text into that task, or as a new task of the context, or as the first of a new context. A task that is over gets no message,
   * which is an error, unless `anyway` is set. The text comes after `textAt` of the other `parts`; with such it may be blank, which
   * sends none. `metadata` is a JSON object as typed.
   */
  send: z
    .strictObject({
      text: message.text,
      taskId: id.optional(),
      anyway: z.literal(true).optional(),
      newContext: z.literal(true).optional(),
      references: message.references.optional(),
      parts: message.parts.refine(parts => parts.length > 0).optional(),
      textAt: message.textAt.optional(),
      metadata: message.metadata.optional(),
      outputModes: message.outputModes.optional(),
      sending: message.sending,
    })
    .refine(({ text, parts }) => text !== '' || parts !== undefined),
  /** Keeps what is being written for a page after this one, a restart included. */
  keepDraft: Draft,
  /** A piece of a file that was dropped or pasted; the last one is answered with what it is attached as. */
  attach: FilePiece,
  /** Lets the person choose files to attach. They come with `attached`. */
  pickFiles: z.null(),
  /** Files of the workbench that the person dropped: the page has only their addresses, and the host asks before it reads any. They come with `attached`. */
  attachDropped: z.strictObject({ uris: z.array(z.string().min(1).max(10_000)).min(1).max(maxDropped).readonly() }),
  /** The bytes of an attached picture, where it is small enough to be shown; null otherwise. */
  thumbnail: z.strictObject({ id: PartId }),
  /** Reason why the agent is not likely to accept this media type; null where there is none. */
  checkMode: z.strictObject({ mediaType: z.string().max(maxNameLength) }),
  /** A message of the person's: this one, or the last before; null where there is none. */
  recall: z.union([z.strictObject({ seq }), z.strictObject({ before: seq.optional() })]),
  /** Runs the conversation again from this message of the person's on. */
  runAgain: z.strictObject({ seq }),
  /** Compares a version of an artifact with another one, in VS Code's diff editor. */
  compareArtifact: z.strictObject({ seq }),
  /** Compares a revision of an artifact with an earlier one, in VS Code's diff editor. */
  compareRevisions: z.strictObject({ seq }),
  /** Sets the person's verdict on a version of an artifact; null removes it. */
  judgeArtifact: z.strictObject({ seq, verdict: z.enum(['accepted', 'rejected']).nullable() }),
  /** Cancels the running task at the agent. */
  stop: z.null(),
  /** The part of an entry and the line (from 1) of that part's document in which the occurrence `nth` (from 0) is; null where it is in none. */
  findLine: FindQuery.extend({ seq, nth: part }),
  /** Opens one part of an artifact or message as a document in the editor, optionally at a line (from 1). */
  openPart: z.strictObject({ seq, part, line: seq.optional() }),
  /** Asks where to save one part and writes it there. */
  savePart: z.strictObject({ seq, part }),
  /** Copies one part whole, or without `part` the texts of the entry, of which the page has only a part. */
  copyWhole: z.strictObject({ seq, part: part.optional() }),
  /** Opens an exchange of this context as a document: request, response, frames; optionally at one of its findings, by index. */
  openExchange: z.strictObject({ exchangeId: id, finding: part.optional() }),
  /** Fills the evidence of a finding into the chat of VS Code. */
  fixWithChat: z.strictObject({ exchangeId: id, finding: part }),
  /** Follows a link that an agent wrote; the host asks before it leaves VS Code. */
  openLink: z.strictObject({ url: z.string().min(1).max(100_000) }),
  /** Begins the next attempt to reach the agent at once: for tasks whose connection is lost or absent, or for its card. */
  tryNow: z.null(),
  /** Reads the agent's card again. Answered when it is read, or cannot be. */
  reloadCard: z.null(),
  /** Reads the task again from the agent. */
  refreshTask: z.strictObject({ taskId: id }),
  /** Opens the agent's card as a document, with its problems. */
  openCard: z.null(),
  /** Lets the person choose the interface of the agent. */
  chooseInterface: z.null(),
  /** Lets the person choose the extensions of the protocol that are on. */
  chooseExtensions: z.null(),
  /** Turns on the extensions that the agent requires. Answered when they are on. */
  turnOnExtensions: z.null(),
  /** Lets the person sign in to the agent. */
  signIn: z.null(),
  /** Sends a message whose fate is unknown or that was refused once more, as a new message; `streaming: false` without a stream. */
  sendAgain: z.strictObject({ seq, streaming: z.literal(false).optional() }),
  /** Asks the agent whether it has a message whose fate is unknown; nothing is sent that could come twice. */
  checkDelivery: z.strictObject({ seq }),
  /** Loads the file that a part refers to, which the person has asked for. */
  loadPart: z.strictObject({ seq, part }),
  /** Validates a part of an entry against the schema that the person's message `asked` wants answers to have; null where it has none. */
  checkOutput: z.strictObject({ seq, part, asked: seq }),
  /** Exchanges of this context, newest first, before the exchange `before`. */
  exchanges: z.strictObject({ before: id.optional() }),
  /** An exchange with its bodies and without its events. */
  exchange: z.strictObject({ exchangeId: id }),
  /**
   * The first entry that an exchange carried or brought, wherever in the conversation it is, or with `event` the one that this event of it
   * began or added to; null where there is none.
   */
  entryOf: z.strictObject({ exchangeId: id, event: seq.optional() }),
  /** Events of an exchange after the number `after`, as lines of a table. */
  wireEvents: z.strictObject({ exchangeId: id, after: seq.optional() }),
  /** One event of an exchange; null where it has none of that number. */
  wireEvent: z.strictObject({ exchangeId: id, event: seq }),
  /**
   * Updates by the events `from` to `to`, exclusively, of a stream that has ended; without `from` from the first on. `first` is the seq of the
   * first entry that they make.
   */
  replay: z.strictObject({ exchangeId: id, from: seq.optional(), to: seq }),
  /** Asks where to save, and writes these exchanges there, or all of the context, as HAR 1.2; credentials stay masked. */
  exportHar: z.strictObject({ exchangeIds: z.array(id).min(1).max(maxExported).readonly().optional() }),
  /** Puts the request of an exchange on the clipboard, as a command or as a request file; credentials stay masked. */
  copyExchange: z.strictObject({ exchangeId: id, form: z.enum(['curl', 'a2a']) }),
  /** The form that a status asks to fill in, or, without `seq`, that the agent's card has for new tasks. */
  form: z.strictObject({ seq: seq.optional() }),
  /** Validates data, an object as JSON text, against the schema of that form. */
  checkForm: z.strictObject({ seq: seq.optional(), json }),
  /** The tasks of the context and what their messages refer to, as a picture. Tasks of `unfolded` are drawn each for itself. */
  tasks: z.strictObject({ unfolded: z.array(id).max(maxUnfolded).readonly() }),
  /** Lets the person choose where the agent notifies of a task of the context. */
  manageNotifications: z.strictObject({ taskId: id }),
  /** Opens a task of the context as a document, or one of another context of its agent that is referred to here. */
  openTask: z.strictObject({ taskId: id }),
  /**
   * Answers the form with data as JSON text, or with the data of its button of this index, and with a text. Data with faults is not sent, unless
   * `anyway` is set: the faults are the result, which is empty for data that was sent.
   */
  sendForm: z
    .strictObject({
      seq: seq.optional(),
      json: json.optional(),
      button: part.optional(),
      anyway: z.literal(true).optional(),
      text: z.string().min(1).max(maxMessageLength).optional(),
      sending: SendingOptions.optional(),
    })
    .refine(({ json: data, button }) => (data === undefined) !== (button === undefined)),
  /** Pointers to the passwords in the data of a message of the person's, as the forms before it define them. */
  secrets: z.strictObject({ seq }),
};

export type RequestParams = { readonly [Name in keyof typeof schemas]: z.infer<(typeof schemas)[Name]> };
type RequestName = keyof RequestParams;

const Envelope = z.strictObject({
  type: z.literal('request'),
  id: z.int().min(0),
  name: z.enum(Object.keys(schemas) as [RequestName, ...RequestName[]]),
  params: z.unknown(),
});

const Addressed = z.object({ type: z.literal('request'), id: z.int().min(0) });

interface ChatRequest {
  readonly id: number;
  readonly name: RequestName;
  readonly params: RequestParams[RequestName];
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
