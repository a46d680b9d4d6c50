import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import type { RequestResult } from '../values/requestResult.ts';
import type { Values } from '../text/value.ts';

/** An agent that the workbench knows. */
export interface KnownAgent {
  readonly name: string;
  readonly url: string;
  /** As it was read last. */
  readonly card?: AgentCard;
}

/** Something of the history that has an id. Titles are agents' words: untrusted text. */
export interface KnownId {
  readonly id: string;
  readonly title: string;
  readonly state?: ShownState;
}

/** What is true around a file while it is written; the model fills it. Nothing in it does I/O. */
export interface LanguageContext {
  readonly agents: readonly KnownAgent[];
  /** Contexts and tasks of an agent (its name or URL), last used first. */
  contexts(agent: string): readonly KnownId[];
  tasks(agent: string): readonly KnownId[];
  /** Variables of the environment. */
  readonly values: Values;
  /** Of secrets that are kept. */
  readonly secrets: readonly string[];
  /** What the last sending of a request of this file brought. */
  result(name: string): RequestResult | undefined;
}

export const emptyWorld: LanguageContext = {
  agents: [],
  contexts: () => [],
  tasks: () => [],
  values: new Map(),
  secrets: [],
  result: () => undefined,
};

/** The agent that a file names, by its name or URL. */
export const agentNamed = (world: LanguageContext, name: string | undefined): KnownAgent | undefined =>
  world.agents.find(agent => agent.name === name || agent.url === name);
