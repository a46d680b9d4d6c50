import { requireShallowJson } from '../protocol/json/nesting.ts';
import type { AgentCard } from '../protocol/card/agentCard.ts';
import { A2AError } from '../protocol/errors.ts';
import {
  isSend,
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
import { ofAskedTask, otherTaskIn } from './askedTask.ts';
import { configuredHeaders, type ConfiguredHeaders } from './http/configuredHeaders.ts';
import { ExchangeWatch } from './exchangeWatch.ts';
import { extensionsHeader } from './extensions.ts';
import { UnimplementedProblem } from './grpc/problem.ts';
import type { Http } from './http/http.ts';
import { isApproved, requireApproved, trustIn, type Trust } from './http/origin.ts';
import { otherThan, refusesVersion, type Refusal } from './interfaces/refusal.ts';
import { tasksIn, type SeenTask } from './transport/seenTask.ts';
import type { Answer, CallOptions, Endpoint, RawBatch, StreamBatch } from './transport/transport.ts';
import { untilOver } from './transport/untilOver.ts';

/** Called with what a client learns about its agent. */
export interface AgentClientListener {
  /** The agent refused the version of `from`, so `to` is used from now on. */
  switched?(from: ChosenInterface, to: ChosenInterface): void;
  /** The agent refused the version, and its card has no other version that may be used. */
  refused?(error: Refusal): void;
  /** The extensions that an answer says are active; called for every answer to a request that asked for extensions. */
  activated?(uris: ReadonlySet<string>): void;
}

export interface AgentClientOptions {
  readonly card: AgentCard;
  readonly chosen: ChosenInterface;
  readonly http: Http;
  /** The address the user gave for the agent: its origin is trusted with the headers. */
  readonly agentUrl: string;
  /** Other origins to which the user allows requests and headers, as `URL.origin` writes them. */
  readonly approvedOrigins?: ReadonlySet<string>;
  /** Where requests may go, if not what the three members above say. */
  readonly trust?: Trust;
  /** Sent with every request; their values never reach the wire log. */
  readonly headers?: Readonly<Record<string, string>>;
  /** URIs of the extensions for which every request asks. */
  readonly extensions?: readonly string[];
  /**
   * Further interfaces of the card. Once, one of them that has another version takes the place of `chosen` when the agent refuses its
   * version. None where a person has asked for the version.
   */
  readonly others?: readonly ChosenInterface[];
  readonly listener?: AgentClientListener;
}

/**
 * Speaks to one agent through one interface of its card, in core (1.0) terms whatever the wire says. Nothing is ever sent twice, but for
 * one exception: what the agent refused unread, because it does not speak the version, is said once more in another version of its card
 * (A2A 1.0 §3.6.3). Every method throws a `Problem`: `A2AError` when the agent answers an error, `ConnectionProblem` (with `reached`) when
 * the connection fails or the signal cancels, `UnauthorizedProblem` when it wants credentials.
 */
export class AgentClient {
  readonly card: AgentCard;
  readonly #http: Http;
  readonly #agentUrl: string;
  readonly #peerOf: (chosen: ChosenInterface) => Endpoint;
  readonly #extensions: readonly string[];
  readonly #listener: AgentClientListener;
  readonly #others: readonly ChosenInterface[];
  #chosen: ChosenInterface;
  /** The interface that has answered a send: its version is used, whatever methods it lacks. */
  #answered: ChosenInterface | undefined;
  /** Another version was tried once, and the result stands. */
  #decided = false;

  /** @throws ForeignOriginProblem when the interface is at an origin that the user has not approved; Problem `bad-extension`. */
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
    requireApproved(new URL(chosen.interface.url), trust);
    const configured: ConfiguredHeaders = configuredHeaders(headers);
    this.card = card;
    this.#http = http;
    this.#agentUrl = agentUrl;
    // One peer for each interface: transports remember in it what they found out.
    const peers = new Map<string, Endpoint>();
    this.#peerOf = ({ interface: { url, protocolBinding }, version }) => {
      const key = `${protocolBinding} ${version.protocolVersion} ${url}`;
      const peer = peers.get(key) ?? {
        card,
        url: new URL(url),
        version,
        http,
        headers: configured,
        extensions: extensionsHeader(extensions, version),
        streams: card.capabilities.streaming === true,
      };
      peers.set(key, peer);
      return peer;
    };
    this.#peerOf(chosen);
    this.#extensions = extensions;
    this.#listener = listener;
    this.#others = others.filter(({ interface: { url } }) => isApproved(new URL(url), trust));
    this.#chosen = chosen;
  }

  /** The interface in use; another one after the agent has refused the version. */
  get chosen(): ChosenInterface {
    return this.#chosen;
  }

  /** A unary operation (A2A 1.0 §3.1); SendMessage waits for the agent's work unless `returnImmediately` is set. */
  async call<O extends UnaryOperation>(
    operation: O,
    params: OperationParams[O],
    options: CallOptions = {},
  ): Promise<Answer<UnaryResults[O]>> {
    requireShallowJson(params);
    const first = this.#chosen;
    const attempt = async (chosen: ChosenInterface, watch: ExchangeWatch, exchangeId?: string): Promise<Answer<UnaryResults[O]>> => {
      try {
        const answer = await chosen.transport.call(this.#peerOf(chosen), operation, withTenant(params, chosen), {
          ...options,
          log: watch.log,
          exchangeId,
        });
        const other = otherTaskIn(operation, params, answer);
        if (other !== undefined) {
          watch.note(other.finding);
          other.problem.cameAboutIn(answer.exchangeId);
          throw other.problem;
        }
        this.#keepOpen(answer.exchangeId, tasksIn(answer.result));
        return answer;
      } catch (error) {
        // The agent does not work on a task that it no longer has.
        if ('id' in params && error instanceof A2AError && error.errorName === 'TaskNotFoundError')
          this.#http.kept.over(`${this.#agentUrl} ${params.id}`);
        throw this.#isLacking(chosen, operation, error) ? notInVersion(chosen.version.protocolVersion, operation) : error;
      } finally {
        this.#heard(watch);
      }
    };
    const watch = this.#watch(options);
    try {
      const answer = await attempt(first, watch, options.exchangeId);
      if (isSend(operation)) this.#answered = first;
      return answer;
    } catch (error) {
      const second = this.#instead(first, error, operation, watch);
      if (second === undefined) throw error;
      try {
        const answer = await attempt(second, this.#watch(options));
        this.#keep(first, second);
        return answer;
      } catch (again) {
        throw this.#judge(first, second, operation, error, again);
      }
    }
  }

  /**
   * A streaming operation. The request is sent when iteration starts; leaving the loop closes the connection. Events come in batches,
   * one for each network chunk. An agent that answers without a stream gives one batch without frames. The end of the stream says
   * nothing about the end of the task; a stream that goes on after that is read for a short while only.
   */
  async *stream<O extends StreamingOperation>(
    operation: O,
    params: OperationParams[O],
    options: CallOptions = {},
  ): AsyncIterable<StreamBatch> {
    requireShallowJson(params);
    const first = this.#chosen;
    const open = (chosen: ChosenInterface, watch: ExchangeWatch, exchangeId?: string): AsyncIterable<StreamBatch> =>
      this.#keptOpen(
        ofAskedTask(
          operation,
          params,
          untilOver(
            signal =>
              chosen.transport.stream(this.#peerOf(chosen), operation, withTenant(params, chosen), {
                ...options,
                signal,
                log: watch.log,
                exchangeId,
              }),
            options,
          ),
          watch,
        ),
      );
    const watch = this.#watch(options);
    let heard = false;
    try {
      for await (const batch of open(first, watch, options.exchangeId)) {
        heard ||= batch.events.length > 0;
        if (heard && isSend(operation)) this.#answered = first;
        this.#heard(watch);
        yield batch;
      }
    } catch (error) {
      const second = heard ? undefined : this.#instead(first, error, operation, watch);
      if (second === undefined) throw error;
      const rest = this.#watch(options);
      let settled = false;
      try {
        for await (const batch of open(second, rest)) {
          if (!settled && batch.events.length > 0) {
            settled = true;
            this.#keep(first, second);
          }
          this.#heard(rest);
          yield batch;
        }
      } catch (again) {
        if (settled) throw again;
        settled = true;
        throw this.#judge(first, second, operation, error, again);
      } finally {
        if (!settled) this.#turnBack(first);
      }
    }
  }

  /** Sends a body exactly as written and reads whatever comes. The request is sent when iteration starts. */
  async *sendRaw(body: string, options: CallOptions = {}): AsyncIterable<RawBatch> {
    const { transport } = this.#chosen;
    if (transport.sendRaw === undefined) {
      throw new Problem('no-raw-body', sentence('A raw body cannot be sent over {0}.', transport.protocolBinding), {
        nextStep: sentence('Use an interface of the agent card that supports JSONRPC.'),
      });
    }
    const watch = this.#watch(options);
    const sendRaw = transport.sendRaw.bind(transport);
    for await (const batch of this.#keptOpen(
      untilOver(signal => sendRaw(this.#peerOf(this.#chosen), body, { ...options, signal, log: watch.log }), options),
    )) {
      this.#heard(watch);
      yield batch;
    }
  }

  /** Tries an operation that the version's specification does not have, but some of its servers do: if it is missing, that is not a failure. */
  #isLacking({ version }: ChosenInterface, operation: Operation, error: unknown): boolean {
    if (version.unspecified?.includes(operation) !== true || !(error instanceof Problem)) return false;
    if (error instanceof A2AError)
      return ['MethodNotFoundError', 'UnsupportedOperationError', 'TaskNotFoundError'].includes(error.meaning ?? '');
    return error.code === 'http-error' || error.code === 'not-json';
  }

  async *#keptOpen<Batch extends StreamBatch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    for await (const batch of batches) {
      for (const event of batch.events) {
        // Nearly all events of a long stream are chunks of artifacts, which have no state.
        if (!('artifactUpdate' in event)) this.#keepOpen(batch.exchangeId, tasksIn(event));
      }
      yield batch;
    }
  }

  /** A connection is kept while a task that came over it is unfinished: some agents abort a task whose connection closes. */
  #keepOpen(exchangeId: string, tasks: readonly SeenTask[]): void {
    for (const { id, state } of tasks) {
      const task = `${this.#agentUrl} ${id}`;
      if (isTerminal(state)) this.#http.kept.over(task);
      else this.#http.kept.holds(exchangeId, task);
    }
  }

  #watch({ log }: CallOptions): ExchangeWatch {
    return new ExchangeWatch(log, this.#extensions);
  }

  #heard({ activated }: ExchangeWatch): void {
    if (activated !== undefined) this.#listener.activated?.(activated);
  }

  /**
   * What to say it in after a refusal; undefined where the answer stands. Whoever calls meanwhile uses it too, until it is kept or turned back
   * from.
   */
  #instead(spoken: ChosenInterface, error: unknown, operation: Operation, watch: ExchangeWatch): ChosenInterface | undefined {
    if (!refusesVersion(error, operation) || (this.#answered === spoken && isUnknownMethod(error))) return undefined;
    if (this.#chosen !== spoken) return this.#chosen;
    const other = this.#decided ? undefined : otherThan(spoken, this.#others, error);
    if (other === undefined) {
      this.#listener.refused?.(error);
      return undefined;
    }
    watch.note({
      rule: 'VER-01',
      pointer: '',
      message: `The agent refused A2A ${spoken.version.protocolVersion}, which its card declares, so it was asked again in ${other.version.protocolVersion}.`,
    });
    const { protocolBinding, protocolVersion, url } = other.interface;
    this.#chosen = {
      ...other,
      reason: sentence(
        'Uses {0} {1} at {2}, because the agent refused A2A {3}.',
        protocolBinding,
        protocolVersion,
        url,
        spoken.version.protocolVersion,
      ),
    };
    return this.#chosen;
  }

  #keep(from: ChosenInterface, to: ChosenInterface): void {
    if (this.#decided || this.#chosen !== to) return;
    this.#decided = true;
    this.#listener.switched?.(from, to);
  }

  #turnBack(from: ChosenInterface): void {
    if (!this.#decided) this.#chosen = from;
  }

  /**
   * After both attempts failed: an agent that refuses both versions has answered with the first error; any other answer shows that it speaks
   * the second version.
   */
  #judge(from: ChosenInterface, to: ChosenInterface, operation: Operation, first: unknown, second: unknown): unknown {
    if (refusesVersion(second, operation)) {
      this.#turnBack(from);
      this.#decided = true;
      this.#listener.refused?.(first as Refusal);
      return first;
    }
    if (isAnswer(second)) this.#keep(from, to);
    else this.#turnBack(from);
    return second;
  }
}

const isUnknownMethod = (error: Refusal): boolean => error instanceof UnimplementedProblem || error.errorName === 'MethodNotFoundError';

const isAnswer = (error: unknown): boolean => error instanceof Problem && error.code === 'agent-error';

/** The tenant of the interface must be echoed in every request (A2A 1.0 §8.3.2); an empty one is none, as ProtoJSON has it. */
function withTenant<O extends Operation>(params: OperationParams[O], { interface: { tenant } }: ChosenInterface): OperationParams[O] {
  return tenant === undefined || tenant === '' || params.tenant !== undefined ? params : { ...params, tenant };
}
