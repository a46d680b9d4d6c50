/**
 * The API of A2A Workbench for other extensions. Copy this file into yours.
 *
 *     const workbench = vscode.extensions.getExtension<A2AWorkbenchExports>('a2a-workbench.a2a-workbench');
 *     const api = await (await workbench?.activate())?.getAPI(1, context.extension.id);
 *
 * The person is asked before the first answer and before a message is sent, as for the tools of language models. Every call rejects with an
 * `Error` where they refuse, in Restricted Mode, and for agents that are not in the list of the workspace; its message is in English.
 * Credentials in what is given are masked. What an agent wrote is untrusted text.
 */
export interface A2AWorkbenchExports {
  /**
   * The API of that version, once the extension is ready. Within a version members are only added.
   * @param extensionId of the caller, such as `publisher.name`, which the person sees. Rejects if no such extension is installed.
   */
  getAPI(version: 1, extensionId: string): Promise<A2AWorkbench>;
}

export interface A2AWorkbench {
  /** The agents in the list of the workspace. Asks to read. */
  agents(): Promise<readonly A2AAgent[]>;
  /** Sends a message, once the person has allowed it. Resolves when it is in the history, before the agent answers. */
  send(message: A2AMessage): Promise<A2ASent>;
  /**
   * Calls the listener each time a task of these agents gets another state, whoever sent its messages, until it is disposed or the person
   * takes the permission back. Asks to read.
   */
  observeTasks(listener: (change: A2ATaskChange) => void): Promise<{ dispose(): void }>;
  /** Shows a conversation to the person, in its chat. */
  openContext(context: string): Promise<void>;
}

export interface A2AAgent {
  /** By this name the other calls take it. */
  readonly name: string;
  /** The address in the settings: of the agent card, or of the server that has it. */
  readonly address: string;
  readonly reachability: 'unknown' | 'checking' | 'reachable' | 'unreachable';
}

/** A message: a text, or parts as in A2A 1.0 (`{ text }`, `{ data }`, `{ raw }` or `{ url }` with their other members). */
export interface A2AMessage {
  readonly agent: string;
  readonly text?: string;
  readonly parts?: readonly object[];
  /** Key of a conversation to continue. Without it, a new one begins. */
  readonly context?: string;
  /** Id of a task in that conversation that waits for this answer. Without it, a new task begins. */
  readonly task?: string;
}

export interface A2ASent {
  /** Key of the conversation in the history. */
  readonly context: string;
  /** Resolves when the task is over or waits for an answer. Rejects where there is no answer. */
  readonly answer: Promise<A2AAnswer>;
}

/** The answer of an agent: a task or a message of A2A 1.0 as JSON, whatever version of the protocol the agent speaks. */
export interface A2AAnswer {
  readonly task?: { readonly id: string; readonly status: { readonly state: string } } & Readonly<Record<string, unknown>>;
  readonly message?: Readonly<Record<string, unknown>>;
}

export interface A2ATaskChange {
  readonly agent: string;
  /** Key of its conversation in the history. */
  readonly context: string;
  readonly task: string;
  /** As in A2A 1.0, such as `TASK_STATE_COMPLETED`. */
  readonly state: string;
}
