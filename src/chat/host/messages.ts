import type { Draft, DraftFile, DraftPart, FilePiece, Recalled } from './draft.ts';
import type { Exchange, ExchangeSummary, Frame, WireEvent, WireLine } from '../../protocol/exchange.ts';
import type { InputForm } from '../../schema/forms/inputForm.ts';
import type { Entry, EntryUpdate } from '../../protocol/message/transcript.ts';
import type { ShownTasks } from './taskGraphMessages.ts';
import type { AnswerLine } from '../../schema/forms/sentAnswer.ts';
import type { Referral, ExchangeFindings, ChatState } from './chatState.ts';

/**
 * The one contract between the chat panel (browser) and the extension host. The panel shows what agents sent, so the host checks every message
 * of the panel as a hostile one (`workbench/chat/requests.ts`): ids only, no paths and no commands. The panel trusts its host.
 */

/** A part of which the page has the beginning of its text alone, or nothing but its head; `bytes` is its size where that is known. */
export interface CutPart {
  readonly part: number;
  readonly bytes?: number;
}

/** An entry as the page has it: parts that are too large for a page are cut, and so many after the last are left out. */
export type SentEntry = Entry & { readonly cut?: readonly CutPart[]; readonly leftOut?: number; readonly taskNumber?: number };

/** What the panel asks; the host always answers, also with the error. */
export interface Requests {
  /** First message of a page: everything that is on show. */
  ready: { params: null; result: ChatSnapshot };
  /** Entries before this seq, newest last. */
  older: { params: { readonly before: number }; result: { readonly entries: readonly Entry[]; readonly more: boolean } };
  /** Entries after this seq, oldest first; `more` where there are newer ones still. */
  newer: { params: { readonly after: number }; result: { readonly entries: readonly Entry[]; readonly more: boolean } };
  /** An entry among its neighbours, oldest first, and whether there are more at either end. */
  around: {
    params: { readonly seq: number };
    result: { readonly entries: readonly Entry[]; readonly older: boolean; readonly newer: boolean };
  };
  /**
   * Where words occur in the whole context, from the newest entry before `before` on, oldest first; one answer covers as much as can be
   * read at once. `next` is the `before` of the request that goes on, absent once all is read.
   */
  find: { params: FindQuery & { readonly before?: number }; result: { readonly found: readonly FoundEntry[]; readonly next?: number } };
  /**
   * Sends text into that task, or as a new task of the context, or as the first of a new context. A task that is over gets no message,
   * which is an error, unless the person says `anyway`. The text comes after `textAt` of the other `parts`; with such it may be blank, which
   * sends none. `metadata` is a JSON object as typed.
   */
  send: {
    params: Partial<Pick<Draft, 'references' | 'parts' | 'textAt' | 'metadata' | 'outputModes' | 'sending'>> & {
      readonly text: string;
      readonly taskId?: string;
      readonly anyway?: true;
      readonly newContext?: true;
    };
    result: null;
  };
  /** Keeps what is being written for a page after this one, a restart included. */
  keepDraft: { params: Draft; result: null };
  /** A piece of a file that was dropped or pasted; the last one is answered with what it is attached as. */
  attach: { params: FilePiece; result: DraftFile | null };
  /** Lets the person choose files to attach. They come with `attached`. */
  pickFiles: { params: null; result: null };
  /** The person dropped files of the workbench, which gives the page their addresses alone: the host asks before it reads any. They come with `attached`. */
  attachDropped: { params: { readonly uris: readonly string[] }; result: null };
  /** The bytes of an attached picture, where it is small enough to be shown; null otherwise. */
  thumbnail: { params: { readonly id: string }; result: { readonly raw: string } | null };
  /** Why the agent is not likely to take this media type; null where nothing speaks against it. */
  checkMode: { params: { readonly mediaType: string }; result: string | null };
  /** A message of the person's: this one, or the last before; null where there is none. */
  recall: { params: { readonly seq: number } | { readonly before?: number }; result: Recalled | null };
  /** Compares a version of an artifact with another one, in VS Code's diff editor. */
  compareArtifact: { params: { readonly seq: number }; result: null };
  compareRevisions: { params: { readonly seq: number }; result: null };
  /** What the person thinks of a version of an artifact; null takes it back. */
  judgeArtifact: { params: { readonly seq: number; readonly verdict: 'accepted' | 'rejected' | null }; result: null };
  /** Cancels the running task at the agent. */
  stop: { params: null; result: null };
  /** In which document of its parts the occurrence `nth` (from 0) of an entry is: the part, and the line from 1; null where in none. */
  findLine: {
    params: FindQuery & { readonly seq: number; readonly nth: number };
    result: { readonly part: number; readonly line: number } | null;
  };
  /** Opens one part of an artifact or message as a document in the editor, at a line (from 1) where that is said. */
  openPart: { params: { readonly seq: number; readonly part: number; readonly line?: number }; result: null };
  /** Asks where to save one part and writes it there. */
  savePart: { params: { readonly seq: number; readonly part: number }; result: null };
  /** Copies one part whole, or without `part` the texts of the entry, of which the page has only a part. */
  copyWhole: { params: { readonly seq: number; readonly part?: number }; result: null };
  /** Opens an exchange of this context as a document: request, response, frames; at one of its findings where `finding` says which. */
  openExchange: { params: { readonly exchangeId: string; readonly finding?: number }; result: null };
  /** Follows a link that an agent wrote; the host asks before it leaves VS Code. */
  openLink: { params: { readonly url: string }; result: null };
  /** Begins the next attempt to reach the agent at once: for tasks that lost it or that nobody listens to, or for its card where it is down. */
  tryNow: { params: null; result: null };
  /** Reads the agent's card again. Answered when it is read, or cannot be. */
  reloadCard: { params: null; result: null };
  /** Reads the task again from the agent. */
  refreshTask: { params: { readonly taskId: string }; result: null };
  /** Lets the person choose the interface that is spoken to the agent. */
  chooseInterface: { params: null; result: null };
  /** Lets the person choose the extensions of the protocol that are on. */
  chooseExtensions: { params: null; result: null };
  /** Turns on the extensions that the agent requires. Answered when they are on. */
  turnOnExtensions: { params: null; result: null };
  /** Lets the person sign in to the agent. */
  signIn: { params: null; result: null };
  /** Sends a message whose fate is unknown or that was refused once more, as a new message. */
  sendAgain: { params: { readonly seq: number }; result: null };
  /** Asks the agent whether it has a message whose fate is unknown; nothing is sent that could come twice. */
  checkDelivery: { params: { readonly seq: number }; result: DeliveryCheckResult };
  /** Loads the file that a part refers to, which the person has asked for. */
  loadPart: { params: { readonly seq: number; readonly part: number }; result: LoadedFile };
  /** Where a part of an entry departs from the schema that the person's message `asked` wants answers to have; null where it asks for none. */
  checkOutput: { params: { readonly seq: number; readonly part: number; readonly asked: number }; result: readonly DataFault[] | null };
  /** What went over the wire for this context, newest first, before the exchange `before`. */
  exchanges: { params: { readonly before?: string }; result: { readonly exchanges: readonly ListedExchange[]; readonly more: boolean } };
  exchange: { params: { readonly exchangeId: string }; result: ShownExchange };
  /**
   * The first entry that an exchange carried or brought, wherever in the conversation it is, or with `event` the one that this event of it
   * began or added to; null where there is none.
   */
  entryOf: { params: { readonly exchangeId: string; readonly event?: number }; result: { readonly seq: number } | null };
  /** Events of an exchange after the number `after`, as lines of a table. */
  wireEvents: {
    params: { readonly exchangeId: string; readonly after?: number };
    result: { readonly events: readonly WireEvent[]; readonly more: boolean };
  };
  /** Null where there is none of that number. */
  wireEvent: {
    params: { readonly exchangeId: string; readonly event: number };
    result: ShownEvent | null;
  };
  /**
   * What the events `from` to `to`, exclusively, of a stream that is over did to the conversation; without `from` from the first on. `first` is
   * the seq of the first entry that they make.
   */
  replay: {
    params: { readonly exchangeId: string; readonly from?: number; readonly to: number };
    result: { readonly updates: readonly EntryUpdate[]; readonly first: number };
  };
  /** Asks where to save, and writes these exchanges there, or all of the context, as HAR 1.2; credentials stay masked. */
  exportHar: { params: { readonly exchangeIds?: readonly string[] }; result: null };
  /** Puts the request of an exchange on the clipboard, as a command or as a request file; credentials stay masked. */
  copyExchange: { params: { readonly exchangeId: string; readonly form: 'curl' | 'a2a' }; result: null };
  /** The form that a status asks to fill in, or, without `seq`, that the agent's card has for new tasks. */
  form: { params: { readonly seq?: number }; result: ShownForm | null };
  /** Where data, an object as JSON text, departs from the schema of that form. */
  checkForm: { params: { readonly seq?: number; readonly json: string }; result: readonly DataFault[] };
  /** The tasks of the context and what their messages refer to, as a picture. Tasks of `unfolded` are drawn each for itself. */
  tasks: { params: { readonly unfolded: readonly string[] }; result: ShownTasks };
  /** Lets the person choose where the agent notifies of a task of the context. */
  manageNotifications: { params: { readonly taskId: string }; result: null };
  /** Opens a task of the context as a document, or one of another context of its agent that is referred to here. */
  openTask: { params: { readonly taskId: string }; result: null };
  /**
   * Answers the form with data as JSON text, or with that of its button of this index, and words where there are some. Data that departs
   * from the schema is not sent, and where it does is the result, unless the person says `anyway`; nothing stands for what was sent.
   */
  sendForm: {
    params: { readonly seq?: number; readonly json?: string; readonly button?: number; readonly anyway?: true; readonly text?: string };
    result: readonly DataFault[];
  };
  /** Pointers into the data of a message of the person's that are passwords, as the forms before it say. */
  secrets: { params: { readonly seq: number }; result: readonly string[] };
}

