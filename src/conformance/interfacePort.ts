import { randomUUID } from 'node:crypto';
import {
  configuredHeaders,
  noHeaders,
  withConfigured,
  type ConfiguredHeaders,
  type GivenHeaders,
} from '../client/http/configuredHeaders.ts';
import { ConnectionProblem } from '../client/http/connectionProblem.ts';
import type { Http, HttpRequest } from '../client/http/http.ts';
import { requireApproved, type Trust } from '../client/http/origin.ts';
import { parseJson } from '../client/http/parseJson.ts';
import { withRedirects } from '../client/http/redirects.ts';
import { addresses, addressOf } from '../client/httpJson/address.ts';
import { httpJsonRequest } from '../client/httpJson/request.ts';
import { transportFor } from '../client/interfaces/transports.ts';
import type { SignatureReport } from '../client/card/signatures/signatureReport.ts';
import type { HttpResponse } from '../client/http/httpResponse.ts';
import { httpJsonEnvelope } from '../client/httpJson/envelope.ts';
import { jsonRpcEnvelope } from '../client/jsonRpc/jsonRpcEnvelope.ts';
import { offeredInterfaces } from '../client/interfaces/offeredInterface.ts';
import type { Envelope } from '../client/transport/envelope.ts';
import { unaryAnswer } from '../client/transport/operationAnswer.ts';
import type { CallOptions, Endpoint } from '../client/transport/transport.ts';
import type { WireLog } from '../client/wireLog/wireLog.ts';
import type { AgentCard, AgentInterface } from '../protocol/card/agentCard.ts';
import { A2AError } from '../protocol/errors.ts';
import type { Exchange, Frame, Headers } from '../protocol/exchange.ts';
import type { Operation, OperationParams, StreamingOperation, UnaryOperation } from '../protocol/message/operations.ts';
import { isStreaming } from '../protocol/message/operations.ts';
import type { Part } from '../protocol/message/part.ts';
import { isObject } from '../protocol/json.ts';
import { readTaskState } from '../protocol/message/taskState.ts';
import { Problem } from '../protocol/problem.ts';
import { answerView, isRuleVersion, openedEvent, requestView, withoutMark } from '../protocol/rules/rule/answerView.ts';
import type { Fields } from '../protocol/rules/rule/passiveCheck.ts';
import type {
  Begun,
  Made,
  ProbeAnswer,
  ProbeEvent,
  ProbeOptions,
  ProbePort,
  ProbeReceiver,
  ProbeStream,
  RawRequest,
  Unreachable,
} from '../protocol/rules/rule/probe.ts';
import type { RuleVersion } from '../protocol/rules/rule/rule.ts';
import { versionOf } from '../protocol/versions/index.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { RetryWaits } from './retryWaits.ts';
import { Silences } from './silences.ts';

/** What a suite knows of the agent and of how to ask it. */
export interface PortOptions {
  readonly http: Http;
  readonly card: AgentCard;
  readonly cardJson: Fields;
  readonly cardUrl: string;
  readonly interface: AgentInterface;
  readonly signal: AbortSignal;
  /** Hears of every exchange. */
  readonly log: WireLog;
  readonly headers?: GivenHeaders | undefined;
  /** Credentials of a second identity. */
  readonly other?: GivenHeaders | undefined;
  /** What to send to make the agent do something. */
  readonly prompts?: Readonly<Partial<Record<Made, readonly Part[]>>> | undefined;
  readonly receiver?: ((entry: AgentInterface) => Promise<ProbeReceiver | Unreachable>) | undefined;
  /** Checks the signatures of the card. */
  readonly signature?: (() => Promise<Pick<SignatureReport, 'verdict' | 'message'> | undefined>) | undefined;
  /** Where requests may go; everywhere where undefined. */
  readonly trust?: Trust | undefined;
  /** What the agent left without an answer before; shared by all ports of a suite. */
  readonly silences?: Silences | undefined;
  /** Waits that the agent asks for; shared likewise. Nothing is asked twice where undefined. */
  readonly waits?: RetryWaits | undefined;
}

/** Reads the answer to an operation. */
type Reader = (response: HttpResponse) => Promise<unknown>;

/** Longest wait for an answer, in milliseconds, unless a probe says otherwise. */
const timeoutMs = 30_000;
/** Longest silence within one, in milliseconds. */
const silenceMs = 15_000;
/** Longest wait for what an agent has to think about, in milliseconds, until it was silent for as long once. */
const thinkingMs = 60_000;

