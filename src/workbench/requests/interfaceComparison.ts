import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { InterfaceOutcome } from '../../model/requests/compareInterfaces.ts';
import { findingsIn } from '../../protocol/finding.ts';
import { interfaceName } from '../platform/interfaceNames.ts';
import { escapeIcons, escapeLinks, oneLine, truncated } from '../platform/untrustedText.ts';
import { type ReadOnlyDocuments, comparisonScheme, plainTextIfSchema } from '../documents/readOnlyDocuments.ts';
import { report, translatedList } from '../platform/report.ts';
import { duration } from './session/requestStatus.ts';

/** Maximum number of answers in memory: VS Code may ask again for the text of an open document. */
const maxKept = 100;

/** A request to be sent on every interface of an agent. */
export interface EveryInterfaceRequest {
  /** The agent's name in the window. */
  readonly agent: string;
  /** The text of a message of a chat that is not on screen: untrusted. */
  readonly text?: string;
  readonly outcomes: (signal: AbortSignal) => AsyncIterable<InterfaceOutcome>;
}

/** Sends one request on every interface of an agent and shows where the answers differ. */
export class InterfaceComparison {
  readonly #documents: ReadOnlyDocuments;
  readonly #texts = new Map<string, string>();

  constructor(documents: ReadOnlyDocuments) {
    this.#documents = documents;
  }

  /** The text of a document of {@link comparisonScheme}. */
  textOf(key: string): string | undefined {
    return this.#texts.get(key);
  }

  /** Rejects with a `Problem` if the request cannot be sent at all. A failure on one interface is shown as its answer. */
  async run({ agent, text, outcomes }: EveryInterfaceRequest): Promise<void> {
    const received = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        cancellable: true,
        title:
          text === undefined
            ? vscode.l10n.t('Sending to "{0}" on every interface', escapeIcons(agent))
            : vscode.l10n.t('Sending “{0}” to "{1}" on every interface', escapeIcons(truncated(oneLine(text), 60)), escapeIcons(agent)),
      },
      async (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        const all: InterfaceOutcome[] = [];
        for await (const outcome of outcomes(stop.signal)) {
          all.push(outcome);
          progress.report({ message: escapeIcons(interfaceName(outcome.offered.interface)) });
        }
        return all;
      },
    );
    if (received.length === 0) return;
    const summary = received.map(summaryOf).join(' · ');
    const [first] = received;
    if (received.length === 1) {
      await this.#open(agent, received);
      void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('"{0}" was sent on one interface only. {1}', agent, summary)));
    } else if (received.every(({ text }) => text === first?.text)) {
      const open = vscode.l10n.t('Open Answers');
      void vscode.window
        .showInformationMessage(
          escapeLinks(vscode.l10n.t('"{0}" gives the same answer on {1} interfaces. {2}', agent, received.length, summary)),
          open,
        )
        .then(choice => (choice === open ? this.#open(agent, received) : undefined))
        .then(undefined, report);
    } else {
      await this.#open(agent, received);
      void vscode.window.showInformationMessage(
        escapeLinks(vscode.l10n.t('"{0}" gets different answers on {1} interfaces. {2}', agent, received.length, summary)),
      );
    }
  }

  /** Shows two answers side by side, or each further one beside the first. */
  async #open(agent: string, received: readonly InterfaceOutcome[]): Promise<void> {
    const [first, ...others] = await Promise.all(received.map(outcome => this.#document(outcome)));
    const [second] = others;
    if (first === undefined) return;
    if (second === undefined) {
      await vscode.window.showTextDocument(first.uri);
    } else if (others.length === 1) {
      const title = vscode.l10n.t('{0}: {1}', escapeIcons(agent), `${first.name} ↔ ${second.name}`);
      await vscode.commands.executeCommand('vscode.diff', first.uri, second.uri, title);
    } else {
      await vscode.commands.executeCommand(
        'vscode.changes',
        vscode.l10n.t('{0}: {1} and others', escapeIcons(agent), first.name),
        others.map(({ uri }) => [uri, first.uri, uri]),
      );
    }
  }

  async #document({ offered, text }: InterfaceOutcome): Promise<{ readonly uri: vscode.Uri; readonly name: string }> {
    const key = randomUUID();
    this.#texts.set(key, text);
    for (const old of [...this.#texts.keys()].slice(0, -maxKept)) this.#texts.delete(old);
    const name = escapeIcons(interfaceName(offered.interface)).slice(0, 80);
    const uri = this.#documents.uri(comparisonScheme, name, key);
    await plainTextIfSchema(await vscode.workspace.openTextDocument(uri));
    return { uri, name };
  }
}

/** Interface, duration and number of findings. */
function summaryOf({ offered, startedAt, endedAt, findings }: InterfaceOutcome): string {
  const took = vscode.l10n.t('{0}: {1}', interfaceName(offered.interface), duration(endedAt - startedAt));
  const found = findingsIn(findings);
  if (found === 0) return took;
  return translatedList([took, found === 1 ? vscode.l10n.t('1 protocol finding') : vscode.l10n.t('{0} protocol findings', found)]);
}
