import { requireShallowJson } from '../protocol/json/nesting.ts';
import type { AgentCard } from '../protocol/card/agentCard.ts';
import { unwrappedCard } from '../protocol/card/unwrappedCard.ts';
import { A2AError } from '../protocol/errors.ts';
import { collect, type Finding, findingSentence, shapeIn, type Note } from '../protocol/finding.ts';
import {
  isOfPushNotifications,
  subjectTask,
  type Operation,
  type OperationParams,
  type StreamingOperation,
  type UnaryOperation,
  type UnaryResults,
} from '../protocol/message/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { notInVersion } from '../protocol/versions/shared/unreadable.ts';
import { isTerminal } from '../protocol/message/taskState.ts';
import type { ChosenInterface } from './interfaces/agentInterface.ts';
import type { AgentClientListener } from './agentClientListener.ts';
import { otherTaskBegun, otherTaskIn, type OtherTask } from './requestedTask.ts';
import { readBounded } from './card/readBounded.ts';
import { configuredHeaders, type ConfiguredHeaders, type CredentialsUsed, type GivenHeaders } from './http/configuredHeaders.ts';
import { ExchangeWatch } from './exchangeWatch.ts';
import { extensionsHeader } from './extensions.ts';
import type { Http } from './http/http.ts';
import { parseJson, requireFewValues } from './http/parseJson.ts';
import { timeLimits } from './http/timeLimits.ts';
import { extendedCardOperation } from './transport/operationAnswer.ts';
import { isApproved, requireApproved, trustIn, type Trust } from './http/origin.ts';
import { InterfaceInUse } from './interfaces/interfaceInUse.ts';
import { isLacking } from './interfaces/refusal.ts';
import { RequestAttempts } from './requestAttempts.ts';
import { tasksIn, type TaskWithState } from './transport/taskWithState.ts';
import { UnauthorizedProblem } from './transport/agentError.ts';
import type { Answer, CallOptions, Endpoint, RawBatch, StreamBatch } from './transport/transport.ts';
import { AfterEnd } from './transport/streamEnd.ts';
import { adviseOfCard, brokenPromise, type Requested } from './cardAdvice.ts';
import { withSentCredentials } from './transport/refusedCredentials.ts';

/** The extended card of an agent. */
interface ExtendedCardAnswer {
  readonly card: AgentCard;
  /** The card's JSON as received, with credentials of the request masked. */
  readonly source: string;
  readonly findings: readonly Finding[];
  readonly exchangeId: string;
}

export interface AgentClientOptions {
  readonly card: AgentCard;
  readonly chosen: ChosenInterface;
  readonly http: Http;
  /** The agent's address from the user: its origin may receive the headers. */
  readonly agentUrl: string;
  /** Other origins that the user allowed for requests and headers, as `URL.origin` writes them. */
  readonly approvedOrigins?: ReadonlySet<string>;
  /** Origins that requests may go to; replaces the three members above. */
  readonly trust?: Trust;
  /** Sent with every request; their values are masked in the wire log. */
  readonly headers?: GivenHeaders;
  /** URIs of the extensions that every request activates. */
  readonly extensions?: readonly string[];
  /**
   * Further interfaces of the card. If the agent refuses the version of `chosen`, one of these with another version replaces it, once.
   * Empty where a person selected the version.
   */
  readonly others?: readonly ChosenInterface[];
  readonly listener?: AgentClientListener;
}

/** A request whose answer is read batch by batch. */
interface StreamRequest<Batch> {
  /** Undefined for a raw body. */
  readonly operation: StreamingOperation | undefined;
  /** The task with which the answer has to begin. */
  readonly asked: string | undefined;
  /** Content of the request; secrets of webhooks in it are masked. */
  sent(): unknown;
  /** Called for each attempt. */
  open(chosen: ChosenInterface, options: CallOptions): AsyncIterable<Batch>;
}

/**
 * Calls one agent through one interface of its card, with core (1.0) types for every protocol version. No request is sent twice, with two
 * exceptions: a request that the agent refused because it does not support the version is sent once more in another version of its card (A2A
 * 1.0 §3.6.3), and one that it refused for its credentials (HTTP 401) once more with renewed ones. Every method throws a `Problem`: `A2AError` when the agent answers with an error, `ConnectionProblem` (with `reached`) when
 * the connection fails or the signal cancels, `UnauthorizedProblem` when it requires credentials.
 */
