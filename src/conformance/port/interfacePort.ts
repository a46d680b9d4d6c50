import { randomUUID } from 'node:crypto';
import type { SignatureReport } from '../../client/card/signatures/signatureReport.ts';
import { configuredHeaders, noHeaders, type ConfiguredHeaders, type GivenHeaders } from '../../client/http/configuredHeaders.ts';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { httpJsonEnvelope } from '../../client/httpJson/envelope.ts';
import { httpJsonRequest } from '../../client/httpJson/request.ts';
import { offeredInterfaces } from '../../client/interfaces/offeredInterface.ts';
import { transportFor } from '../../client/interfaces/transports.ts';
import { jsonRpcEnvelope, type RpcId } from '../../client/jsonRpc/jsonRpcEnvelope.ts';
import { readUnary } from '../../client/transport/answer.ts';
import type { Envelope } from '../../client/transport/envelope.ts';
import { unaryAnswer } from '../../client/transport/operationAnswer.ts';
import type { AgentCard, AgentInterface } from '../../protocol/card/agentCard.ts';
import { isObject } from '../../protocol/json.ts';
import {
  isStreaming,
  type Operation,
  type OperationParams,
  type StreamingOperation,
  type UnaryOperation,
} from '../../protocol/message/operations.ts';
import type { Part } from '../../protocol/message/part.ts';
import { requireShallow } from '../../protocol/json/nesting.ts';
import { readTaskState } from '../../protocol/message/taskState.ts';
import { checkedJson, isRuleVersion } from '../rules/rule/answerView.ts';
import type { Fields } from '../rules/rule/passiveCheck.ts';
import type {
  Begun,
  Made,
  ProbeAnswer,
  ProbeOptions,
  ProbePort,
  ProbeReceiver,
  ProbeStream,
  RawRequest,
  Unreachable,
} from '../rules/rule/probe.ts';
import type { RuleVersion } from '../rules/rule/rule.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { answerOf } from './probeAnswer.ts';
import { probeEvents } from './probeEvents.ts';
import { ProbeRequests, silenceMs, type ProbeRequestsOptions, type Reader } from './probeRequests.ts';
import { Silences } from './silences.ts';

/** The agent, and how requests reach it. */
export interface PortOptions
  extends Pick<ProbeRequestsOptions, 'http' | 'card' | 'interface' | 'signal' | 'log' | 'trust' | 'waits' | 'silenceMs'> {
  /** See `ProbePort`. */
  readonly noCard?: boolean | undefined;
  readonly cardJson: Fields;
  readonly cardUrl: string;
  readonly headers?: GivenHeaders | undefined;
  /** Credentials of a second identity. */
  readonly other?: GivenHeaders | undefined;
  /** The message that makes the agent do something, by what it does. */
  readonly prompts?: Readonly<Partial<Record<Made, readonly Part[]>>> | undefined;
  readonly receiver?: ((entry: AgentInterface) => Promise<ProbeReceiver | Unreachable>) | undefined;
  /** Checks the signatures of the card. */
  readonly signature?: (() => Promise<Pick<SignatureReport, 'verdict' | 'message'> | undefined>) | undefined;
  /** Operations without an answer so far; shared by all ports of a suite. */
  readonly silences?: Silences | undefined;
}

/** Longest answer that is remembered for all rules, in UTF-16 code units; one that is longer is asked for again. */
const maxRemembered = 4 * 1024 * 1024;

/** Most other interfaces that one is compared with: all of a check are, each with each. */
const maxSiblings = 20;

/** Longest wait for what an agent has to think about, in milliseconds, until it was silent for as long once. */
const thinkingMs = 60_000;

