import type * as vscode from 'vscode';
import type { Agent } from '../../../model/agents/agent.ts';
import type { Agents } from '../../../model/agents/agents.ts';
import { agentNamer } from '../../platform/settings.ts';

/** An agent by the name that a file means it by. */
export interface NamedAgent {
  readonly name: string;
  readonly agent: Agent;
}

/** The agents as a file means them: in a workspace of several folders, those of its own folder first. */
export class FileAgents {
  readonly #agents: Agents;
  readonly #uri: () => vscode.Uri;

  /** @param uri where the file is now; it may be renamed. */
  constructor(agents: Agents, uri: () => vscode.Uri) {
    this.#agents = agents;
    this.#uri = uri;
  }

  /** True for an agent of the list. */
  isKnown(nameOrUrl: string): boolean {
    return this.known(nameOrUrl) !== undefined;
  }

  /** See `Agents.find`. Throws a `Problem` `unknown-agent`. */
  find(nameOrUrl: string): Agent {
    return this.#agents.find(agentNamer(this.#uri())(nameOrUrl));
  }

  /** The agent of the list that is meant; undefined for a name or an address that is not in it. */
  known(nameOrUrl: string): Agent | undefined {
    return this.#agents.get(agentNamer(this.#uri())(nameOrUrl)) ?? this.#agents.configuredAt(nameOrUrl);
  }

  /** In the order of the list. */
  get all(): readonly NamedAgent[] {
    const windowName = agentNamer(this.#uri());
    return this.#agents.all.flatMap(agent => {
      const own = windowName.ownNameOf(agent.name);
      // The file's own folder has another agent of that name.
      return own === undefined ? [] : [{ name: own, agent }];
    });
  }
}
