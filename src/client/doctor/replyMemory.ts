import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import type { Reply } from '../interfaces/probe.ts';

/** How long a reply stays valid, in milliseconds: an agent may change at any time. */
const lifetime = 10 * 60_000;
/** Most replies that are kept. */
const most = 500;

/** Recent replies of interfaces. Refused credentials are not remembered: the next ones may be accepted. */
export class ReplyMemory {
  readonly #replies = new Map<string, { readonly reply: Reply; readonly at: number }>();
  readonly #takes = new Map<string, { readonly takes: boolean; readonly at: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(entry: AgentInterface): Reply | undefined {
    const known = this.#replies.get(keyOf(entry));
    return known !== undefined && this.#now() - known.at < lifetime ? known.reply : undefined;
  }

  put(entry: AgentInterface, reply: Reply): void {
    const key = keyOf(entry);
    this.#replies.delete(key);
    if (reply.kind === 'unauthorized') return;
    this.#replies.set(key, { reply, at: this.#now() });
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > most && oldest !== undefined) this.#replies.delete(oldest);
  }

  /** True if messages were accepted; undefined if that was not tested recently. */
  takesMessages(entry: AgentInterface): boolean | undefined {
    const known = this.#takes.get(keyOf(entry));
    return known !== undefined && this.#now() - known.at < lifetime ? known.takes : undefined;
  }

  putTakesMessages(entry: AgentInterface, takes: boolean): void {
    this.#takes.delete(keyOf(entry));
    this.#takes.set(keyOf(entry), { takes, at: this.#now() });
    const [oldest] = this.#takes.keys();
    if (this.#takes.size > most && oldest !== undefined) this.#takes.delete(oldest);
  }

  /** Forgets failures: the cause may have been fixed. */
  forgetFailures(): void {
    for (const [key, { takes }] of this.#takes) if (!takes) this.#takes.delete(key);
    for (const [key, { reply }] of this.#replies) if (reply.kind !== 'supported') this.#replies.delete(key);
  }
}

const keyOf = ({ url, protocolBinding, protocolVersion }: AgentInterface): string => `${protocolBinding} ${protocolVersion} ${url}`;
