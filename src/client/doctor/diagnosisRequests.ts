import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { configuredHeaders } from '../http/configuredHeaders.ts';
import type { Http } from '../http/http.ts';
import { timeLimits } from '../http/timeLimits.ts';
import { whyUnsupported } from '../interfaces/offeredInterface.ts';
import type { Endpoint } from '../transport/transport.ts';
import { transportFor } from '../interfaces/transports.ts';
import type { WireLog } from '../wireLog/wireLog.ts';
import { mayAsk, type DiagnosisTarget } from './diagnosisTarget.ts';
import { probe, type ProbeOptions, type Reply } from '../interfaces/probe.ts';
import type { ReplyMemory } from './replyMemory.ts';
import { acceptsMessages } from './acceptsMessages.ts';

export interface AskingOptions {
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

  /** The reply of an interface; undefined if it must not, or can no longer, be asked. */
  async ask(entry: AgentInterface): Promise<Reply | undefined> {
    if (whyUnsupported(entry) !== undefined || !mayAsk(this.#options.target, entry.url)) return undefined;
    const { memory } = this.#options;
    const known = memory.get(entry);
    if (known !== undefined) return known;
    if (!this.#spend()) return undefined;
    const reply = await probe(transportFor(entry.protocolBinding)!, this.#peer(entry), this.#probeOptions());
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
    if (reply?.kind === 'speaks') return entry;
    if (reply?.kind !== 'other-version') return undefined;
    for (const { protocolVersion } of versions(reply.supported)) {
      const other = { ...entry, protocolVersion };
      if ((await this.ask(other))?.kind === 'speaks') return other;
    }
    return undefined;
  }

  /** Whether an interface supports sending messages; undefined if that cannot be determined. */
  async takesMessages(entry: AgentInterface): Promise<boolean | undefined> {
    if (whyUnsupported(entry) !== undefined || !mayAsk(this.#options.target, entry.url)) return undefined;
    const { memory } = this.#options;
    const known = memory.takesMessages(entry);
    if (known !== undefined || !this.#spend()) return known;
    const takes = await acceptsMessages(transportFor(entry.protocolBinding)!, this.#peer(entry), this.#probeOptions());
    if (!this.signal.aborted && takes !== undefined) memory.putTakesMessages(entry, takes);
    return takes;
  }

  /** As `settle`, and the interface must not refuse messages: only tested interfaces are suggested to a person. */
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

  #peer(entry: AgentInterface): Endpoint {
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