/** What the agent could say of a message, in words; where it has the message, the entry changes too. */
export interface DeliveryCheckResult {
  readonly outcome: 'found' | 'not-found' | 'unknowable';
  readonly message: string;
  readonly nextStep?: string;
}

/** Words to find as they are shown: white space stands for any, and without `matchCase` either case of a letter does. */
export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
}

/** An entry that holds what was looked for, so many times. */
export interface FoundEntry {
  readonly seq: number;
  readonly times: number;
}

/** A file from the network: its bytes in base64, and what its server calls them. */
export interface LoadedFile {
  readonly raw: string;
  readonly mediaType: string;
}

/** One event of an exchange. */
export interface ShownEvent {
  readonly frame: Frame;
  /** As it came, between its blank lines. */
  readonly text: string;
  /** Set where it is long and not all of it is here. */
  readonly cut: boolean;
}

/** An exchange in full but for its events; long bodies are cut, as `cut` says. */
export interface ShownExchange {
  readonly exchange: Exchange;
  readonly cut: boolean;
  /** Of a push notification, in words: what became of it, whether its answer was a rehearsal, and what was checked. */
  readonly notes?: readonly string[];
}

/** An exchange as the table of the wire lists it. */
export interface ListedExchange extends Omit<ExchangeSummary, 'sent' | 'answered'> {
  readonly sent: WireLine;
  /** Absent for an event stream, and before the answer has arrived. */
  readonly answered?: WireLine;
}

