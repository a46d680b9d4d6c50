import { randomUUID } from 'node:crypto';
import type { AgentClient } from '../../client/agentClient.ts';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import { timeLimits } from '../../client/http/timeLimits.ts';
import type { ChosenInterface } from '../../client/interfaces/agentInterface.ts';
import type { Problem } from '../../protocol/problem.ts';
import { nameOf } from './agentClients.ts';

/** The interface of an agent that could not be reached last. A card that comes from another address shows nothing about it. */
export class AwayInterface {
  #name: string | undefined;

  failed({ interface: over }: ChosenInterface): void {
    this.#name = nameOf(over);
  }

  /** True if it was away before. */
  answered({ interface: over }: ChosenInterface): boolean {
    if (this.#name !== nameOf(over)) return false;
    this.#name = undefined;
    return true;
  }

  /** Why it still cannot be reached; asks for a task that does not exist. Undefined where the card's own address shows that it can. */
  async problem(client: AgentClient, cardUrl: string): Promise<Problem | undefined> {
    const { interface: over } = client.chosen;
    if (this.#name !== nameOf(over) || new URL(over.url).origin === new URL(cardUrl).origin) return undefined;
    const error = await client.call('GetTask', { id: randomUUID() }, { timeoutMs: timeLimits.question }).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (error instanceof ConnectionProblem) return error;
    this.#name = undefined;
    return undefined;
  }
}