/** One interface of an agent, as probes ask over it. Rejects with ConnectionProblem where the agent could not be asked. */
export class InterfacePort implements ProbePort {
  readonly version: RuleVersion;
  readonly interface: AgentInterface;
  readonly card: AgentCard;
  readonly cardJson: Fields;
  readonly cardUrl: string;
  readonly signal: AbortSignal;
  readonly #options: PortOptions & { readonly silences: Silences };
  readonly #headers: ConfiguredHeaders;
  readonly #form: Version;
  readonly #made = new Map<Made, Promise<Begun>>();
  #thinkingMs = thinkingMs;

  /** @throws Problem for a version that no rule is about, or an interface that is not supported here */
  constructor(options: PortOptions) {
    const { protocolVersion, protocolBinding } = options.interface;
    const version = versionOf(protocolVersion);
    if (version === undefined || !isRuleVersion(version.protocolVersion) || transportFor(protocolBinding) === undefined)
      throw new Error(`no probes over ${protocolBinding} ${protocolVersion}`);
    this.#options = { ...options, silences: options.silences ?? new Silences() };
    this.#headers = configuredHeaders(options.headers);
    this.version = version.protocolVersion;
    this.#form = protocolBinding === 'JSONRPC' ? version : (version.protoForm ?? version);
    this.interface = options.interface;
    this.card = options.card;
    this.cardJson = options.cardJson;
    this.cardUrl = options.cardUrl;
    this.signal = options.signal;
  }

  async call<O extends Operation>(operation: O, params: OperationParams[O], options: ProbeOptions = {}): Promise<ProbeAnswer> {
    if (operation !== 'SendMessage') return this.#call(operation, params, options);
    const startedAt = performance.now();
    const limitMs = options.timeoutMs ?? this.#thinkingMs;
    try {
      return await this.#call(operation, params, { ...options, timeoutMs: limitMs });
    } catch (error) {
      if (error instanceof ConnectionProblem && performance.now() - startedAt >= limitMs) this.#thinkingMs = silenceMs;
      throw error;
    }
  }

