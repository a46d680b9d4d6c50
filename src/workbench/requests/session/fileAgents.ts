import type * as vscode from 'vscode';
import type { Agent } from '../../../model/agents/agent.ts';
import type { Agents } from '../../../model/agents/agents.ts';
import { agentNamer } from '../../platform/settings.ts';

/** An agent with the name by which a file means it. */
export interface NamedAgent {
  readonly name: string;
  readonly agent: Agent;
}

/** The agents as a file means them: in a multi-root workspace, those of its own folder first. */
export class FileAgents {
  readonly #agents: Agents;
  readonly #uri: () => vscode.Uri;

  /** @param uri returns the file's current URI, since it may be renamed */
  constructor(agents: Agents, uri: () => vscode.Uri) {
    this.#agents = agents;
    this.#uri = uri;
  }

  /** True for a configured agent. */
  isKnown(nameOrUrl: string): boolean {
    return this.known(nameOrUrl) !== undefined;
  }

  /**
   * See `Agents.find`.
   * @throws Problem `unknown-agent`
   */
  find(nameOrUrl: string): Agent {
    return this.#agents.find(agentNamer(this.#uri())(nameOrUrl));
  }

  /** The configured agent of that name or URL; undefined if there is none. */
  known(nameOrUrl: string): Agent | undefined {
    return this.#agents.get(agentNamer(this.#uri())(nameOrUrl)) ?? this.#agents.configuredAt(nameOrUrl);
  }

  /** Agents in the order of the setting. */
  get all(): readonly NamedAgent[] {
    const windowName = agentNamer(this.#uri());
    return this.#agents.all.flatMap(agent => {
      const own = windowName.ownNameOf(agent.name);
      // Left out: the file would mean another agent by that name, one of its own folder.
      return own === undefined ? [] : [{ name: own, agent }];
    });
  }
}
