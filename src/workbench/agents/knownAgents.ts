import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { ServedCards } from '../agentCards/servedCards.ts';
import { completeStep } from '../platform/contextKeys.ts';
import { type AgentMistakes, configuredAgents, onDidChangeAgents, useAgentNames } from '../platform/settings.ts';
import type { DebuggedAgents } from './debuggedAgents.ts';
import type { SampleAgents } from './sampleAgents.ts';

/** The agents of a window: those of the settings, and those that the window runs itself. */
export class KnownAgents implements vscode.Disposable {
  readonly #needs: KnownAgentsNeeds;
  readonly #registration: vscode.Disposable;
  /** Resolves when the sample agents of the window before a reload are there again, or have ended. */
  readonly resumed: Promise<void>;
  #mistakes: ReadonlyMap<string, AgentMistakes> = new Map();

  constructor(needs: KnownAgentsNeeds) {
    this.#needs = needs;
    const { contexts, samples, served, debugged } = needs;
    this.resumed = samples.resume();
    const configure = (): void => this.#configure();
    this.#registration = vscode.Disposable.from(
      useAgentNames(contexts.names),
      onDidChangeAgents(configure),
      samples.onDidChange(configure),
      served.onDidChange(configure),
      debugged.onDidChange(configure),
      samples,
    );
    configure();
  }

  /** Mistakes and warnings about entries of the settings, by the agent's name. */
  get mistakes(): ReadonlyMap<string, AgentMistakes> {
    return this.#mistakes;
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #configure(): void {
    const { agents, contexts, samples, served, debugged } = this.#needs;
    const read = configuredAgents();
    this.#mistakes = read.mistakes;
    const running = { ...samples.agents, ...served.agents, ...debugged.agents };
    // Agents that this window runs itself belong to the user, whatever port they listen on this time.
    for (const [name, settings] of Object.entries(running)) contexts.names.of({ name, settings, place: 'user', label: '' });
    agents.configure({ ...read.agents, ...running });
    if (agents.all.length > 0) completeStep('a2a.agentAdded');
  }
}

interface KnownAgentsNeeds {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly samples: SampleAgents;
  readonly served: ServedCards;
  readonly debugged: DebuggedAgents;
}