  async #call<O extends Operation>(operation: O, params: OperationParams[O], options: ProbeOptions): Promise<ProbeAnswer> {
    const { protocolBinding, tenant } = this.interface;
    const named = tenant === undefined || tenant === '' || params.tenant !== undefined ? params : { ...params, tenant };
    const accept = isStreaming(operation) ? 'text/event-stream' : 'application/json';
    if (protocolBinding === 'GRPC') return this.#overGrpc(operation as UnaryOperation, named as never, options);
    const written = this.#form.writeParams(operation, named);
    if (protocolBinding === 'JSONRPC') {
      const members = isObject(written) ? { ...written, ...options.members } : written;
      const id = randomUUID();
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: this.#form.methods[operation] ?? operation, params: members });
      const read = this.#reader(operation, named, jsonRpcEnvelope(id, this.#form.errorNames));
      return this.#send(operation, { method: 'POST', path: '', body, ...options }, accept, read);
    }
    const { method, path, query, body } = httpJsonRequest(operation, named, this.#form);
    const members = body === undefined ? undefined : JSON.stringify({ ...(JSON.parse(body) as object), ...options.members });
    const asked = body === undefined && options.members !== undefined ? `${query}&${queryOf(options.members)}` : query;
    return this.#send(
      operation,
      { method, path: asked === '' ? path : `${path}?${asked}`, ...(members !== undefined && { body: members }), ...options },
      accept,
      this.#reader(operation, named, {
        ...httpJsonEnvelope(this.#form.errorNames),
        mayBeEmpty: operation === 'DeleteTaskPushNotificationConfig',
      }),
    );
  }

  /** Reads an answer as the client does, so that what it notes is known of the exchange. */
  #reader<O extends Operation>(operation: O, params: OperationParams[O], envelope: Envelope): Reader | undefined {
    if (isStreaming(operation)) return undefined;
    const sent = { operation: operation as UnaryOperation, version: this.#form, params: params as never, envelope };
    return response => unaryAnswer(response, sent);
  }

  async extendedCard(options: ProbeOptions = {}): Promise<ProbeAnswer> {
    const { tenant } = this.interface;
    const { methods, path } = this.#form.extendedCard ?? { methods: ['GetExtendedAgentCard'], path: '/extendedAgentCard' };
    if (this.interface.protocolBinding === 'GRPC')
      return this.#grpcCall(options, (endpoint, call) => transportFor('GRPC')!.extendedCard!(endpoint, card => card, call));
    if (this.interface.protocolBinding === 'HTTP+JSON')
      return this.#send(
        'GetExtendedAgentCard',
        { method: 'GET', path: `${tenant ? `/${encodeURIComponent(tenant)}` : ''}${path ?? '/extendedAgentCard'}`, ...options },
        'application/json',
      );
    const body = JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method: methods[0], params: tenant ? { tenant } : {} });
    return this.#send('GetExtendedAgentCard', { method: 'POST', path: '', body, ...options }, 'application/json');
  }

  siblings(): readonly ProbePort[] {
    const { card, cardUrl } = this.#options;
    return offeredInterfaces(card, cardUrl)
      .filter(({ isSupported, interface: entry }) => isSupported && versionOf(entry.protocolVersion)?.protocolVersion === this.version)
      .map(({ interface: entry }) => entry)
      .filter(({ url, protocolBinding }) => url !== this.interface.url || protocolBinding !== this.interface.protocolBinding)
      .map(entry => new InterfacePort({ ...this.#options, interface: entry }));
  }

  async signature(): ReturnType<ProbePort['signature']> {
    return this.#options.signature?.();
  }

  raw(request: RawRequest): Promise<ProbeAnswer> | undefined {
    return this.interface.protocolBinding === 'GRPC' ? undefined : this.#send('Raw', request, 'application/json');
  }

  async get(url: string, headers: ProbeOptions['headers'] = {}): Promise<ProbeAnswer> {
    return this.#exchange('AgentCard', { method: 'GET', url: new URL(url) }, { headers }, 'application/json', 'HTTP');
  }

  async stream<O extends StreamingOperation>(operation: O, params: OperationParams[O], options: ProbeOptions = {}): Promise<ProbeStream> {
    const { silences } = this.#options;
    silences.require(operation, this.interface.url);
    const exchangeId = randomUUID();
    const left = new AbortController();
    const signal = AbortSignal.any([this.signal, left.signal]);
    const { log, last } = this.#recording();
    const batches = transportFor(this.interface.protocolBinding)!.stream(this.#endpoint(options), operation, params, {
      log,
      signal,
      exchangeId,
      timeoutMs: options.timeoutMs ?? this.#thinkingMs,
    });
    const told: { error?: ProbeAnswer['error'] } = {};
    const answer = (): ProbeAnswer | undefined => {
      const exchange = last();
      if (exchange?.response === undefined || (exchange.response.body === undefined && told.error === undefined)) return undefined;
      return { ...answerOf(exchange), ...(told.error !== undefined && { error: told.error }) };
    };
    const binding = this.interface.protocolBinding;
    return {
      exchangeId,
      events: events(
        batches,
        binding,
        error => (told.error = error),
        silence => silences.told(operation, this.interface.url, silence),
      ),
      answer,
      exchange: last,
      close: () => left.abort(),
    };
  }

  make(what: Made, another?: 'another'): Promise<Begun> | undefined {
    const parts = this.prompt(what);
    if (parts === undefined) return undefined;
    const known = another === undefined ? this.#made.get(what) : undefined;
    if (known !== undefined) return known;
    const begun = this.#begin(parts, what === 'long-task');
    if (another === undefined) this.#made.set(what, begun);
    return begun;
  }

  async #begin(parts: readonly Part[], returnImmediately: boolean): Promise<Begun> {
    const answer = await this.call('SendMessage', {
      message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [...parts] },
      configuration: { returnImmediately },
    });
    const { result } = answer;
    const inner = isObject(result) && isObject(result['task']) ? result['task'] : result;
    if (!isObject(inner) || typeof inner['id'] !== 'string' || !isObject(inner['status'])) return { answer, task: undefined };
    const contextId = typeof inner['contextId'] === 'string' ? inner['contextId'] : undefined;
    return { answer, task: { taskId: inner['id'], contextId, state: readTaskState(inner['status']['state']) } };
  }

  prompt(what: Made): readonly Part[] | undefined {
    const { prompts = {} } = this.#options;
    if (prompts[what] !== undefined) return prompts[what];
    const example = this.card.skills.flatMap(({ examples = [] }) => examples).find(text => text.trim() !== '');
    return what === 'task' && example !== undefined ? [{ text: example }] : undefined;
  }

  async receiver(): ReturnType<ProbePort['receiver']> {
    return this.#options.receiver?.(this.interface);
  }

  as(identity: 'nobody' | 'wrong' | 'other'): ProbePort | undefined {
    if (identity === 'other')
      return this.#options.other === undefined ? undefined : new InterfacePort({ ...this.#options, headers: this.#options.other });
    if (this.#headers === noHeaders && identity === 'wrong') return new InterfacePort({ ...this.#options, headers: wrong });
    return new InterfacePort({ ...this.#options, headers: identity === 'nobody' ? noHeaders : wrong });
  }

  /** Names the extensions that the card requires: nothing else is answered without them. */
  #extensions(): Headers {
    const { extensionsHeader } = this.#form;
    const required = (this.card.capabilities.extensions ?? []).filter(({ required: isRequired }) => isRequired === true);
    return extensionsHeader === undefined || required.length === 0 ? [] : [[extensionsHeader, required.map(({ uri }) => uri).join(', ')]];
  }

  /** Asks, unless that was in vain before. */
  async #heard<T>(operation: string, url: URL | string, ask: () => Promise<T>): Promise<T> {
    const { silences } = this.#options;
    const place = `${this.interface.protocolBinding} ${String(url)}`;
    silences.require(operation, place);
    try {
      const answer = await ask();
      silences.told(operation, place);
      return answer;
    } catch (error) {
      silences.told(operation, place, error);
      throw error;
    }
  }

  /** The exchange as it was last told, and a log that tells the suite's too. */
  #recording(): { readonly log: WireLog; readonly last: () => Exchange | undefined } {
    const { log } = this.#options;
    let last: Exchange | undefined;
    return {
      last: () => last,
      log: {
        ...(log.passwords !== undefined && { passwords: log.passwords }),
        exchange: exchange => {
          last = exchange;
          log.exchange(exchange);
        },
        frames: (id, frames) => log.frames(id, frames),
        received: bytes => log.received?.(bytes),
      },
    };
  }

  #send(
    operation: string,
    { method, path, body, ...options }: RawRequest & ProbeOptions,
    accept: string,
    read?: Reader,
  ): Promise<ProbeAnswer> {
    const base = new URL(this.interface.url);
    const [pathname = '', query = ''] = path.split(/\?(.*)/s);
    const url = path === '' ? base : addressOf(base, addresses(base, pathname)[0]!, query);
    const request = { method, url, ...(body !== undefined && { body }) };
    return this.#exchange(operation, request, options, accept, this.interface.protocolBinding, read);
  }

  async #exchange(
    operation: string,
    request: Pick<HttpRequest, 'method' | 'url' | 'body'>,
    options: ProbeOptions,
    accept: string,
    protocolBinding: string,
    read?: Reader,
  ): Promise<ProbeAnswer> {
    const { trust, http } = this.#options;
    // The card says where: nothing goes where nobody allowed it.
    if (trust !== undefined) requireApproved(request.url, trust);
    const { log, last } = this.#recording();
    const { header } = this.#form;
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
    const headers = (await withConfigured([], this.#headers, request.url)).filter(([name]) => !said.has(name.toLowerCase()));
    const sending: HttpRequest = {
      ...request,
      headers: [...sent, ...headers],
      secret: this.#headers.secret,
      tls: this.#headers.tls,
      headersTimeoutMs: Math.max(silenceMs, options.timeoutMs ?? 0),
      bodyTimeoutMs: silenceMs,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: this.signal,
      log,
      subject: { operation, protocolBinding, protocolVersion: options.judgedAs ?? this.version },
    };
    const ask = (): Promise<HttpResponse> =>
      this.#heard(operation, request.url, () =>
        // Of a card it is looked at where it is, and whether it has changed.
        operation === 'AgentCard' ? http.request(sending) : withRedirects(http, sending),
      );
    let response = await ask();
    const waitMs = this.#options.waits?.take(response);
    if (waitMs !== undefined) {
      response.discard();
      response.record.end();
      await this.#options.waits?.pause(waitMs, this.signal);
      response = await ask();
    }
    if (read !== undefined && options.judgedAs === undefined && response.mediaType !== 'text/event-stream') {
      try {
        await read(response);
      } catch (error) {
        // Of an answer that was not read to its end nothing can be said.
        if (!(error instanceof Problem) || error instanceof ConnectionProblem || error.code === 'too-large') throw error;
      }
      return answerOf(last()!);
    }
    if (response.mediaType === 'text/event-stream') response.discard();
    else {
      try {
        await response.text();
      } catch (error) {
        response.record.end(error);
        throw error;
      }
    }
    response.record.end();
    return answerOf(last()!);
  }

  #overGrpc<O extends UnaryOperation>(operation: O, params: OperationParams[O], options: ProbeOptions): Promise<ProbeAnswer> {
    return this.#heard(operation, this.interface.url, () =>
      this.#grpcCall(options, (endpoint, call) => transportFor('GRPC')!.call(endpoint, operation, params, call)),
    );
  }

  async #grpcCall(options: ProbeOptions, ask: (endpoint: Endpoint, options: CallOptions) => Promise<unknown>): Promise<ProbeAnswer> {
    const { log, last } = this.#recording();
    let refused: A2AError | undefined;
    try {
      await ask(this.#endpoint(options), { log, signal: this.signal, timeoutMs: options.timeoutMs ?? timeoutMs });
    } catch (error) {
      if (!(error instanceof Problem) || error instanceof ConnectionProblem || last()?.response === undefined) throw error;
      if (error instanceof A2AError) refused = error;
    }
    const answer = answerOf(last()!);
    return refused === undefined ? answer : { ...answer, error: errorOf(refused) };
  }

  #endpoint({ headers = {} }: ProbeOptions): Endpoint {
    const { http, card } = this.#options;
    const { url, tenant } = this.interface;
    const version = versionOf(this.interface.protocolVersion)!;
    const own = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const extensionsHeader = this.#form.extensionsHeader ?? '';
    const extensions = own.has(extensionsHeader.toLowerCase()) ? own.get(extensionsHeader.toLowerCase()) : undefined;
    return {
      card,
      url: new URL(url),
      version: own.has('a2a-version') ? { ...version, header: own.get('a2a-version') } : version,
      http,
      headers: this.#headers,
      extensions: !own.has(extensionsHeader.toLowerCase())
        ? this.#extensions()
        : extensions === undefined
          ? []
          : [[extensionsHeader, extensions]],
      ...(tenant !== undefined && tenant !== '' && { tenant }),
      streams: card.capabilities.streaming === true,
    };
  }
}