/** One interface of an agent, as probes ask over it. Rejects with ConnectionProblem where the agent could not be asked. */
export class InterfacePort implements ProbePort {
  readonly version: RuleVersion;
  readonly interface: AgentInterface;
  readonly card: AgentCard;
  readonly noCard: boolean | undefined;
  readonly cardJson: Fields;
  readonly cardUrl: string;
  readonly signal: AbortSignal;
  readonly #options: PortOptions & { readonly silences: Silences };
  readonly #headers: ConfiguredHeaders;
  readonly #form: Version;
  readonly #requests: ProbeRequests;
  readonly #made = new Map<Made, Promise<Begun>>();
  #thinkingMs = thinkingMs;

  /** @throws Problem for a version that no rule is about, or an interface that is not supported here */
  constructor(options: PortOptions) {
    const { protocolVersion, protocolBinding } = options.interface;
    const version = versionOf(protocolVersion);
    if (version === undefined || !isRuleVersion(version.protocolVersion) || transportFor(protocolBinding) === undefined)
      throw new Error(`no probes over ${protocolBinding} ${protocolVersion}`);
    const silences = options.silences ?? new Silences();
    this.#options = { ...options, silences };
    this.#headers = configuredHeaders(options.headers);
    this.version = version.protocolVersion;
    this.#form = protocolBinding === 'JSONRPC' ? version : (version.protoForm ?? version);
    this.interface = options.interface;
    this.card = options.card;
    this.noCard = options.noCard;
    this.cardJson = options.cardJson;
    this.cardUrl = options.cardUrl;
    this.signal = options.signal;
    this.#requests = new ProbeRequests({ ...options, silences, headers: this.#headers, version: this.version, form: this.#form });
  }

  async call<O extends Operation>(operation: O, params: OperationParams[O], options: ProbeOptions = {}): Promise<ProbeAnswer> {
    if (operation !== 'SendMessage') return this.#call(operation, params, options);
    const startedAt = performance.now();
    const limitMs = options.timeoutMs ?? this.#thinkingMs;
    try {
      return await this.#call(operation, params, { ...options, timeoutMs: limitMs });
    } catch (error) {
      if (error instanceof ConnectionProblem && performance.now() - startedAt >= limitMs)
        this.#thinkingMs = this.#options.silenceMs ?? silenceMs;
      throw error;
    }
  }

