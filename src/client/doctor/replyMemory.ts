import type { AgentInterface } from '../../protocol/agentCard.ts';
import type { Reply } from './probe.ts';

/** How long an answer counts, in milliseconds: agents are changed in place. */
const lifetime = 10 * 60_000;
/** Most answers that are kept. */
const most = 500;

/** What interfaces answered lately. Refused credentials are not remembered: the next ones may be right. */
export class ReplyMemory {
  readonly #replies = new Map<string, { readonly reply: Reply; readonly at: number }>();
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

  /** Forgets what went wrong: somebody may have mended it. */
  forgetFailures(): void {
    for (const [key, { reply }] of this.#replies) if (reply.kind !== 'speaks') this.#replies.delete(key);
  }
}

const keyOf = ({ url, protocolBinding, protocolVersion }: AgentInterface): string => `${protocolBinding} ${protocolVersion} ${url}`;
