import type { AgentCard } from '../protocol/agentCard.ts';
import type { Operation, OperationParams, StreamingOperation, UnaryOperation, UnaryResults } from '../protocol/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { ChosenInterface } from './agentInterface.ts';
import { configuredHeaders } from './configuredHeaders.ts';
import type { Http } from './http.ts';
import { requireApproved } from './origin.ts';
import type { Answer, CallOptions, Peer, RawBatch, StreamBatch } from './transport.ts';

export interface AgentClientOptions {
  readonly card: AgentCard;
  readonly chosen: ChosenInterface;
  readonly http: Http;
  /** The address the user gave for the agent: its origin is trusted with the headers. */
  readonly agentUrl: string;
  /** Other origins the user trusts with requests and headers, as `URL.origin` writes them. */
  readonly approvedOrigins?: ReadonlySet<string>;
  /** Sent with every request; their values never reach the wire log. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Speaks to one agent through one interface of its card, in core (1.0) terms whatever the wire says. Nothing is ever sent twice.
 * Every method throws a `Problem`: `A2AError` when the agent answers an error, `ConnectionProblem` (with `reached`) when the
 * connection fails or the signal cancels, `UnauthorizedProblem` when it wants credentials.
 */
export class AgentClient {
  readonly card: AgentCard;
  readonly chosen: ChosenInterface;
  readonly #peer: Peer;

  /** @throws ForeignOriginProblem when the interface is at an origin that the user has not approved. */
  constructor({ card, chosen, http, agentUrl, approvedOrigins = new Set(), headers }: AgentClientOptions) {
    const url = new URL(chosen.interface.url);
    requireApproved(url, new URL(agentUrl), approvedOrigins);
    this.card = card;
    this.chosen = chosen;
    this.#peer = { card, url, version: chosen.version, http, headers: configuredHeaders(headers) };
  }

  /** A unary operation (A2A 1.0 §3.1); SendMessage waits for the agent's work unless `returnImmediately` is set. */
  call<O extends UnaryOperation>(operation: O, params: OperationParams[O], options: CallOptions = {}): Promise<Answer<UnaryResults[O]>> {
    return this.chosen.transport.call(this.#peer, operation, this.#withTenant(params), options);
  }

  /**
   * A streaming operation. The request is sent when iteration starts; leaving the loop closes the connection. Events come in batches,
   * one for each network chunk. An agent that answers without a stream gives one batch without frames. The end of the stream says
   * nothing about the end of the task.
   */
  stream<O extends StreamingOperation>(operation: O, params: OperationParams[O], options: CallOptions = {}): AsyncIterable<StreamBatch> {
    return this.chosen.transport.stream(this.#peer, operation, this.#withTenant(params), options);
  }

  /** Sends a body exactly as written and reads whatever comes. The request is sent when iteration starts. */
  sendRaw(body: string, options: CallOptions = {}): AsyncIterable<RawBatch> {
    const { transport } = this.chosen;
    if (transport.sendRaw === undefined) {
      throw new Problem('no-raw-body', sentence('A raw body cannot be sent over {0}.', transport.protocolBinding), {
        nextStep: sentence('Use an interface of the agent card that speaks JSONRPC.'),
      });
    }
    return transport.sendRaw(this.#peer, body, options);
  }

  /** The tenant of the interface must be echoed in every request (A2A 1.0 §8.3.2); an empty one is none, as ProtoJSON has it. */
  #withTenant<O extends Operation>(params: OperationParams[O]): OperationParams[O] {
    const { tenant } = this.chosen.interface;
    return tenant === undefined || tenant === '' || params.tenant !== undefined ? params : { ...params, tenant };
  }
}
