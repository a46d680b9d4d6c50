import { refusal } from '../../assistant/refusal.ts';
import type { Action, Consent } from '../../assistant/world.ts';
import { sentence } from '../../protocol/problem.ts';
import { quoted } from '../../protocol/quoted.ts';

/** Consent by the command line alone, since no question can be asked: reading, and all else at the agents of `--allow-send`. */
export class FlagConsent implements Consent {
  /** Names of agents, or addresses as a request file has them. */
  readonly allowed: ReadonlySet<string>;

  constructor(allowed: Iterable<string>) {
    this.allowed = new Set(allowed);
  }

  async mayRead(): Promise<void> {}

  async mayAct({ agents, isOpen = false }: Action): Promise<void> {
    if (isOpen)
      throw refusal(
        sentence('These requests go to agents that are known only while they run, so this server cannot tell whether they are allowed.'),
        sentence('Write the name of an agent into the file.'),
      );
    const refused = agents.find(({ name }) => !this.allowed.has(name));
    if (refused === undefined) return;
    throw refusal(
      sentence('This server may only read: it was started without --allow-send {0}. Nothing was sent.', quoted(refused.name)),
      sentence('Tell the person. They allow it by adding that option to the command that starts the server.'),
    );
  }

  hasRead(): void {}
}
