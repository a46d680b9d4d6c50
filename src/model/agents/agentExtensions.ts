import { isValidExtensionUri } from '../../protocol/card/extensionUri.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';

/** An extension of the protocol (A2A 1.0 §4.6), as an agent's card and its settings have it. */
export interface ExtensionState {
  readonly uri: string;
  /** The card's description of it: untrusted text. */
  readonly description?: string;
  /** The agent refuses clients that do not ask for it. */
  readonly required: boolean;
  /** The settings have it on: every request asks for it. */
  readonly on: boolean;
  /** True if the last response activated it; undefined before there was one. */
  readonly activated?: boolean;
  /** False for one that the settings have and the card does not. */
  readonly declared: boolean;
}

/** The card's extensions in its order, without those that no request could name, then what the settings have beyond them. Each URI once. */
export function extensionsOf(
  card: AgentCard | undefined,
  on: readonly string[],
  activated?: ReadonlySet<string>,
): readonly ExtensionState[] {
  const states = new Map<string, ExtensionState>();
  const told = (uri: string): { readonly activated?: boolean } => (activated === undefined ? {} : { activated: activated.has(uri) });
  for (const { uri, description, required = false } of card?.capabilities.extensions ?? []) {
    if (states.has(uri) || !isValidExtensionUri(uri)) continue;
    states.set(uri, {
      uri,
      ...(description !== undefined && { description }),
      required,
      on: on.includes(uri),
      ...told(uri),
      declared: true,
    });
  }
  for (const uri of on) if (!states.has(uri)) states.set(uri, { uri, required: false, on: true, ...told(uri), declared: false });
  return [...states.values()];
}

/** Extensions that the agent requires and that are off: it will refuse what is sent (ExtensionSupportRequired, A2A 1.0 §3.3.4). */
export const requiredButOff = (extensions: readonly ExtensionState[]): readonly ExtensionState[] =>
  extensions.filter(({ required, on }) => required && !on);
