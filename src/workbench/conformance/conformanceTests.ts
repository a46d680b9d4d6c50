import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { report } from '../platform/report.ts';
import { isConfigured } from '../platform/settings.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';
import type { ConformanceParts, Webhooks } from './conformanceParts.ts';
import { ruleItems, runConformanceTests } from './conformanceTestRuns.ts';

export interface ConformanceTestsNeeds {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly parts: ConformanceParts;
  readonly push: Webhooks;
  /** Called when a run was kept. */
  readonly onChecked: (agent: string) => void;
}

/** Time from a saved file to the next run, in milliseconds: servers that watch their files begin anew meanwhile. One run follows the other. */
const afterSaveMs = 1_500;

/** Agents in the Test Explorer: each subject of the conformance rules is a suite, each rule a test. */
export class ConformanceTests implements vscode.Disposable {
  readonly #needs: ConformanceTestsNeeds;
  readonly #controller = vscode.tests.createTestController('a2a.conformance', vscode.l10n.t('A2A Conformance'));
  readonly #registration: vscode.Disposable;
  #listed = false;

  constructor(needs: ConformanceTestsNeeds) {
    this.#needs = needs;
    this.#controller.resolveHandler = item => (item === undefined ? this.#list() : this.#resolve(item));
    this.#controller.refreshHandler = () => this.#list();
    const { Run } = vscode.TestRunProfileKind;
    const run = this.#controller.createRunProfile(
      vscode.l10n.t('Run Read-Only Checks'),
      Run,
      (request, token) => this.#start(request, token),
      true,
    );
    run.supportsContinuousRun = true;
    const work = this.#controller.createRunProfile(vscode.l10n.t('Run All Checks…'), Run, (request, token) =>
      this.#run(request, token, true),
    );
    this.#registration = vscode.Disposable.from(
      this.#controller,
      run,
      work,
      needs.agents.onDidChange(() => {
        if (this.#listed) this.#list();
      }),
    );
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #list(): void {
    this.#listed = true;
    const { items } = this.#controller;
    const names = new Set(this.#needs.agents.all.map(({ name }) => name).filter(isConfigured));
    for (const [id] of items) if (!names.has(id)) items.delete(id);
    for (const name of names) {
      if (items.get(name) !== undefined) continue;
      const item = this.#controller.createTestItem(name, escapeIcons(oneLine(name)));
      item.canResolveChildren = true;
      items.add(item);
    }
  }

  async #resolve(item: vscode.TestItem): Promise<void> {
    if (item.parent !== undefined || item.children.size > 0) return;
    item.children.replace(await ruleItems(this.#controller, await this.#needs.parts()));
  }

  async #start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.continuous !== true) return this.#run(request, token, false);
    let [isWanted, isRunning] = [false, false];
    const again = async (): Promise<void> => {
      isWanted = true;
      if (isRunning) return;
      isRunning = true;
      try {
        while (isWanted && !token.isCancellationRequested) {
          await new Promise(resolve => setTimeout(resolve, afterSaveMs));
          isWanted = false;
          if (!token.isCancellationRequested) await this.#run(request, token, false);
        }
      } finally {
        isRunning = false;
      }
    };
    const listener = vscode.workspace.onDidSaveTextDocument(() => void again().catch(report));
    token.onCancellationRequested(() => listener.dispose());
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken, mayWork: boolean): Promise<void> {
    if (!this.#listed) this.#list();
    const { items } = this.#controller;
    const top = (item: vscode.TestItem): vscode.TestItem => (item.parent === undefined ? item : top(item.parent));
    const chosen = request.include === undefined ? [...items].map(([, item]) => item) : [...new Set(request.include.map(top))];
    for (const item of chosen) await this.#resolve(item);
    await runConformanceTests({ ...this.#needs, controller: this.#controller, request, token, chosen, mayWork });
  }
}
