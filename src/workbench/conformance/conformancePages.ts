import * as vscode from 'vscode';
import * as z from 'zod';
import { ConformancePageMessage, type ConformanceView } from '../../chat/host/conformanceMessages.ts';
import type { CheckReport } from '../../conformance/checkReport.ts';
import type { Agent } from '../../model/agents/agent.ts';
import { isAgentAddress, type Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { loadRules } from '../../conformance/rules/loadedRules.ts';
import type { CommandHandlers, CommandId } from '../platform/commands.ts';
import { log } from '../platform/log.ts';
import { report as showError, translate } from '../platform/report.ts';
import { offersChat } from '../platform/settings.ts';
import { oneLine } from '../platform/untrustedText.ts';
import { showPage } from '../platform/webviewHtml.ts';
import { AgentCheck } from './agentCheck.ts';
import { agentToCheck } from './agentToCheck.ts';
import type { Conformance, ConformanceParts, Webhooks } from './conformanceParts.ts';
import { conformanceType } from './conformanceType.ts';
import { keepRun, keptReport } from './keptRuns.ts';
import { exportReport } from './reportExport.ts';
import { shownDeviations } from '../agentsView/shownDeviations.ts';
import { shownEvidence } from './shownEvidence.ts';
import { shownRun, timeOf } from './shownRun.ts';
import { askForWork, WorkAnswers } from './workQuestion.ts';

/** Webview state of a page. */
const KeptConformancePage = z.object({ agent: z.string() });

export interface ConformanceNeeds {
  readonly contexts: AgentContexts;
  readonly parts: ConformanceParts;
  readonly push: Webhooks;
  readonly extensionUri: vscode.Uri;
  readonly state: vscode.Memento;
  readonly agents: Agents;
  /** The name or the address that a row, a program or the active chat gives; undefined where none does. */
  readonly meantName: (argument: unknown) => string | undefined;
  /** The agent of the settings that the argument names, or that the person picks. */
  readonly meantAgent: (argument: unknown) => Promise<Agent | undefined>;
  readonly openExchange: (id: string) => Promise<void>;
  /** Called when a run was kept. */
  readonly onChecked: (agent: string) => void;
}

interface Page {
  readonly panel: vscode.WebviewPanel;
  readonly agent: string;
  /** The run that is shown; the last one where undefined. */
  run: number | undefined;
}

/** Pages with the conformance of agents, at most one for each, and the checks that they show. */
export class ConformancePages implements vscode.Disposable {
  readonly handlers: Pick<CommandHandlers, 'a2a.checkConformance'>;
  readonly #needs: ConformanceNeeds;
  readonly #pages = new Map<string, Page>();
  /** Checks that are under way, by agent. */
  readonly #running = new Map<string, AgentCheck>();
  readonly #answers: WorkAnswers;

  constructor(needs: ConformanceNeeds) {
    this.#needs = needs;
    this.#answers = new WorkAnswers(needs.state);
    this.handlers = {
      'a2a.checkConformance': async argument => {
        const agent = await this.#agentToCheck(argument);
        if (agent === undefined) return;
        // The last results are shown; the page checks again.
        if (needs.contexts.history.checks.of(agent.name).length > 0) this.#open(agent.name);
        else await this.#check(agent);
      },
    };
  }

  /** Fills a page that VS Code kept over a reload. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = KeptConformancePage.safeParse(state);
    if (kept.success && !this.#pages.has(kept.data.agent)) this.#fill(panel, kept.data.agent);
    else panel.dispose();
  }

  /** Shows what is new of an agent, where its page is open. */
  refresh(agent: string): void {
    const page = this.#pages.get(agent);
    if (page !== undefined) this.#show(page).catch(showError);
  }

  dispose(): void {
    for (const check of this.#running.values()) check.stop();
    for (const { panel } of this.#pages.values()) panel.dispose();
  }

  /** @param preserveFocus a question comes before the page, which would take the keyboard away from it once it is loaded */
  #open(agent: string, preserveFocus = false): void {
    const before = this.#pages.get(agent);
    if (before !== undefined) return before.panel.reveal(undefined, preserveFocus);
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    this.#fill(vscode.window.createWebviewPanel(conformanceType, titleOf(agent), place), agent);
  }

  #fill(panel: vscode.WebviewPanel, agent: string): void {
    const page: Page = { panel, agent, run: undefined };
    this.#pages.set(agent, page);
    panel.title = titleOf(agent);
    panel.webview.onDidReceiveMessage(message => this.#receive(page, message).catch(showError));
    panel.onDidDispose(() => this.#pages.delete(agent));
    showPage('conformancePage', panel, this.#needs.extensionUri);
  }

  async #receive(page: Page, data: unknown): Promise<void> {
    const message = ConformancePageMessage.safeParse(data);
    if (!message.success) return log.warn(`The conformance page sent an invalid message: ${message.error.message}`);
    const { agent } = page;
    switch (message.data.type) {
      case 'ready':
        return this.#show(page);
      case 'check':
        return this.#check(await this.#agentOf(agent));
      case 'stop':
        return this.#running.get(agent)?.stop();
      case 'show':
        page.run = message.data.run;
        return this.#show(page);
      case 'exchange':
        return this.#needs.openExchange(message.data.id);
      case 'export': {
        const report = this.#report(agent, this.#shownRun(page));
        if (report !== undefined) await exportReport(report, await this.#needs.parts());
        return;
      }
      default: {
        const { run, index, type } = message.data;
        if (type === 'fix') {
          await vscode.commands.executeCommand('a2a.fixWithChat' satisfies CommandId, { agent, run, index });
          return;
        }
        const report = this.#report(agent, run);
        if (report === undefined) return;
        if (type === 'clause') return this.#openClause(report, index);
        const evidence = shownEvidence(run, index, report, await this.#needs.parts());
        if (evidence !== undefined) await page.panel.webview.postMessage(evidence);
      }
    }
  }

  /** The address is one of ours, but it was kept in a file. */
  async #openClause({ results }: CheckReport, index: number): Promise<void> {
    const clause = results[index]?.clause ?? '';
    if (clause.startsWith('https://a2a-protocol.org/')) await vscode.env.openExternal(vscode.Uri.parse(clause, true));
  }

  async #agentToCheck(argument: unknown): Promise<Agent | undefined> {
    const { agents, meantName, meantAgent } = this.#needs;
    const name = meantName(argument);
    if (name === undefined) return agentToCheck(agents);
    return isAgentAddress(name) ? agents.find(name) : (agents.get(name) ?? meantAgent(name));
  }

  async #agentOf(name: string): Promise<Agent> {
    const { agents } = this.#needs;
    const agent = agents.get(name);
    if (agent !== undefined) return agent;
    // The window in which the address was typed is another one.
    if (isAgentAddress(name)) return agents.find(name);
    throw new Problem('not-configured', sentence('The agent "{0}" is not configured.', name));
  }

  #report(agent: string, run: number | undefined): CheckReport | undefined {
    return run === undefined ? undefined : keptReport(this.#needs.contexts, agent, run);
  }

  #shownRun({ agent, run }: Page): number | undefined {
    return run ?? this.#needs.contexts.history.checks.of(agent)[0]?.id;
  }

  async #show(page: Page): Promise<void> {
    const { agent } = page;
    const [parts] = await Promise.all([this.#needs.parts(), loadRules()]);
    await page.panel.webview.postMessage(this.#viewOf(page, agent, parts));
  }

  #viewOf(page: Page, agent: string, parts: Conformance): ConformanceView {
    const { contexts } = this.#needs;
    const runs = contexts.history.checks.of(agent);
    const shown = this.#shownRun(page);
    const before = runs[runs.findIndex(({ id }) => id === shown) + 1];
    const report = this.#report(agent, shown);
    const progress = this.#running.get(agent)?.progress;
    return {
      type: 'view',
      agent,
      ...(progress !== undefined && { progress }),
      ...(report !== undefined && shown !== undefined && { run: shownRun(shown, report, this.#report(agent, before?.id), parts) }),
      runs: runs.map(({ id, at, failed, warned }) => ({
        id,
        label:
          warned === 1
            ? vscode.l10n.t('{0}: {1} failed, 1 warning', timeOf(at), failed)
            : vscode.l10n.t('{0}: {1} failed, {2} warnings', timeOf(at), failed, warned),
      })),
      ...(offersChat() && { offersFix: true }),
      deviations: shownDeviations(contexts, agent),
      verdicts: Object.fromEntries(
        parts.verdictOrder.map(verdict => [verdict, translate(parts.verdictWords[verdict])]),
      ) as ConformanceView['verdicts'],
      strings: vscode.l10n.bundle ?? {},
    };
  }

  /** Asks what may be sent, checks, keeps the run and shows it. One check of an agent runs at a time. */
  async #check(agent: Agent): Promise<void> {
    this.#open(agent.name, true);
    const parts = await this.#needs.parts();
    if (this.#running.has(agent.name)) return;
    const check = new AgentCheck(agent, { ...this.#needs, parts }, () => this.refresh(agent.name));
    this.#running.set(agent.name, check);
    this.refresh(agent.name);
    try {
      const checked = await check.prepare();
      const answer = await askForWork(agent, checked, check.token, this.#answers.allowedWork(agent.name));
      if (answer === undefined) return;
      await this.#answers.remember(agent.name, answer);
      this.#pages.get(agent.name)?.panel.reveal();
      const report = await check.run(checked, answer);
      // Stopped before anything was checked: there is nothing to keep.
      if (report.results.length === 0) return;
      await keepRun(this.#needs.contexts, agent.name, report, parts);
      const page = this.#pages.get(agent.name);
      if (page !== undefined) page.run = undefined;
      this.#needs.onChecked(agent.name);
    } catch (error) {
      // Stopping a check while its card is fetched is no error.
      if (!check.token.isCancellationRequested || !(error instanceof Problem)) throw error;
    } finally {
      check.end();
      this.#running.delete(agent.name);
      this.refresh(agent.name);
    }
  }
}

const titleOf = (agent: string): string => vscode.l10n.t('Conformance: {0}', oneLine(agent));