const wrong = { Authorization: 'Bearer this-credential-is-wrong' };

const queryOf = (members: Fields): string =>
  new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)])).toString();

/** The JSON of a text, however long it is. @throws Problem `too-large` for more values than are read anywhere */
const wholeJson = (text: string | undefined): unknown => (text === undefined || text === '' ? undefined : parseJson(withoutMark(text)));

function answerOf(exchange: Exchange): ProbeAnswer {
  const asked = requestView(exchange);
  const view = asked === undefined ? undefined : answerView(exchange, asked, wholeJson(exchange.response?.body));
  if (view === undefined) throw new Error('an exchange without an answer');
  return { ...view, exchange };
}

/**
 * @param refused called with the error that the agent gave instead of an event
 * @param heard called when an event came, and with the error where none came at all
 */
async function* events(
  batches: AsyncIterable<{ readonly frames: readonly Frame[] }>,
  binding: string,
  refused: (error: ProbeAnswer['error']) => void,
  heard: (error?: unknown) => void,
): AsyncGenerator<ProbeEvent> {
  let hasBegun = false;
  try {
    for await (const { frames } of batches)
      for (const frame of frames) {
        if (!hasBegun) heard();
        hasBegun = true;
        const { result, error } = openedEvent(wholeJson(frame.data), binding);
        if (error !== undefined) refused(error);
        yield { frame, result, error };
      }
  } catch (error) {
    if (!hasBegun) heard(error);
    // An error of the agent is an answer, and its event was given before; that it sends elsewhere is none.
    if (!(error instanceof Problem) || error instanceof ConnectionProblem || error.code === 'redirected') throw error;
    if (binding !== 'GRPC') return;
    refused(error instanceof A2AError ? errorOf(error) : { code: undefined, value: { message: error.message }, pointer: '' });
  }
}

const errorOf = ({ rpcCode: code, message, data }: A2AError): NonNullable<ProbeAnswer['error']> => ({
  code,
  value: { code, message, details: data },
  pointer: '',
});
