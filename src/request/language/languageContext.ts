import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import type { RequestResult } from '../values/requestResult.ts';
import type { Values } from '../text/value.ts';
import { readTemplate } from '../template/template.ts';

/** A configured agent. */
export interface KnownAgent {
  readonly name: string;
  readonly url: string;
  /** The card as it was last read. */
  readonly card?: AgentCard;
}

/** A context or task of the history. Titles are agents' words: untrusted text. */
export interface KnownId {
  readonly id: string;
  readonly title: string;
  readonly state?: ShownState;
}

/** Facts from outside the file while it is edited, provided by the model. Does no I/O. */
export interface LanguageContext {
  readonly agents: readonly KnownAgent[];
  /** Contexts and tasks of an agent (given by name or URL), most recently used first. */
  contexts(agent: string): readonly KnownId[];
  tasks(agent: string): readonly KnownId[];
  /** Variables of the selected environment. */
  readonly values: Values;
  /** Names of stored secrets. */
  readonly secrets: readonly string[];
  /** The result of the last time that a request of this file was sent. */
  result(name: string): RequestResult | undefined;
}

export const emptyLanguageContext: LanguageContext = {
  agents: [],
  contexts: () => [],
  tasks: () => [],
  values: new Map(),
  secrets: [],
  result: () => undefined,
};

/** A value of the file as text: escaped braces become braces. A value with templates stays as written. */
export function textOfValue(written: string): string {
  const [text, ...more] = readTemplate(written);
  return text?.kind === 'text' && more.length === 0 ? text.text : written;
}

/** The agent with the name or URL that a file gives. */
export function agentNamed(world: LanguageContext, written: string | undefined): KnownAgent | undefined {
  const name = written && textOfValue(written);
  return world.agents.find(agent => agent.name === name || agent.url === name);
}
