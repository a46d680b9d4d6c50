import * as vscode from 'vscode';
import { cardValue } from '../../card/cardText.ts';
import type { ChosenFault } from '../../mock/chosenFault.ts';
import type { CardAgent } from '../../model/mocks/cardAgent.ts';
import { isObject } from '../../protocol/json.ts';
import { cardTextOf, completeCardOf, isRecording } from './documents.ts';
import { logError } from '../platform/log.ts';
import type { MisbehavingAgents } from '../agentsView/misbehavingAgents.ts';
import { oneLine } from '../platform/untrustedText.ts';
import { type AgentSettings, isNameTaken } from '../platform/settings.ts';

/** A mock agent that runs. */
interface MockAgent {
  readonly agent: Pick<CardAgent, 'stop' | 'faults'>;
  readonly url: string;
  /** Name in the card. */
  readonly name: string | undefined;
}

interface Served {
  readonly agent: MockAgent['agent'];
  readonly name: string;
  readonly url: string;
}

/**
 * Mock agents that serve card documents and play recordings, at most one for each open document. They are listed beside the configured
 * agents and are not in the settings.
 */
export class ServedCards implements MisbehavingAgents, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #served = new Map<string, Served>();
  readonly #closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.stop(uri));
  readonly onDidChange = this.#changed.event;

  /** The running ones, as the setting `a2a.agents` would have them. */
  get agents(): Readonly<Record<string, AgentSettings>> {
    return Object.fromEntries([...this.#served.values()].map(({ name, url }) => [name, { url }]));
  }

  /** Serves a card or plays a recording. Returns the agent's name. Rejects with a `Problem`: what is wrong with the document. */
  async serve(document: vscode.TextDocument): Promise<string> {
    const key = document.uri.toString();
    const before = this.#served.get(key);
    if (before !== undefined) return before.name;
    const { agent, url, name: own = vscode.l10n.t('Agent') } = await (isRecording(document) ? played(document) : served(document));
    const name = this.#freeName(own);
    this.#served.set(key, { agent, name, url });
    this.#changed.fire();
    return name;
  }

  /** Stops serving a document. Returns the agent's name; undefined where none serves it. */
  async stop(uri: vscode.Uri): Promise<string | undefined> {
    const served = this.#served.get(uri.toString());
    if (served === undefined) return undefined;
    this.#served.delete(uri.toString());
    this.#changed.fire();
    await served.agent.stop();
    return served.name;
  }

  faultsOf(name: string): readonly ChosenFault[] | undefined {
    return this.#named(name)?.agent.faults.chosen;
  }

  chooseFaults(name: string, chosen: readonly ChosenFault[]): Promise<void> {
    this.#named(name)?.agent.faults.choose(chosen);
    return Promise.resolve();
  }

  dispose(): void {
    this.#closing.dispose();
    this.#changed.dispose();
    for (const { agent } of this.#served.values()) void agent.stop();
    this.#served.clear();
  }

  #named(name: string): Served | undefined {
    return [...this.#served.values()].find(served => served.name === name);
  }

  #freeName(cardName: string): string {
    const base = vscode.l10n.t('{0} (mock)', [...oneLine(cardName)].slice(0, 60).join(''));
    const taken = (name: string): boolean => isNameTaken(name) || Object.hasOwn(this.agents, name);
    let name = base;
    for (let number = 2; taken(name); number++) name = `${base} ${number}`;
    return name;
  }
}

/** Serves the document's current text at each request, or while that is not a complete card, the last one that was. */
async function served(document: vscode.TextDocument): Promise<MockAgent> {
  let last = completeCardOf(document);
  const card = (): unknown => {
    const read = cardTextOf(document);
    const value = read === undefined || read.omitted.length > 0 ? undefined : cardValue(read);
    if (value !== undefined) last = value;
    return last;
  };
  // Few windows serve a card, and what serves one takes 50 ms to load.
  const { CardAgent } = await import('../../model/mocks/cardAgent.ts');
  const agent = new CardAgent(card, logError);
  const url = await agent.start();
  return { agent, url, name: isObject(last) && typeof last['name'] === 'string' ? last['name'] : undefined };
}

/** Plays the recording as it is now. */
async function played(document: vscode.TextDocument): Promise<MockAgent> {
  const [{ Player }, { readRecording }] = await Promise.all([import('../../recording/player.ts'), import('../../recording/recording.ts')]);
  const recording = readRecording(document.getText());
  const agent = new Player(recording, { speed: 1, isLoose: false, onError: logError });
  await agent.start();
  return { agent, url: agent.url, name: recording.agent.name };
}
