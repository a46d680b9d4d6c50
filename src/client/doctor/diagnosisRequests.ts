import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { configuredHeaders } from '../http/configuredHeaders.ts';
import type { Http } from '../http/http.ts';
import { timeLimits } from '../http/timeLimits.ts';
import { whyUnsupported } from '../interfaces/offeredInterface.ts';
import type { Endpoint, Transport } from '../transport/transport.ts';
import { transportFor } from '../interfaces/transports.ts';
import type { WireLog } from '../wireLog/wireLog.ts';
import { mayAsk, type DiagnosisTarget } from './diagnosisTarget.ts';
import { type ProbeOptions, type Reply, probe } from '../interfaces/probe.ts';
import type { ReplyMemory } from './replyMemory.ts';
import { randomUUID } from 'node:crypto';
import { A2AError, errorNames } from '../../protocol/errors.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem } from '../../protocol/problem.ts';
import { UnauthorizedProblem } from '../transport/agentError.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { parseJson } from '../http/parseJson.ts';

interface AskingOptions {
  readonly target: DiagnosisTarget;
  readonly http: Http;
  readonly memory: ReplyMemory;
  /** Stops all requests. */
  readonly signal: AbortSignal;
  readonly log?: WireLog;
  /** Most requests. */
  readonly limit: number;
}

/** The requests of one diagnosis: limited in number and time, and sent only to approved origins. */
export class DiagnosisRequests {
  readonly #options: AskingOptions;
  #left: number;

  constructor(options: AskingOptions) {
    this.#options = options;
    this.#left = options.limit;
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  /** The reply of an interface; undefined if no request may be sent to it, or none is left. */
  async ask(entry: AgentInterface): Promise<Reply | undefined> {
    if (whyUnsupported(entry) !== undefined || !mayAsk(this.#options.target, entry.url)) return undefined;
    const { memory } = this.#options;
    const known = memory.get(entry);
    if (known !== undefined) return known;
    if (!this.#spend()) return undefined;
    const reply = await probe(transportFor(entry.protocolBinding)!, this.#endpoint(entry), this.#probeOptions());
    if (!this.signal.aborted) memory.put(entry, reply);
    return reply;
  }

  /**
   * The interface with the version that it supports: the one that it names in a refusal, else one of `versions`; undefined where it
   * supports none of them.
   */
  async findVersion(
    entry: AgentInterface,
    versions: (supported: readonly string[]) => readonly Version[],
  ): Promise<AgentInterface | undefined> {
    const reply = await this.ask(entry);
    if (reply?.kind === 'supported') return entry;
    if (reply?.kind !== 'other-version') return undefined;
    for (const { protocolVersion } of versions(reply.supported)) {
      const other = { ...entry, protocolVersion };
      if ((await this.ask(other))?.kind === 'supported') return other;
    }
    return undefined;
  }

  /**
   * True if an interface supports sending messages; undefined if that cannot be determined. Asked only after the agent refused a version:
   * an agent that does not validate its input starts a task for the request.
   */
  async takesMessages(entry: AgentInterface): Promise<boolean | undefined> {
    if (whyUnsupported(entry) !== undefined || !mayAsk(this.#options.target, entry.url)) return undefined;
    const { memory, target } = this.#options;
    const known = memory.takesMessages(entry);
    if (known !== undefined || target.versionRefused !== true || !this.#spend()) return known;
    const takes = await acceptsMessages(transportFor(entry.protocolBinding)!, this.#endpoint(entry), this.#probeOptions());
    if (!this.signal.aborted && takes !== undefined) memory.putTakesMessages(entry, takes);
    return takes;
  }

  /** Result of `findVersion`, unless the interface refuses messages: only tested interfaces are suggested to a person. */
  async findWorking(
    entry: AgentInterface,
    versions: (supported: readonly string[]) => readonly Version[],
  ): Promise<AgentInterface | undefined> {
    const found = await this.findVersion(entry, versions);
    return found === undefined || (await this.takesMessages(found)) === false ? undefined : found;
  }

  /** Counts one request; false where no more are allowed. */
  #spend(): boolean {
    if (this.#left === 0 || this.signal.aborted) return false;
    this.#left -= 1;
    return true;
  }

  #endpoint(entry: AgentInterface): Endpoint {
    const {
      http,
      target: {
        resolved: { card },
        headers,
      },
    } = this.#options;
    return {
      card,
      url: new URL(entry.url),
      version: versionOf(entry.protocolVersion)!,
      http,
      headers: configuredHeaders(headers),
      extensions: [],
      streams: false,
    };
  }

  #probeOptions(): ProbeOptions {
    const { log } = this.#options;
    return { signal: this.signal, timeoutMs: timeLimits.question, ...(log && { log }) };
  }
}

const hasEnvelope = (body: string): boolean => {
  const answer = parseJson(body);
  return isObject(answer) && 'jsonrpc' in answer;
};

/**
 * Resolves to true if an address accepts messages in the version of the endpoint. Sends a request without its message, which has no
 * effect at an agent that validates its input. Undefined where nothing can be concluded, and where the binding does not allow this test.
 */
async function acceptsMessages(transport: Transport, endpoint: Endpoint, options: ProbeOptions): Promise<boolean | undefined> {
  const { version } = endpoint;
  const method = version.methods.SendMessage;
  if (transport.sendRaw === undefined || method === undefined) return undefined;
  const isRpc = transport.protocolBinding === 'JSONRPC';
  const body = isRpc ? JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params: {} }) : '{}';
  let response: Exchange['response'];
  const log = {
    exchange: (exchange: Exchange) => {
      response = exchange.response ?? response;
      options.log?.exchange(exchange);
    },
    frames: options.log?.frames.bind(options.log) ?? (() => {}),
  };
  try {
    for await (const _ of transport.sendRaw({ ...endpoint, streams: false }, body, { ...options, log })) break;
    return true;
  } catch (error) {
    if (error instanceof ConnectionProblem || error instanceof UnauthorizedProblem) return undefined;
    const { status = 0, body: answer = '' } = response ?? {};
    // JSON-RPC servers answer like this for any path.
    if (!isRpc && hasEnvelope(answer)) return false;
    // Versions before 1.0 have no name for a refusal of theirs.
    if (error instanceof A2AError)
      return error.meaning !== 'MethodNotFoundError' && errorNames[error.rpcCode] !== 'VersionNotSupportedError';
    if (!(error instanceof Problem)) throw error;
    if ([404, 405, 501].includes(status)) return false;
    // A framework that validates input refuses it before the agent sees it.
    return !isRpc && (status === 400 || status === 422) ? true : undefined;
  }
}