  async #call<O extends Operation>(operation: O, params: OperationParams[O], options: ProbeOptions): Promise<ProbeAnswer> {
    const { protocolBinding, tenant } = this.interface;
    const named = tenant === undefined || tenant === '' || params.tenant !== undefined ? params : { ...params, tenant };
    const accept = isStreaming(operation) ? 'text/event-stream' : 'application/json';
    if (protocolBinding === 'GRPC') return this.#requests.overGrpc(operation as UnaryOperation, named as never, options);
    const written = this.#form.writeParams(operation, named);
    if (protocolBinding === 'JSONRPC') {
      const members = isObject(written) ? { ...written, ...options.members } : written;
      const id = randomUUID();
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: this.#form.methods[operation] ?? operation, params: members });
      const read = this.#reader(operation, named, jsonRpcEnvelope(id, this.#form.errorNames));
      return this.#requests.send(operation, { method: 'POST', path: '', body, ...options }, accept, read);
    }
    const { method, path, query, body } = httpJsonRequest(operation, named, this.#form);
    const members = body === undefined ? undefined : JSON.stringify({ ...body, ...options.members });
    const asked = body === undefined && options.members !== undefined ? `${query}&${queryOf(options.members)}` : query;
    return this.#requests.send(
      operation,
      { method, path: asked === '' ? path : `${path}?${asked}`, ...(members !== undefined && { body: members }), ...options },
      accept,
      this.#reader(operation, named, {
        ...httpJsonEnvelope(this.#form.errorNames),
        mayBeEmpty: operation === 'DeleteTaskPushNotificationConfig',
      }),
    );
  }

  /** True if an earlier call of that operation got no answer. */
  wasSilent(operation: UnaryOperation): boolean {
    const { protocolBinding, url } = this.interface;
    return this.#options.silences.has(operation, `${protocolBinding} ${url}`);
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
      return this.#requests.grpcCall(options, (endpoint, call) => transportFor('GRPC')!.extendedCard!(endpoint, card => card, call));
    if (this.interface.protocolBinding === 'HTTP+JSON')
      return this.#requests.send(
        'GetExtendedAgentCard',
        { method: 'GET', path: `${tenant ? `/${encodeURIComponent(tenant)}` : ''}${path ?? '/extendedAgentCard'}`, ...options },
        'application/json',
      );
    const body = JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method: methods[0], params: tenant ? { tenant } : {} });
    return this.#requests.send('GetExtendedAgentCard', { method: 'POST', path: '', body, ...options }, 'application/json');
  }

  siblings(): readonly ProbePort[] {
    const { card, cardUrl } = this.#options;
    return offeredInterfaces(card, cardUrl)
      .filter(({ isSupported, interface: entry }) => isSupported && versionOf(entry.protocolVersion)?.protocolVersion === this.version)
      .map(({ interface: entry }) => entry)
      .filter(({ url, protocolBinding }) => url !== this.interface.url || protocolBinding !== this.interface.protocolBinding)
      .slice(0, maxSiblings)
      .map(entry => new InterfacePort({ ...this.#options, interface: entry }));
  }

  async signature(): ReturnType<ProbePort['signature']> {
    return this.#options.signature?.();
  }

  raw(request: RawRequest): Promise<ProbeAnswer> | undefined {
    const { protocolBinding } = this.interface;
    if (protocolBinding === 'GRPC') return undefined;
    const json = checkedJson(request.body);
    const envelope = jsonRpcEnvelope(isObject(json) ? (json['id'] as RpcId | undefined) : undefined, this.#form.errorNames);
    const read: Reader = response => readUnary(response, envelope, requireShallow);
    return this.#requests.send('Raw', request, 'application/json', protocolBinding === 'JSONRPC' ? read : undefined);
  }

  async get(url: string, headers: ProbeOptions['headers'] = {}): Promise<ProbeAnswer> {
    return this.#requests.exchange('AgentCard', { method: 'GET', url: new URL(url) }, { headers }, 'application/json', 'HTTP');
  }

  async stream<O extends StreamingOperation>(operation: O, params: OperationParams[O], options: ProbeOptions = {}): Promise<ProbeStream> {
    const { silences } = this.#options;
    silences.require(operation, this.interface.url);
    const exchangeId = randomUUID();
    const left = new AbortController();
    const signal = AbortSignal.any([this.signal, left.signal]);
    const { log, last } = this.#requests.recording();
    const batches = transportFor(this.interface.protocolBinding)!.stream(this.#requests.endpoint(options), operation, params, {
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
      events: probeEvents(
        batches,
        binding,
        error => (told.error = error),
        silence => silences.record(operation, this.interface.url, silence),
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
    if (another !== undefined) return begun;
    this.#made.set(what, begun);
    const forgetLong = ({ answer: { exchange } }: Begun): void => {
      const { body = '', bytes = '' } = exchange.response ?? {};
      if (body.length + bytes.length > maxRemembered) this.#made.delete(what);
    };
    begun.then(forgetLong, () => {});
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

  as(identity: 'anonymous' | 'wrong' | 'other'): ProbePort | undefined {
    if (identity === 'other')
      return this.#options.other === undefined ? undefined : new InterfacePort({ ...this.#options, headers: this.#options.other });
    return new InterfacePort({ ...this.#options, headers: identity === 'anonymous' ? noHeaders : wrongFor(this.card) });
  }
}

const wrong = 'this-credential-is-wrong';

/** A credential that is wrong, as a bearer token and in each header in which the card declares a key. */
const wrongFor = ({ securitySchemes = {} }: AgentCard): GivenHeaders =>
  Object.fromEntries([
    ['Authorization', `Bearer ${wrong}`],
    ...Object.values(securitySchemes).flatMap(({ apiKeySecurityScheme: key }) => (key?.location === 'header' ? [[key.name, wrong]] : [])),
  ]);

const queryOf = (members: Fields): string =>
  new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)])).toString();
