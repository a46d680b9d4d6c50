import { withConfigured, type ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import type { Http, HttpRequest } from '../../client/http/http.ts';
import type { HttpResponse } from '../../client/http/httpResponse.ts';
import { parseJson } from '../../client/http/parseJson.ts';
import { requireApproved, type Trust } from '../../client/http/origin.ts';
import { withRedirects } from '../../client/http/redirects.ts';
import { addresses, addressOf } from '../../client/httpJson/address.ts';
import { transportFor } from '../../client/interfaces/transports.ts';
import type { CallOptions, Endpoint } from '../../client/transport/transport.ts';
import { unreadableBody } from '../../client/transport/agentError.ts';
import { isUnreadable } from '../../client/wireLog/unreadableAnswer.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import type { AgentCard, AgentInterface } from '../../protocol/card/agentCard.ts';
import { A2AError } from '../../protocol/errors.ts';
import type { Exchange, Headers } from '../../protocol/exchange.ts';
import type { OperationParams, UnaryOperation } from '../../protocol/message/operations.ts';
import { requireShallow } from '../../protocol/json/nesting.ts';
import { Problem } from '../../protocol/problem.ts';
import type { ProbeAnswer, ProbeOptions, RawRequest } from '../rules/rule/probe.ts';
import type { RuleVersion } from '../rules/rule/rule.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { answerOf, errorOf } from './probeAnswer.ts';
import type { RetryWaits } from './retryWaits.ts';
import type { Silences } from './silences.ts';

export interface ProbeRequestsOptions {
  readonly http: Http;
  readonly card: AgentCard;
  readonly interface: AgentInterface;
  readonly signal: AbortSignal;
  /** Hears of every exchange. */
  readonly log: CheckLog;
  readonly headers: ConfiguredHeaders;
  /** The version of the rules that answers are judged by. */
  readonly version: RuleVersion;
  /** How that version is written on this binding. */
  readonly form: Version;
  /** Operations without an answer so far; shared by all ports of a suite. */
  readonly silences: Silences;
  /** Where requests may go; everywhere where undefined. */
  readonly trust?: Trust | undefined;
  /** Waits that the agent asks for; shared likewise. Nothing is asked twice where undefined. */
  readonly waits?: RetryWaits | undefined;
  /** Longest silence within an answer, in milliseconds; {@link silenceMs} where undefined. */
  readonly silenceMs?: number | undefined;
}

/** Reads the answer to an operation. */
export type Reader = (response: HttpResponse) => Promise<unknown>;

/** Longest wait for an answer, in milliseconds, unless a probe says otherwise. */
const timeoutMs = 30_000;
/** Longest silence within one, in milliseconds, unless the options say otherwise. */
export const silenceMs = 15_000;

/** Records the exchanges of a check, each with the interface that it goes over. Otherwise as `WireLog`. */
export interface CheckLog extends Omit<WireLog, 'exchange'> {
  exchange(exchange: Exchange, over: AgentInterface): void;
}

/** Sends what probes ask on one interface, with what every request to it carries. Rejects with ConnectionProblem where the agent could not be asked. */
export class ProbeRequests {
  readonly #options: ProbeRequestsOptions;

  constructor(options: ProbeRequestsOptions) {
    this.#options = options;
  }

  /** The latest record of the exchange, and a log that also writes to that of the suite. */
  recording(): { readonly log: WireLog; readonly last: () => Exchange | undefined } {
    const { log, interface: over } = this.#options;
    let last: Exchange | undefined;
    return {
      last: () => last,
      log: {
        ...(log.passwords !== undefined && { passwords: log.passwords }),
        exchange: exchange => {
          last = exchange;
          log.exchange(exchange, over);
        },
        frames: (id, frames) => log.frames(id, frames),
        received: bytes => log.received?.(bytes),
      },
    };
  }

  /** Sends to a path below the address of the interface; to the address itself where the path is empty. */
  send(
    operation: string,
    { method, path, body, ...options }: RawRequest & ProbeOptions,
    accept: string,
    read?: Reader,
  ): Promise<ProbeAnswer> {
    const base = new URL(this.#options.interface.url);
    const [pathname = '', query = ''] = path.split(/\?(.*)/s);
    const url = path === '' ? base : addressOf(base, addresses(base, pathname)[0]!, query);
    const request = { method, url, ...(body !== undefined && { body }) };
    return this.exchange(operation, request, options, accept, this.#options.interface.protocolBinding, read);
  }

  /** @param read reads the answer as the client does; without it, it is taken as it is */
  async exchange(
    operation: string,
    request: Pick<HttpRequest, 'method' | 'url' | 'body'>,
    options: ProbeOptions,
    accept: string,
    protocolBinding: string,
    read?: Reader,
  ): Promise<ProbeAnswer> {
    const { trust, http, silenceMs: silentMs = silenceMs } = this.#options;
    // The address comes from the card: only approved origins get requests.
    if (trust !== undefined) requireApproved(request.url, trust);
    const { log, last } = this.recording();
    const sending: HttpRequest = {
      ...request,
      headers: await this.#headersOf(operation, request, options, accept),
      secret: this.#options.headers.secret,
      tls: this.#options.headers.tls,
      headersTimeoutMs: Math.max(silentMs, options.timeoutMs ?? 0),
      bodyTimeoutMs: silentMs,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: this.#options.signal,
      log,
      subject: { operation, protocolBinding, protocolVersion: options.judgedAs ?? this.#options.version },
    };
    // Of a card it is looked at where it is, and whether it has changed.
    const ask = (): Promise<HttpResponse> => (operation === 'AgentCard' ? http.request(sending) : withRedirects(http, sending));
    const place = operation === 'AgentCard' ? request.url.href : this.#options.interface.url;
    return this.#heard(operation, place, async () => {
      let response = await ask();
      const waitMs = this.#options.waits?.take(response);
      if (waitMs !== undefined) {
        response.discard();
        response.record.end();
        await this.#options.waits?.pause(waitMs, this.#options.signal);
        response = await ask();
      }
      // A card that is looked for elsewhere may not be there; whatever else comes with success is JSON.
      const plain = operation === 'AgentCard' ? readText : readJson;
      await readWhole(response, (options.judgedAs === undefined ? read : undefined) ?? plain);
      return answerOf(last()!);
    });
  }

  /** Calls an operation over gRPC. */
  overGrpc<O extends UnaryOperation>(operation: O, params: OperationParams[O], options: ProbeOptions): Promise<ProbeAnswer> {
    return this.#heard(operation, this.#options.interface.url, () =>
      this.grpcCall(options, (endpoint, call) => transportFor('GRPC')!.call(endpoint, operation, params, call)),
    );
  }

  /** The answer to a call over gRPC, an error included. */
  async grpcCall(options: ProbeOptions, ask: (endpoint: Endpoint, options: CallOptions) => Promise<unknown>): Promise<ProbeAnswer> {
    const { log, last } = this.recording();
    let refused: A2AError | undefined;
    try {
      await ask(this.endpoint(options), { log, signal: this.#options.signal, timeoutMs: options.timeoutMs ?? timeoutMs });
    } catch (error) {
      if (!(error instanceof Problem) || error instanceof ConnectionProblem || isUnreadable(error)) throw error;
      const { response } = last() ?? {};
      // An answer that is not a message has its bytes alone.
      if (response === undefined || (error.code === 'unreadable-answer' && response.body === undefined)) throw error;
      if (error instanceof A2AError) refused = error;
    }
    const answer = answerOf(last()!);
    return refused === undefined ? answer : { ...answer, error: errorOf(refused) };
  }

  /** The interface as the client's transports take it. */
  endpoint({ headers = {} }: ProbeOptions): Endpoint {
    const { http, card } = this.#options;
    const { url, tenant } = this.#options.interface;
    const version = versionOf(this.#options.interface.protocolVersion)!;
    const own = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const extensionsHeader = this.#options.form.extensionsHeader ?? '';
    const extensions = own.has(extensionsHeader.toLowerCase()) ? own.get(extensionsHeader.toLowerCase()) : undefined;
    return {
      card,
      url: new URL(url),
      version: own.has('a2a-version') ? { ...version, header: own.get('a2a-version') } : version,
      http,
      headers: this.#options.headers,
      extensions: !own.has(extensionsHeader.toLowerCase())
        ? this.#extensions()
        : extensions === undefined
          ? []
          : [[extensionsHeader, extensions]],
      ...(tenant !== undefined && tenant !== '' && { tenant }),
      streams: card.capabilities.streaming === true,
    };
  }

  async #headersOf(operation: string, request: Pick<HttpRequest, 'url' | 'body'>, options: ProbeOptions, accept: string): Promise<Headers> {
    const { header } = this.#options.form;
    const own = new Map<string, string | undefined>([
      ['accept', accept],
      ...(request.body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ...(header === undefined ? [] : [['a2a-version', header] as const]),
      ...(operation === 'AgentCard' ? [] : this.#extensions()).map(([name, value]) => [name.toLowerCase(), value] as const),
      ...Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const),
    ]);
    const sent = [...own].filter((each): each is [string, string] => each[1] !== undefined);
    // What a probe says of a header counts more than what is configured.
    const said = new Set(Object.keys(options.headers ?? {}).map(name => name.toLowerCase()));
    const configured = (await withConfigured([], this.#options.headers, request.url)).filter(([name]) => !said.has(name.toLowerCase()));
    return [...sent, ...configured];
  }

  /** Names the extensions that the card requires: nothing else is answered without them. */
  #extensions(): Headers {
    const { extensionsHeader } = this.#options.form;
    const required = (this.#options.card.capabilities.extensions ?? []).filter(({ required: isRequired }) => isRequired === true);
    return extensionsHeader === undefined || required.length === 0 ? [] : [[extensionsHeader, required.map(({ uri }) => uri).join(', ')]];
  }

  /** Asks, unless that was in vain before. */
  async #heard<T>(operation: string, address: string, ask: () => Promise<T>): Promise<T> {
    const { silences, waits } = this.#options;
    const place = `${this.#options.interface.protocolBinding} ${address}`;
    silences.require(operation, place);
    try {
      const answer = await ask().catch((error: unknown) => (waits?.repeats(error) === true ? ask() : Promise.reject(error)));
      silences.record(operation, place);
      return answer;
    } catch (error) {
      silences.record(operation, place, error);
      throw error;
    }
  }
}

/** Reads an answer to its end, so that its exchange has all of it; of a stream nothing. */
async function readWhole(response: HttpResponse, read: Reader): Promise<void> {
  if (response.mediaType === 'text/event-stream') {
    response.discard();
    response.record.end();
    return;
  }
  try {
    await read(response);
    response.record.end();
  } catch (error) {
    response.record.end(error);
    // Of an answer that was not read to its end, or is no JSON, nothing can be said.
    if (!(error instanceof Problem) || error instanceof ConnectionProblem || isUnreadable(error)) throw error;
  }
}

const readText: Reader = response => response.text();

const readJson: Reader = async response => {
  const body = await response.text();
  const json = parseJson(body);
  if (json === undefined && response.ok) throw unreadableBody(response, body);
  requireShallow(json);
};
