import { randomUUID } from 'node:crypto';
import {
  closedByClient,
  type CodedBody,
  type Exchange,
  type Frame,
  type Headers,
  type SatisfiedRequirement,
} from '../../protocol/exchange.ts';
import { findingOf, maxFindings, type Finding, type Note } from '../../protocol/finding.ts';
import { holdsMany } from '../../protocol/json/valueCount.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import { english, Problem, type LocalizedMessage, sentence } from '../../protocol/problem.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import type { ExchangeObserver, ObserveExchange } from './exchangeObserver.ts';
import { operations } from '../../protocol/message/operations.ts';
import { maskedHeaders, maskedUrl, type SecretHeaders } from './maskedHeaders.ts';
import { notificationSecrets } from './notificationSecrets.ts';
import { SentCredentials } from './sentCredentials.ts';
import { ruleOfJson, ruleOfUnreadable } from './unreadableAnswer.ts';
import type { WireLog } from './wireLog.ts';

/** Milliseconds since the epoch, with fractions; never decreases. */
export const now = (): number => performance.timeOrigin + performance.now();

/** The subject of an exchange, from the caller's view. */
export interface ExchangeSubject {
  /** Set by callers that must know it before anything is sent; otherwise generated. */
  readonly exchangeId?: string;
  readonly operation: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
  /** See `Exchange`. */
  readonly satisfies?: SatisfiedRequirement | undefined;
}

interface RecordedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Headers whose values are always masked. */
  readonly secret: SecretHeaders;
  readonly body: string;
  /** The bytes on the wire, where the body was not text. */
  readonly bytes?: Uint8Array;
}

/** Longest reason for an early end that is kept, in UTF-16 code units. */
const maxFailure = 4096;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** Reports each change of one exchange to the wire log. */
export class ExchangeRecord {
  readonly id: string;
  /** Credentials that were sent: code that reads the answer masks them first. */
  readonly credentials: SentCredentials;
  readonly #log: WireLog | undefined;
  readonly #secret: SecretHeaders;
  readonly #findings: Finding[] = [];
  /** Index of the finding of each cause. */
  readonly #causes = new Map<string, number>();
  #frame: number | undefined;
  #observer: ExchangeObserver | undefined;
  #exchange: Exchange;

