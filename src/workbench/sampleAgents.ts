import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import * as z from 'zod';
import { Problem, sentence } from '../protocol/problem.ts';
import { setContextKey } from './contextKeys.ts';
import { log } from './log.ts';
import { type AgentSettings, isNameTaken } from './settings.ts';

const Ready = z.object({ agents: z.array(z.object({ name: z.string(), url: z.url() })) });

/** How long the agents may take until they listen. */
const startTimeoutMs = 15_000;

/**
 * The sample agents that come with the extension: real A2A servers on free loopback ports, in a worker of this extension host. They
 * stand beside the configured agents while they run and leave nothing behind in the settings.
 */
export class SampleAgents implements vscode.Disposable {
  readonly #script: vscode.Uri;
  readonly #changed = new vscode.EventEmitter<void>();
  #worker: Worker | undefined;
  #agents: Readonly<Record<string, AgentSettings>> = {};
  readonly onDidChange = this.#changed.event;

  constructor(extensionUri: vscode.Uri) {
    this.#script = vscode.Uri.joinPath(extensionUri, 'dist', 'sampleAgents.cjs');
  }

  /** Those that run now, as `a2a.agents` would name them. */
  get agents(): Readonly<Record<string, AgentSettings>> {
    return this.#agents;
  }

  /** Starts them; does nothing when they run already. Rejects with a `Problem` `sample-agents`, and can be called again then. */
  async start(): Promise<void> {
    if (this.#worker !== undefined) return;
    const worker = new Worker(this.#script.fsPath);
    this.#worker = worker;
    worker.on('error', error => log.error(error));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#stopped();
    });
    try {
      const { agents } = Ready.parse(await firstMessage(worker));
      this.#agents = Object.fromEntries(agents.map(({ name, url }) => [isNameTaken(name) ? `${name} (sample)` : name, { url }]));
    } catch (error) {
      await worker.terminate();
      if (this.#worker === worker) this.#stopped();
      throw error;
    }
    setContextKey('a2a.sampleAgentsRunning', true);
    this.#changed.fire();
  }

  /** Ends them. What they said stays in the history. */
  async stop(): Promise<void> {
    await this.#worker?.terminate();
    this.#stopped();
  }

  dispose(): void {
    void this.#worker?.terminate();
    this.#changed.dispose();
  }

  #stopped(): void {
    this.#worker = undefined;
    this.#agents = {};
    setContextKey('a2a.sampleAgentsRunning', false);
    this.#changed.fire();
  }
}

async function firstMessage(worker: Worker): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const failed = (cause?: unknown): void => reject(new Problem('sample-agents', sentence('The sample agents did not start.'), {
    nextStep: sentence('The log has the details. Try again, or add an agent of your own.'), cause,
  }));
  const timer = setTimeout(failed, startTimeoutMs);
  worker.once('message', resolve);
  worker.once('error', failed);
  worker.once('exit', () => failed());
  return promise.finally(() => clearTimeout(timer));
}
