import type { Draft, DraftFile, DraftPart, Recalled } from './draft.ts';
import type { KeptForms } from './keptState.ts';
import type { FindQuery, RequestParams } from './requests.ts';
import type { ShownTasks } from './taskGraphMessages.ts';
import type { Referral, ExchangeFindings, ChatState } from './chatState.ts';
import type { Exchange, ExchangeSummary, Frame, WireEvent, WireLine } from '../../protocol/exchange.ts';
import type { InputForm } from '../../schema/forms/inputForm.ts';
import type { Entry, EntryUpdate } from '../../protocol/message/transcript.ts';
import type { AnswerLine } from '../../schema/forms/sentAnswer.ts';

/**
 * The one contract between the chat panel (browser) and the extension host. The panel shows what agents sent, so the host checks every message
 * of the panel as a hostile one (`requests.ts`): ids only, no paths and no commands. The panel trusts its host.
 */

/** A part of which the page has the beginning of its text alone, or nothing but its head; `bytes` is its size where that is known. */
export interface CutPart {
  readonly part: number;
  readonly bytes?: number;
}

/** An entry as the page has it: parts that are too large for a page are cut, and so many after the last are left out. */
export type SentEntry = Entry & { readonly cut?: readonly CutPart[]; readonly leftOut?: number; readonly taskNumber?: number };

/** Results of requests; those that are not listed have null. The host answers each request, also with an error. */
interface Results {
  ready: ChatSnapshot;
  older: EntryPage;
  newer: EntryPage;
  around: { readonly entries: readonly Entry[]; readonly older: boolean; readonly newer: boolean };
  /** `next` is the `before` of the request that goes on, absent once all is read. */
  find: { readonly found: readonly FoundEntry[]; readonly next?: number };
  attach: DraftFile | null;
  thumbnail: { readonly raw: string } | null;
  checkMode: string | null;
  recall: Recalled | null;
  findLine: { readonly part: number; readonly line: number } | null;
  checkDelivery: DeliveryCheckResult;
  loadPart: LoadedFile;
  checkOutput: readonly DataFault[] | null;
  /** `older`: the number of exchanges before these; 0 if left out. */
  exchanges: { readonly exchanges: readonly ListedExchange[]; readonly more: boolean; readonly older?: number };
  exchange: ShownExchange;
  entryOf: { readonly seq: number } | null;
  wireEvents: { readonly events: readonly WireEvent[]; readonly more: boolean };
  wireEvent: ShownEvent | null;
  replay: { readonly updates: readonly EntryUpdate[]; readonly first: number };
  form: ShownForm | null;
  checkForm: readonly DataFault[];
  tasks: ShownTasks;
  sendForm: readonly DataFault[];
  secrets: readonly string[];
}

export type Requests = {
  readonly [Name in keyof RequestParams]: {
    readonly params: RequestParams[Name];
    readonly result: Name extends keyof Results ? Results[Name] : null;
  };
};

interface EntryPage {
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

/** The agent's answer about a message, in words; where it has the message, the entry changes, too. */
export interface DeliveryCheckResult {
  readonly outcome: 'found' | 'not-found' | 'unknowable';
  readonly message: string;
  readonly nextStep?: string;
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
  /** The event as received, between its blank lines. */
  readonly text: string;
  /** Set where it is long and not all of it is here. */
  readonly cut: boolean;
}

/** An exchange in full but for its events; long bodies are cut, as `cut` says. */
export interface ShownExchange {
  readonly exchange: Exchange;
  readonly cut: boolean;
  /** For a push notification, in words: its outcome, whether its answer was simulated, and the checks. */
  readonly notes?: readonly string[];
}

/** An exchange as the table of the wire lists it. */
export interface ListedExchange extends Omit<ExchangeSummary, 'sent' | 'answered'> {
  readonly sent: WireLine;
  /** Absent for an event stream, and before the answer has arrived. */
  readonly answered?: WireLine;
}

/** A form to fill in. `part` is the index of the part that asks for it; a card's form has none. */
export interface ShownForm {
  readonly form: InputForm;
  readonly part?: number;
  /** The answer to it, in the order of its fields; absent while it waits. */
  readonly answer?: readonly AnswerLine[];
}

/** A violation of a schema: an RFC 6901 pointer, and a message in the language of the workbench that quotes the schema. */
export interface DataFault {
  readonly pointer: string;
  readonly message: string;
}

/** Events of the host; never answered. */
export interface Events {
  /** Changes of entries, in order, in batches. */
  updates: readonly EntryUpdate[];
  state: ChatState;
  /** All findings of the context, as they are now. */
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
  /** References as in `refer`, from before the page was there. */
  readonly references: readonly Referral[];
  /** Parts as in `attached`, from before the page was there. */
  readonly attached?: readonly DraftPart[];
  /** The newest draft: the one on disk, or the one that an earlier page kept. */
  readonly draft?: Draft;
  /** Contents of forms that an earlier page kept. */
  readonly forms?: KeptForms;
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

/** One function per request, in the host; a request without a result is answered with null. */
export type RequestHandlers = {
  readonly [Name in keyof Requests]: (params: Requests[Name]['params']) => Promise<Name extends keyof Results ? Results[Name] : void>;
};

/** Pattern of a query; the page and the history search in the same way. */
export function findPattern({ text, matchCase }: FindQuery): RegExp {
  const words = text
    .normalize('NFC')
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  return new RegExp(words, matchCase ? 'gu' : 'giu');
}
