import { Readable } from 'node:stream';
import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { safeFileName } from '../../model/fileNames.ts';
import { announceExport, writeExport } from '../documents/savedFile.ts';
import { escapeLinks, oneLine, truncated } from '../platform/untrustedText.ts';

/** Workspace state: since when agents are recorded, by their names. Milliseconds since the epoch. */
const stateKey = 'a2a.recordedAgents';

/** Agents of which everything is recorded. The history keeps it: only the beginning is noted, so that a reload loses nothing. */
export class AgentRecordings implements vscode.Disposable {
  readonly #contexts: AgentContexts;
  readonly #agents: Agents;
  readonly #state: vscode.Memento;
  readonly #marks = new Map<string, vscode.StatusBarItem>();

  constructor(contexts: AgentContexts, agents: Agents, state: vscode.Memento) {
    this.#contexts = contexts;
    this.#agents = agents;
    this.#state = state;
    for (const name of Object.keys(this.#since)) this.#mark(name);
  }

  /** Begins to record an agent, or stops and asks where to save what was recorded. Rejects with a `Problem` `not-saved`. */
  async toggle(name: string): Promise<void> {
    const since = Object.hasOwn(this.#since, name) ? this.#since[name] : undefined;
    if (since !== undefined) return this.#stop(name, since);
    await this.#state.update(stateKey, { ...this.#since, [name]: Date.now() });
    this.#mark(name);
  }

  dispose(): void {
    for (const mark of this.#marks.values()) mark.dispose();
  }

  get #since(): Readonly<Record<string, number>> {
    return this.#state.get<Record<string, number>>(stateKey, {});
  }

  async #stop(name: string, since: number): Promise<void> {
    const [{ askForRecording, askForRecordingFile, recordableSince }, { recordingText }] = await Promise.all([
      import('./recordingExport.ts'),
      import('../../recording/recording.ts'),
    ]);
    const recordable = recordableSince(this.#contexts, name, since);
    if (recordable === undefined) {
      await this.#end(name);
      const shown = truncated(oneLine(name), 60);
      void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('Nothing was sent to "{0}", so there is no recording.', shown)));
      return;
    }
    // Where the question is closed, recording goes on: nothing is lost.
    const recording = await askForRecording(recordable, this.#agents, {
      question: vscode.l10n.t('Save the recording of "{0}"?', truncated(oneLine(name), 60)),
      onDiscard: () => this.#end(name),
    });
    const target = recording && (await askForRecordingFile(safeFileName(name.slice(0, 60), 'agent')));
    if (recording === undefined || target === undefined) return;
    await writeExport(target, Readable.from([recordingText(recording)]));
    await this.#end(name);
    announceExport(target);
  }

  async #end(name: string): Promise<void> {
    const { [name]: _, ...others } = this.#since;
    await this.#state.update(stateKey, others);
    this.#marks.get(name)?.dispose();
    this.#marks.delete(name);
  }

  #mark(name: string): void {
    const shown = truncated(oneLine(name), 30);
    const mark = vscode.window.createStatusBarItem(`a2a.recording.${name}`, vscode.StatusBarAlignment.Left);
    mark.name = vscode.l10n.t('A2A: Recording of an Agent');
    mark.text = `$(record) ${shown}`;
    mark.tooltip = vscode.l10n.t('Everything that is sent to "{0}" and received from it is recorded. Select to stop.', shown);
    mark.command = { title: mark.tooltip, command: 'a2a.recordAgent', arguments: [name] };
    mark.show();
    this.#marks.set(name, mark);
  }
}
