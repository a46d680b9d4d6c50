import * as vscode from 'vscode';
import * as z from 'zod';
import type { ChosenFault } from '../../mock/chosenFault.ts';
import type { FaultRelay } from '../../model/mocks/faultRelay.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { setContextKey } from '../platform/contextKeys.ts';
import { log, logError } from '../platform/log.ts';
import type { MisbehavingAgents } from '../agentsView/misbehavingAgents.ts';
import { connectSamples, type SampleConnection, SampleAddress, startSamples } from './sampleProcess.ts';
import { type AgentSettings, isNameTaken } from '../platform/settings.ts';

/** A relay in front of an agent, and its address. */
interface Relayed {
  readonly relay: FaultRelay;
  readonly url: string;
}

const stateKey = 'sampleAgents';

/** Workspace state: the names in use by original name, and the address of the process. */
const Remembered = z.object({ names: z.record(z.string(), z.string()), address: SampleAddress.optional() });
type Remembered = z.infer<typeof Remembered>;

/**
 * The sample agents of the extension: real A2A servers on free loopback ports, in a process that survives a reload of the window, so that
 * their tasks do too. They are listed beside the configured agents while they run and are not in the settings; they end a minute after the
 * window is closed.
 */
export class SampleAgents implements MisbehavingAgents, vscode.Disposable {
  readonly #script: vscode.Uri;
  /** Workspace state. */
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  #kept: SampleConnection | undefined;
  /** Set while they are started, or reconnected after a reload. */
  #starting: Promise<void> | undefined;
  #agents: Readonly<Record<string, AgentSettings>> = {};
  /** In front of those that have faults, by name. They end with the window, and the agents behind them are as they were. */
  readonly #relays = new Map<string, Relayed>();
  #disposed = false;
  readonly onDidChange = this.#changed.event;

  constructor(extensionUri: vscode.Uri, state: vscode.Memento) {
    this.#script = vscode.Uri.joinPath(extensionUri, 'dist', 'sampleAgents.js');
    this.#state = state;
  }

  /** The running ones, as the setting `a2a.agents` would have them. */
  get agents(): Readonly<Record<string, AgentSettings>> {
    const relayed = [...this.#relays].map(([name, { url }]) => [name, { url }]);
    return { ...this.#agents, ...Object.fromEntries(relayed) };
  }

  faultsOf(name: string): readonly ChosenFault[] | undefined {
    return this.#agents[name] === undefined ? undefined : (this.#relays.get(name)?.relay.faults.chosen ?? []);
  }

  async chooseFaults(name: string, chosen: readonly ChosenFault[]): Promise<void> {
    const settings = this.#agents[name];
    if (settings === undefined) return;
    const running = this.#relays.get(name);
    if (running !== undefined) return running.relay.faults.choose(chosen);
    // Few windows need it, and it takes as long to load as an agent.
    const { FaultRelay } = await import('../../model/mocks/faultRelay.ts');
    const relay = new FaultRelay(settings.url, logError);
    relay.faults.choose(chosen);
    const url = await relay.start();
    // The agent may have been stopped meanwhile.
    if (this.#agents[name] !== settings) return relay.stop();
    this.#relays.set(name, { relay, url });
    this.#changed.fire();
  }

  /** The name that a running sample agent has in this window. */
  nameOf(sample: string): string | undefined {
    const name = this.#remembered.names[sample];
    return name !== undefined && this.#agents[name] !== undefined ? name : undefined;
  }

  /** True for the name of a sample agent that is neither running nor being reconnected. */
  isStopped(name: string): boolean {
    return this.#starting === undefined && this.#agents[name] === undefined && Object.values(this.#remembered.names).includes(name);
  }

  /** Reconnects to those that ran before the window was reloaded. Never rejects: rows of those that have ended show it. */
  async resume(): Promise<void> {
    const { address } = this.#remembered;
    if (address === undefined) return;
    this.#starting = connectSamples(address).then(
      kept => this.#run(kept),
      (error: unknown) => {
        log.info(`The sample agents of this window have ended: ${String(error)}`);
        return this.#forget();
      },
    );
    await this.#done(this.#starting);
  }

  /** Starts them; resolves with false if they run already. Rejects with a `Problem` `sample-agents`; may be called again after that. */
  async start(): Promise<boolean> {
    await this.#starting?.catch(() => {});
    if (this.#kept !== undefined) return false;
    this.#starting = startSamples(this.#script.fsPath).then(
      kept => this.#run(kept),
      (cause: unknown) => {
        log.error(cause instanceof Error ? cause : String(cause));
        throw new Problem('sample-agents', sentence('The sample agents did not start.'), {
          nextStep: sentence('The log has the details. Try again, or add an agent of your own.'),
          cause,
        });
      },
    );
    await this.#done(this.#starting);
    return true;
  }

  /** Ends them. Their tasks stay in the history. */
  async stop(): Promise<void> {
    await this.#starting?.catch(() => {});
    const kept = this.#kept;
    kept?.stop();
    await kept?.ended;
  }

  /** Disconnects without ending them: the window may only be reloading. */
  dispose(): void {
    this.#disposed = true;
    this.#kept?.disconnect();
    this.#stopRelays();
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
      if (this.#starting === work) this.#starting = undefined;
      if (!this.#disposed) this.#changed.fire();
    }
  }

  async #run(kept: SampleConnection): Promise<void> {
    if (this.#disposed) {
      kept.disconnect();
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

  #stopRelays(): void {
    for (const { relay } of this.#relays.values()) relay.stop().catch(logError);
    this.#relays.clear();
  }

  async #stopped(): Promise<void> {
    this.#kept = undefined;
    this.#agents = {};
    this.#stopRelays();
    setContextKey('a2a.sampleAgentsRunning', false);
    this.#changed.fire();
    await this.#forget();
  }

  async #forget(): Promise<void> {
    await this.#state.update(stateKey, { names: this.#remembered.names } satisfies Remembered);
  }
}

/** The name it had before, so that its contexts stay with it; its own name if that one is taken. */
function nameFor(name: string, before: string | undefined): string {
  if (before !== undefined && !isNameTaken(before)) return before;
  return isNameTaken(name) ? `${name} (sample)` : name;
}