/** Most exchanges that are exported by name. */
export const maxExported = 1_000;

/** A form to fill in. `part` is the index of the part that asks for it; a card's form has none. */
export interface ShownForm {
  readonly form: InputForm;
  readonly part?: number;
  /** What was answered to it, in the order of its fields; absent while it waits. */
  readonly answer?: readonly AnswerLine[];
}

/** Where data departs from a schema: an RFC 6901 pointer, and words in the language of the workbench that quote the schema. */
export interface DataFault {
  readonly pointer: string;
  readonly message: string;
}

/** What the host tells; never answered. */
export interface Events {
  /** In order, in batches. */
  updates: readonly EntryUpdate[];
  state: ChatState;
  /** All of the context, as they are now. */
  findings: readonly ExchangeFindings[];
  /** Shows this entry to the reader, wherever it is in the transcript. */
  reveal: { readonly seq: number };
  /** Shows this exchange on the wire. */
  showExchange: { readonly exchangeId: string };
  /** The person chose these elsewhere for the next message. */
  refer: readonly Referral[];
  /** Files and texts that the person chose elsewhere for the next message. */
  attached: readonly DraftPart[];
}

export interface ChatSnapshot {
  /** Key of the context on show: the panel keeps it in its state, so that a restored tab finds its context again. */
  readonly context: string;
  readonly state: ChatState;
  /** The newest entries, oldest first. */
  readonly entries: readonly Entry[];
  /** True where `older` has more. */
  readonly more: boolean;
  readonly findings: readonly ExchangeFindings[];
  /** As `refer`, from before the page was there. */
  readonly references: readonly Referral[];
  /** As `attached`, from before the page was there. */
  readonly attached?: readonly DraftPart[];
  /** What was being written. */
  readonly draft?: Draft;
  /** The panel's strings in the language of the workbench, English to translation; missing ones stay English. */
  readonly strings: Readonly<Record<string, string>>;
}

/** Envelopes on `postMessage`. */
export interface RequestEnvelope<Name extends keyof Requests = keyof Requests> {
  readonly type: 'request';
  readonly id: number;
  readonly name: Name;
  readonly params: Requests[Name]['params'];
}

export type AnswerEnvelope =
  | { readonly type: 'answer'; readonly id: number; readonly result: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly error: { readonly message: string; readonly nextStep?: string } };

export interface EventEnvelope<Name extends keyof Events = keyof Events> {
  readonly type: 'event';
  readonly name: Name;
  readonly value: Events[Name];
}

/** One function per request, in the host. */
export type RequestHandlers = {
  readonly [Name in keyof Requests]: (params: Requests[Name]['params']) => Promise<Requests[Name]['result']>;
};

/** Most references of one message. */
export const maxReferences = 20;

/** Longest text that can be looked for, in UTF-16 code units. */
export const maxFindLength = 1_000;

/** What is looked for, as a pattern; the page and the history look in the same way. */
export function findPattern({ text, matchCase }: FindQuery): RegExp {
  const words = text
    .normalize('NFC')
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  return new RegExp(words, matchCase ? 'gu' : 'giu');
}

/** Longest text the composer sends and the host takes, in UTF-16 code units. */
export const maxMessageLength = 1_000_000;
