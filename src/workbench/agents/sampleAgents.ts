import * as vscode from 'vscode';
import * as z from 'zod';
import { Problem, sentence } from '../../protocol/problem.ts';
import { setContextKey } from '../platform/contextKeys.ts';
import type { AgentsView } from '../agentsView/agentsView.ts';
import { log } from '../platform/log.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import { findSamples, type KeptSamples, SampleAddress, startSamples } from './sampleProcess.ts';
import { type AgentSettings, isNameTaken } from '../platform/settings.ts';

const stateKey = 'sampleAgents';

/** What the window remembers of them: the names they went by, by their own, and where they run. */
const Remembered = z.object({ names: z.record(z.string(), z.string()), address: SampleAddress.optional() });
type Remembered = z.infer<typeof Remembered>;

/**
 * The sample agents that come with the extension: real A2A servers on free loopback ports, in a process that outlives a reload of the
 * window, so that they have their tasks afterwards. They stand beside the configured agents while they run and leave nothing behind in
 * the settings; a minute after the window is gone they end.
 */
export class SampleAgents implements vscode.Disposable {
  readonly #script: vscode.Uri;
  /** Of the workspace. */
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  #kept: KeptSamples | undefined;
  /** Starting, or looking for those of before the reload. */
  #under: Promise<void> | undefined;
  #agents: Readonly<Record<string, AgentSettings>> = {};
  #disposed = false;
  readonly onDidChange = this.#changed.event;

  constructor(extensionUri: vscode.Uri, state: vscode.Memento) {
    this.#script = vscode.Uri.joinPath(extensionUri, 'dist', 'sampleAgents.cjs');
    this.#state = state;
  }

  /** Those that run now, as `a2a.agents` would name them. */
  get agents(): Readonly<Record<string, AgentSettings>> {
    return this.#agents;
  }

  /** True for a name that a sample agent went by which does not run now, and is not being looked for. */
  isStopped(name: string): boolean {
    return this.#under === undefined && this.#agents[name] === undefined && Object.values(this.#remembered.names).includes(name);
  }

  /** Finds those again that ran before the window was loaded anew. Never rejects: where they have ended, their rows say so. */
  async resume(): Promise<void> {
    const { address } = this.#remembered;
    if (address === undefined) return;
    this.#under = findSamples(address).then(
      kept => this.#run(kept),
      (error: unknown) => {
        log.info(`The sample agents of this window have ended: ${String(error)}`);
        return this.#forget();
      },
    );
    await this.#done(this.#under);
  }

  /** Starts them; false when they run already. Rejects with a `Problem` `sample-agents`, and can be called again then. */
  async start(): Promise<boolean> {
    await this.#under?.catch(() => {});
    if (this.#kept !== undefined) return false;
    this.#under = startSamples(this.#script.fsPath).then(
      kept => this.#run(kept),
      (cause: unknown) => {
        log.error(cause instanceof Error ? cause : String(cause));
        throw new Problem('sample-agents', sentence('The sample agents did not start.'), {
          nextStep: sentence('The log has the details. Try again, or add an agent of your own.'),
          cause,
        });
      },
    );
    await this.#done(this.#under);
    return true;
  }

  /** Ends them. What they said stays in the history. */
  async stop(): Promise<void> {
    await this.#under?.catch(() => {});
    const kept = this.#kept;
    kept?.stop();
    await kept?.ended;
  }

  /** Lets go of them: the window may only be loaded anew. */
  dispose(): void {
    this.#disposed = true;
    this.#kept?.release();
    this.#changed.dispose();
  }

  get #remembered(): Remembered {
    const parsed = Remembered.safeParse(this.#state.get(stateKey));
    return parsed.success ? parsed.data : { names: {} };
  }

  async #done(work: Promise<void>): Promise<void> {
    try {
      await work;
    } finally {
      if (this.#under === work) this.#under = undefined;
      if (!this.#disposed) this.#changed.fire();
    }
  }

  async #run(kept: KeptSamples): Promise<void> {
    if (this.#disposed) {
      kept.release();
      return;
    }
    const before = this.#remembered.names;
    const names = Object.fromEntries(kept.agents.map(({ name }) => [name, nameFor(name, before[name])]));
    this.#kept = kept;
    this.#agents = Object.fromEntries(kept.agents.map(({ name, url }) => [names[name]!, { url }]));
    void kept.ended
      .then(async () => {
        if (this.#kept === kept && !this.#disposed) await this.#stopped();
      })
      .then(undefined, (error: unknown) => log.error(String(error)));
    setContextKey('a2a.sampleAgentsRunning', true);
    await this.#state.update(stateKey, { names, address: kept.address } satisfies Remembered);
  }

  async #stopped(): Promise<void> {
    this.#kept = undefined;
    this.#agents = {};
    setContextKey('a2a.sampleAgentsRunning', false);
    this.#changed.fire();
    await this.#forget();
  }

  async #forget(): Promise<void> {
    await this.#state.update(stateKey, { names: this.#remembered.names } satisfies Remembered);
  }
}

/** Starts them in sight of the person: with a progress, and then their rows. */
export async function startSampleAgents(samples: SampleAgents, view: Pick<AgentsView, 'visible' | 'revealAgent'>): Promise<void> {
  const started =
    Object.keys(samples.agents).length === 0 &&
    (await vscode.window.withProgress(
      view.visible
        ? { location: { viewId: 'a2a.agents' } }
        : { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Starting the sample agents…') },
      () => samples.start(),
    ));
  const names = Object.keys(samples.agents);
  if (!started)
    void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('The sample agents run already: {0}.', names.join(', '))));
  const [first] = names;
  if (first !== undefined) await view.revealAgent(first);
}

/** The name it went by before, so that it goes on with its contexts; its own where nobody has that. */
function nameFor(name: string, before: string | undefined): string {
  if (before !== undefined && !isNameTaken(before)) return before;
  return isNameTaken(name) ? `${name} (sample)` : name;
}
