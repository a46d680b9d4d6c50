import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { loadRules } from '../../conformance/rules/loadedRules.ts';
import { translate } from '../platform/report.ts';
import { exchangeText, findingLine, type StoredExchange } from './exchangeText.ts';
import type { ReadOnlyDocuments } from './readOnlyDocuments.ts';

const exchangeScheme = 'a2a-exchange';

/** The exchanges of the history as documents. */
export class ExchangeDocuments {
  readonly #contexts: AgentContexts;
  readonly #documents: ReadOnlyDocuments;

  constructor(contexts: AgentContexts, documents: ReadOnlyDocuments) {
    this.#contexts = contexts;
    this.#documents = documents.add(exchangeScheme, {
      extension: 'a2a-exchange',
      render: async id => {
        const found = contexts.exchange(id);
        await loadRules();
        return found && exchangeText(found, translate);
      },
    });
  }

  uri(exchange: { readonly operation: string; readonly id: string }): vscode.Uri {
    return this.#documents.uri(exchangeScheme, exchange.operation, exchange.id);
  }

  /**
   * Opens an exchange.
   * @param source what has it
   * @throws Problem `gone`
   */
  async open(id: string, source: Pick<AgentContext, 'exchange'> = this.#contexts): Promise<void> {
    const kept = source.exchange(id);
    if (kept === undefined) throw new Problem('gone', sentence('This exchange is no longer in the history.'));
    await this.#documents.open(exchangeScheme, kept.exchange.operation, id);
  }

  /** Opens an exchange beside, at one of its findings where that is given. */
  async openBeside({ exchange }: StoredExchange, finding?: number): Promise<void> {
    const { findings } = exchange;
    const line = finding === undefined || finding >= findings.length ? 0 : findingLine(findings, finding);
    await this.#documents.open(exchangeScheme, exchange.operation, exchange.id, {
      viewColumn: vscode.ViewColumn.Beside,
      selection: new vscode.Range(line, 0, line, finding === undefined ? 0 : Number.MAX_SAFE_INTEGER),
    });
  }
}