export class AgentClient {
  readonly card: AgentCard;
  readonly #http: Http;
  readonly #agentUrl: string;
  readonly #headers: ConfiguredHeaders;
  readonly #endpointOf: (chosen: ChosenInterface) => Endpoint;
  readonly #extensions: readonly string[];
  readonly #listener: AgentClientListener;
  readonly #interface: InterfaceInUse;

  /** @throws ForeignOriginProblem when the interface is at an origin that the user has not approved; Problem `bad-extension` */
  constructor({
    card,
    chosen,
    http,
    agentUrl,
    approvedOrigins = new Set(),
    headers,
    extensions = [],
    trust = trustIn(new URL(agentUrl), approvedOrigins, headers),
    others = [],
    listener = {},
  }: AgentClientOptions) {
    requireApproved(new URL(chosen.interface.url), trust, card.supportedInterfaces.length > 1);
    const configured = (this.#headers = configuredHeaders(headers));
    this.card = card;
    this.#http = http;
    this.#agentUrl = agentUrl;
    // One endpoint object per interface: transports store what they learn about it by this object.
    const endpoints = new Map<string, Endpoint>();
    this.#endpointOf = ({ interface: { url, protocolBinding, tenant }, version }) => {
      const key = `${protocolBinding} ${version.protocolVersion} ${url} ${tenant ?? ''}`;
      const endpoint = endpoints.get(key) ?? {
        card,
        url: new URL(url),
        version,
        http,
        headers: configured,
        extensions: extensionsHeader(extensions, version),
        ...(tenant !== undefined && tenant !== '' && !version.unsupported.includes('tenant') && { tenant }),
        streams: card.capabilities.streaming === true,
      };
      endpoints.set(key, endpoint);
      return endpoint;
    };
    this.#endpointOf(chosen);
    this.#extensions = extensions;
    this.#listener = listener;
    this.#interface = new InterfaceInUse(
      chosen,
      others.filter(({ interface: { url } }) => isApproved(new URL(url), trust)),
      listener,
    );
  }

  /** The interface in use. It changes if the agent refuses the version. */
  get chosen(): ChosenInterface {
    return this.#interface.chosen;
  }

  /** Calls a unary operation (A2A 1.0 §3.1). SendMessage waits for the agent's work unless `returnImmediately` is set. */
  async call<O extends UnaryOperation>(
    operation: O,
    params: OperationParams[O],
    options: CallOptions = {},
  ): Promise<Answer<UnaryResults[O]>> {
    requireShallowJson(params);
    const attempts = this.#attempts({ operation, sent: params }, options);
    try {
      for (;;) {
        const watch = this.#watch(options, params);
        try {
          const more = { ...options, log: watch.log, exchangeId: attempts.exchangeId };
          const answer = await this.#callOnce(operation, params, attempts.chosen, more, watch);
          attempts.answered();
          return answer;
        } catch (error) {
          await attempts.failed(error, finding => watch.note(finding));
        }
      }
    } finally {
      attempts.end();
    }
  }

  async #callOnce<O extends UnaryOperation>(
    operation: O,
    params: OperationParams[O],
    chosen: ChosenInterface,
    options: CallOptions,
    watch: ExchangeWatch,
  ): Promise<Answer<UnaryResults[O]>> {
    try {
      const answer = await chosen.transport.call(this.#endpointOf(chosen), operation, withTenant(params, chosen), options);
      const other = otherTaskIn(operation, params, answer);
      if (other !== undefined) {
        watch.note(other.finding);
        other.problem.cameAboutIn(answer.exchangeId);
        throw other.problem;
      }
      this.#keepOpen(answer.exchangeId, tasksIn(answer.result));
      this.#listener.answered?.(shapeIn(answer.findings) ?? chosen.version.protocolVersion);
      return answer;
    } catch (error) {
      // The agent no longer has the task, so it does not work on it.
      const taskId = isOfPushNotifications(operation) ? undefined : subjectTask(params);
      if (taskId !== undefined && error instanceof A2AError && error.errorName === 'TaskNotFoundError')
        this.#http.kept.taskEnded(`${this.#agentUrl} ${taskId}`);
      throw isLacking(chosen, operation, error) ? notInVersion(chosen.version.protocolVersion, operation) : error;
    } finally {
      this.#noteActivated(watch);
    }
  }

  /**
   * Calls a streaming operation. The request is sent when iteration starts; leaving the loop closes the connection. There is one batch of
   * events per network chunk, and one batch without frames where the agent answers without a stream. The end of the stream does not mean
   * the end of the task. After the end of the task, the stream is read only for a short time.
   */
  stream<O extends StreamingOperation>(operation: O, params: OperationParams[O], options: CallOptions = {}): AsyncIterable<StreamBatch> {
    return this.#read(
      {
        operation,
        asked: operation === 'SubscribeToTask' ? subjectTask(params) : undefined,
        sent: () => {
          requireShallowJson(params);
          return params;
        },
        open: (chosen, more) => chosen.transport.stream(this.#endpointOf(chosen), operation, withTenant(params, chosen), more),
      },
      options,
    );
  }

  /** Sends a body exactly as written and reads any answer. The request is sent when iteration starts. */
  sendRaw(body: string, options: CallOptions = {}): AsyncIterable<RawBatch> {
    const open = (chosen: ChosenInterface, more: CallOptions): AsyncIterable<RawBatch> => {
      const { transport } = chosen;
      if (transport.sendRaw !== undefined) return transport.sendRaw(this.#endpointOf(chosen), body, more);
      throw new Problem('no-raw-body', sentence('A raw body cannot be sent over {0}.', transport.protocolBinding), {
        nextStep: sentence('Use an interface of the agent card that supports JSONRPC.'),
      });
    };
    return this.#read({ operation: undefined, asked: undefined, sent: () => parseJson(body), open }, options);
  }

  /** Reads the answer to a request; where it is refused before it began, that to the request that is sent in its place. */
  async *#read<Batch extends StreamBatch>(request: StreamRequest<Batch>, options: CallOptions): AsyncGenerator<Batch> {
    const { operation, asked } = request;
    const sent = request.sent();
    const attempts = this.#attempts({ operation, sent }, options);
    try {
      for (;;) {
        const watch = this.#watch(options, sent);
        const end = new AfterEnd(options.signal);
        let other: OtherTask | undefined;
        let [isBegun, hasEvents] = [false, false];
        let shape: string | undefined;
        try {
          const more = { ...options, signal: end.signal, log: watch.log, exchangeId: attempts.exchangeId };
          for await (const read of request.open(attempts.chosen, more)) {
            const { version = attempts.chosen.version.protocolVersion } = read;
            const shown = shapeIn(read.findings) ?? shape ?? (read.events.length > 0 ? version : undefined);
            if (!isBegun || shown !== shape) this.#listener.answered?.(shown);
            [isBegun, shape] = [true, shown];
            if (!hasEvents) other = otherTaskBegun(asked, read);
            const batch = other === undefined ? read : { ...read, events: [], frameOf: [], findings: [...read.findings, other.finding] };
            this.#keptOpen(batch);
            if (batch.events.length > 0) {
              hasEvents = true;
              attempts.answered();
            }
            this.#noteActivated(watch);
            yield batch;
            if (other !== undefined) {
              other.problem.cameAboutIn(batch.exchangeId);
              throw other.problem;
            }
            if (end.take(batch.events)) return;
          }
          return;
        } catch (error) {
          if (end.isOver) return;
          const broken = brokenPromise(error, attempts.chosen, this.card, { operation, sent });
          if (broken !== undefined) watch.note(broken);
          await attempts.failed(error, finding => watch.note(finding), isBegun);
        } finally {
          end.stop();
          // The exchange has ended only now.
          if (other !== undefined) watch.note(other.finding);
        }
      }
    } finally {
      attempts.end();
    }
  }

  /**
   * Fetches the extended card (GetExtendedAgentCard, A2A 1.0 §3.1.11) over the interface in use. Rejects with a `Problem`; no request was
   * sent where that is `operation-not-in-version`.
   * @param renews false where a refusal of the credentials (HTTP 401) is final
   * @param tenant instead of that of the interface
   */
  async extendedCard({
    renews = true,
    tenant,
    ...options
  }: CallOptions & { readonly renews?: boolean; readonly tenant?: string | undefined } = {}): Promise<ExtendedCardAnswer> {
    const { chosen } = this.#interface;
    const { transport, version } = chosen;
    const { extendedCard } = transport;
    if (extendedCard === undefined || version.extendedCard === undefined)
      throw notInVersion(version.protocolVersion, extendedCardOperation);
    const endpoint = this.#endpointOf(chosen);
    const { note, findings } = collect();
    const read = (value: unknown, noteExchange: Note, exchangeId: string): ExtendedCardAnswer => {
      const source = JSON.stringify(unwrappedCard(value));
      requireFewValues(source);
      const card = readBounded(value, note, '');
      for (const finding of findings) noteExchange(finding.rule, finding.pointer, findingSentence(finding));
      return { card, source, findings, exchangeId };
    };
    const attempts = this.#attempts({}, options, renews);
    for (;;) {
      try {
        const more = { timeoutMs: timeLimits.card, ...options, exchangeId: attempts.exchangeId };
        return await extendedCard(tenant === undefined ? endpoint : { ...endpoint, tenant }, read, more);
      } catch (error) {
        await attempts.failed(error, () => {});
      }
    }
  }

  /** Credentials of its requests; undefined where they carry none. Rejects with a `Problem`. */
  credentials(): Promise<CredentialsUsed | undefined> {
    return this.#headers.credentialsUsed(new URL(this.#interface.chosen.interface.url));
  }

  /** True where the agent refused a request for its credentials (HTTP 401), and there are others now: it can be sent once more. */
  async #isRenewed(error: unknown, since: number, { signal }: CallOptions): Promise<boolean> {
    if (!(error instanceof UnauthorizedProblem)) return false;
    const { challenge } = error;
    if (challenge !== undefined) this.#listener.challenged?.({ challenge, url: this.#interface.chosen.interface.url });
    return error.status === 401 && (await this.#headers.renew(since, signal));
  }

  /** @param renews false where a refusal of the credentials (HTTP 401) is final */
  #attempts(requested: Requested, options: CallOptions, renews = true): RequestAttempts {
    return new RequestAttempts({
      operation: requested.operation,
      exchangeId: options.exchangeId,
      interfaces: this.#interface,
      isRenewed: async (error, since) => renews && (await this.#isRenewed(error, since, options)),
      explained: (error, chosen) => this.#explained(error, chosen, requested),
    });
  }

  /** The error with the credential that was refused, or the address that it may lie in; the listener gets it. */
  async #explained(error: unknown, chosen: ChosenInterface, requested: Requested): Promise<unknown> {
    if (!(error instanceof Problem)) return error;
    adviseOfCard(error, chosen, this.card, this.#extensions, requested);
    const explained =
      error instanceof UnauthorizedProblem
        ? await withSentCredentials(error, {
            headers: this.#headers,
            url: new URL(chosen.interface.url),
            schemes: this.card.securitySchemes ?? {},
          })
        : error;
    this.#listener.failed?.(explained);
    return explained;
  }

  #keptOpen({ events, exchangeId }: StreamBatch): void {
    // Nearly all events of a long stream are artifact chunks, which have no state.
    for (const event of events) if (!('artifactUpdate' in event)) this.#keepOpen(exchangeId, tasksIn(event));
  }

  /** Keeps a connection open while a task that was received over it is unfinished: some agents abort a task when its connection closes. */
  #keepOpen(exchangeId: string, tasks: readonly TaskWithState[]): void {
    for (const { id, state } of tasks) {
      const task = `${this.#agentUrl} ${id}`;
      if (isTerminal(state)) this.#http.kept.taskEnded(task);
      else this.#http.kept.addTask(exchangeId, task);
    }
  }

  #watch({ log }: CallOptions, sent: unknown): ExchangeWatch {
    return new ExchangeWatch(log, this.#extensions, sent);
  }

  #noteActivated({ activated }: ExchangeWatch): void {
    if (activated !== undefined) this.#listener.extensionsActivated?.(activated);
  }
}

/** Adds the tenant of the interface, which every request must contain (A2A 1.0 §8.3.2). In ProtoJSON, an empty tenant means none. */
export function withTenant<O extends Operation>(
  params: OperationParams[O],
  { interface: { tenant } }: Pick<ChosenInterface, 'interface'>,
): OperationParams[O] {
  return tenant === undefined || tenant === '' || params.tenant !== undefined ? params : { ...params, tenant };
}
