import { refusal } from '../../assistant/refusal.ts';
import type { Action, Consent } from '../../assistant/world.ts';
import { sentence } from '../../protocol/problem.ts';
import { quoted } from '../../protocol/quoted.ts';

/** Consent by the command line alone, since no question can be asked: reading, and all else at the agents of `--allow-send`. */
export class FlagConsent implements Consent {
  /** Names of agents, or addresses as a request file has them. */
  readonly allowed: ReadonlySet<string>;
  readonly #originOf: (name: string) => string | undefined;

  /** @param originOf the origin of an agent's address; a card may lead to another one */
  constructor(allowed: Iterable<string>, originOf: (name: string) => string | undefined) {
    this.allowed = new Set(allowed);
    this.#originOf = originOf;
  }

  async mayRead(): Promise<void> {}

  async mayAct({ agents, isOpen = false }: Action): Promise<void> {
    if (isOpen)
      throw refusal(
        sentence('These requests go to agents that are known only while they run, so this server cannot tell whether they are allowed.'),
        sentence('Write the name of an agent into the file.'),
      );
    const refused = agents.find(({ name }) => !this.allowed.has(name));
    const origins = new Set([...this.allowed].map(name => this.#originOf(name)));
    const elsewhere = agents.find(({ name, origin }) => this.#originOf(name) !== undefined && !origins.has(origin));
    if (refused === undefined && elsewhere !== undefined)
      throw refusal(
        sentence(
          'The card of {0} leads to {1}, which --allow-send does not allow. Nothing was sent.',
          quoted(elsewhere.name),
          elsewhere.origin,
        ),
        sentence('Tell the person. They allow it with --agent NAME={0} --allow-send NAME.', elsewhere.origin),
      );
    if (refused === undefined) return;
    throw refusal(
      sentence('This server may only read: it was started without --allow-send {0}. Nothing was sent.', quoted(refused.name)),
      sentence('Tell the person. They allow it by adding that option to the command that starts the server.'),
    );
  }

  hasRead(): void {}
}
