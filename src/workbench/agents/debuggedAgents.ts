import * as vscode from 'vscode';
import type { AgentSettings } from '../platform/settings.ts';

/** Agents of running debug sessions. They are listed beside the configured agents and are not in the settings. */
export class DebuggedAgents implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #agents = new Map<string, AgentSettings>();
  /** Names of those whose session has ended, in this window. */
  readonly #ended = new Set<string>();
  readonly onDidChange = this.#changed.event;

  /** The running ones, as the setting `a2a.agents` would have them. */
  get agents(): Readonly<Record<string, AgentSettings>> {
    return Object.fromEntries(this.#agents);
  }

  add(name: string, url: string): void {
    this.#agents.set(name, { url });
    this.#changed.fire();
  }

  remove(name: string): void {
    if (!this.#agents.delete(name)) return;
    this.#ended.add(name);
    this.#changed.fire();
  }

  /** A debug session of this window ran it, and has ended. */
  isEnded(name: string): boolean {
    return this.#ended.has(name) && !this.#agents.has(name);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
