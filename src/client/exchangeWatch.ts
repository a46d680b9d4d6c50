import type { Exchange } from '../protocol/exchange.ts';
import { findingOf, maxFindings, type Finding } from '../protocol/finding.ts';
import { activatedIn } from './extensions.ts';
import { notificationSecrets } from './wireLog/notificationSecrets.ts';
import type { WireLog } from './wireLog/wireLog.ts';
import { sentence } from '../protocol/problem.ts';

/**
 * Wraps the log of one call and records, for all transports, which extensions the answer lists as active. Findings are added to the
 * exchange.
 */
export class ExchangeWatch {
  readonly log: WireLog;
  /** Extensions listed in the answer; undefined until there is a successful one. */
  activated: ReadonlySet<string> | undefined;
  readonly #log: WireLog | undefined;
  readonly #asked: readonly string[];
  #last: Exchange | undefined;

  /** @param sent what the request has in it; secrets of webhooks in it are masked */
  constructor(log: WireLog | undefined, asked: readonly string[], sent: unknown) {
    this.#log = log;
    this.#asked = asked;
    const passwords = [...(log?.passwords ?? []), ...notificationSecrets(sent)];
    this.log = {
      exchange: exchange => this.#exchange(exchange),
      frames: (exchangeId, frames) => this.#log?.frames(exchangeId, frames),
      received: bytes => this.#log?.received?.(bytes),
      ...(passwords.length > 0 && { passwords }),
      provisional: status => this.#log?.provisional?.(status),
    };
  }

  /** Adds a finding to the last exchange, which has already ended. */
  note(finding: Finding): void {
    if (this.#last === undefined || this.#last.findings.length >= maxFindings) return;
    this.#last = { ...this.#last, findings: [...this.#last.findings, finding] };
    this.#log?.exchange(this.#last);
  }

  #exchange(exchange: Exchange): void {
    const { response, endedAt, failure } = exchange;
    this.#last = exchange;
    if (response !== undefined && response.status >= 200 && response.status < 300 && this.#asked.length > 0) {
      this.activated = activatedIn(response.headers);
      if (endedAt !== undefined && failure === undefined)
        this.#last = { ...exchange, findings: [...exchange.findings, ...this.#silent(this.activated)].slice(0, maxFindings) };
    }
    this.#log?.exchange(this.#last);
  }

  #silent(activated: ReadonlySet<string>): Finding[] {
    return this.#asked
      .filter(uri => !activated.has(uri))
      .map(uri =>
        findingOf('EXT-02', '', sentence("The extension {0} was requested, but the answer's headers do not list it as active.", uri)),
      );
  }
}