  constructor(log: WireLog | undefined, subject: ExchangeSubject, request: RecordedRequest) {
    this.#log = log;
    this.#secret = request.secret;
    const passwords = log?.passwords ?? [];
    this.credentials = new SentCredentials(request.url, request.headers, request.secret, passwords);
    const sent = new SentCredentials(new URL('a2a:'), [], new Set(), passwords);
    this.id = subject.exchangeId ?? randomUUID();
    this.#exchange = {
      id: this.id,
      operation: subject.operation,
      protocolBinding: subject.protocolBinding,
      protocolVersion: subject.protocolVersion,
      request: {
        method: request.method,
        url: this.credentials.mask(maskedUrl(request.url, request.secret)),
        headers: maskedHeaders(request.headers, request.secret),
        body: sent.mask(request.body),
        ...(request.bytes !== undefined && { bytes: base64(sent.maskBytes(request.bytes)) }),
      },
      startedAt: now(),
      findings: [],
      ...(subject.satisfies !== undefined && { satisfies: subject.satisfies }),
    };
    this.#log?.exchange(this.#exchange);
  }

  /**
   * The findings so far, each cause once with a count, however often a stream repeats it. What the official texts disagree on is in the
   * exchange alone: nothing that is made of an answer's findings, such as a test, may hold it against the agent.
   */
  get findings(): readonly Finding[] {
    return this.#findings.some(({ disputed }) => disputed === true)
      ? this.#findings.filter(({ disputed }) => disputed !== true)
      : this.#findings;
  }

  /** Findings that are noted from now on are about the event of this number; about none without it. Costs nothing while none is noted. */
  reading(frame: number | undefined): void {
    this.#frame = frame;
  }

  readonly note: Note = (rule, pointer, what, more) => {
    const frame = this.#frame;
    const finding = findingOf(rule, pointer, what, { ...more, ...(frame !== undefined && { frame }) });
    // Programs read the name of a state: each one is kept.
    const cause = more?.foreignState === undefined ? withoutValues(finding.message) : finding.message;
    this.#find(finding, `${rule} ${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${cause}`);
  };

  /** Has the exchange checked while its answer is read. Called before anything of the answer is recorded. */
  checkBy(observe: ObserveExchange | undefined): void {
    this.#observer = observe?.(this.#exchange, (finding, cause) => this.#find(finding, cause));
  }

  /** Findings of one cause are kept once, with a count. */
  #find(finding: Finding, cause: string): void {
    const index = this.#causes.get(cause);
    const known = index === undefined ? undefined : this.#findings[index];
    if (index !== undefined && known !== undefined)
      this.#findings[index] = { ...known, times: (known.times ?? 1) + 1, ...again(known, finding) };
    else if (this.#findings.length < maxFindings) this.#causes.set(cause, this.#findings.push(finding) - 1);
  }

  /** Lets the checks of rules look at an event. @param result inside its envelope */
  observe(frame: Frame, result: unknown): void {
    this.#observer?.event(frame, result);
  }

  /** See `WireLog.received`. */
  heard(bytes?: number): void {
    this.#log?.received?.(bytes);
  }

  /** Reports an interim answer of the server (RFC 9110 §15.2). */
  provisional(status: number): void {
    this.#log?.provisional?.(status);
  }

  head(status: number, headers: Headers): void {
    this.heard();
    this.#exchange = { ...this.#exchange, headersAt: now(), response: { status, headers: this.#masked(headers) } };
    this.#log?.exchange(this.#exchange);
  }

  /** @param text masked, as is `bytes`. */
  body(text: string, truncated: boolean, bytes?: Uint8Array): void {
    const mayHoldSecrets = this.#exchange.operation.includes('PushNotificationConfig');
    // So many values are not parsed, so the secrets among them are unknown.
    if (mayHoldSecrets && holdsMany(text)) return this.#answered({ body: '', truncated: true });
    const secrets = mayHoldSecrets ? notificationSecrets(parsed(text)) : [];
    const own = new SentCredentials(new URL('a2a:'), [], new Set(), secrets);
    this.#answered({
      body: own.mask(text),
      ...(truncated && { truncated }),
      ...(bytes !== undefined && { bytes: base64(own.maskBytes(bytes)) }),
    });
  }

  /** The body, so far, came in a coding. */
  decoded(coded: CodedBody): void {
    this.#answered({ coded });
  }

  trailers(trailers: Headers): void {
    this.#answered({ trailers: this.#masked(trailers) });
  }

  #masked(headers: Headers): Headers {
    return maskedHeaders(this.credentials.maskHeaders(headers), this.#secret);
  }

  #answered(more: Partial<NonNullable<Exchange['response']>>): void {
    const { response } = this.#exchange;
    if (response !== undefined) this.#exchange = { ...this.#exchange, response: { ...response, ...more } };
  }

  /** @param frames masked. */
  frames(frames: readonly Frame[]): void {
    // A stream may continue for hours, so findings are reported while it runs.
    if (this.#exchange.findings.length < this.#findings.length) {
      this.#exchange = { ...this.#exchange, findings: [...this.#findings] };
      this.#log?.exchange(this.#exchange);
    }
    this.heard();
    this.#log?.frames(this.id, frames);
  }

  /** Notes that an answer of success could not be read as it came, unless that was noted before. */
  #noteUnread(ruleOf: (operation: string, binding: string) => RuleId | undefined, what: LocalizedMessage): void {
    const { operation, protocolBinding, response } = this.#exchange;
    if (response === undefined || response.status < 200 || response.status >= 300) return;
    const rule = ruleOf(operation, protocolBinding);
    const message = english(what);
    if (rule !== undefined && !this.#findings.some(finding => finding.message === message)) this.note(rule, '', what);
  }

  /** Notes that the bytes of an answer are not those of JSON or of a stream, however much of them is read. */
  notText(what: LocalizedMessage): void {
    this.#noteUnread(ruleOfJson, what);
  }

  /** Ends the exchange; `failure` is why it ended early. Only the first call has an effect. */
  end(failure?: unknown): void {
    if (this.#exchange.endedAt !== undefined) return;
    if (failure instanceof Problem)
      this.#noteUnread((operation, binding) => ruleOfUnreadable(failure, operation, binding), failure.sentence);
    if (this.#exchange.response !== undefined) this.#observer?.end(this.#exchange);
    if (failure instanceof Problem) {
      // A card may be read where the agent's redirect led, with what it was sent in that address.
      const { operation, request } = this.#exchange;
      failure.cameAboutIn(this.id, this.findings, (operations as readonly string[]).includes(operation) ? request.url : undefined);
    }
    this.#exchange = {
      ...this.#exchange,
      endedAt: now(),
      findings: [...this.#findings],
      ...(failure !== undefined && this.#failed(failure)),
    };
    this.#log?.exchange(this.#exchange);
  }

  /** The text of a failure, masked; its sentence only where that is short and nothing in it is masked. */
  #failed(failure: unknown): Pick<Exchange, 'failure' | 'failureSentence'> {
    if (failure === closedByClient || (failure instanceof Problem && failure.code === 'cancelled' && this.#exchange.response !== undefined))
      return { failure: closedByClient, failureSentence: sentence('Closed by the client.') };
    const text = beginningOf(this.credentials.mask(failure instanceof Error ? failure.message : String(failure)), maxFailure, '…');
    if (!(failure instanceof Problem)) return { failure: text };
    const json = JSON.stringify(failure.sentence);
    const isShown = json.length <= maxFailure && this.credentials.mask(json) === json;
    return { failure: text, ...(isShown && { failureSentence: failure.sentence }) };
  }
}

/** A message without what it quotes and how long that is: two that differ in these alone have the same cause. */
const withoutValues = (message: string): string => message.replaceAll(/"(?:[^"\\]|\\.)*"|\d+(?= (?:bytes|characters))/g, '…');

/** The events of a finding that another event repeats. */
const again = ({ frame, alsoIn = [] }: Finding, { frame: other }: Finding): Pick<Finding, 'alsoIn'> =>
  frame === undefined || other === undefined || other === frame || alsoIn.length >= maxFindings ? {} : { alsoIn: [...alsoIn, other] };
