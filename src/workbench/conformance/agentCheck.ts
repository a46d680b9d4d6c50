import * as vscode from 'vscode';
import type { ConformanceView } from '../../chat/host/conformanceMessages.ts';
import type { CheckedAgent } from '../../conformance/checkedAgent.ts';
import type { CheckReport } from '../../conformance/checkReport.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import { trustedSigners } from '../agentCards/trustedSigners.ts';
import { oneLine } from '../platform/untrustedText.ts';
import type { Conformance } from './conformanceParts.ts';
import type { WorkAnswer } from './workQuestion.ts';

/** Shortest time between two reports of progress, in milliseconds. */
const progressMs = 100;

/** One check of an agent, with its progress. */
export class AgentCheck {
  readonly #agent: Agent;
  readonly #parts: Conformance;
  readonly #onProgress: () => void;
  readonly #stop = new AbortController();
  #progress: NonNullable<ConformanceView['progress']> = { done: 0, total: 0, what: vscode.l10n.t('Fetching the card…') };
  #toldAt = 0;

  constructor(agent: Agent, parts: Conformance, onProgress: () => void) {
    this.#agent = agent;
    this.#parts = parts;
    this.#onProgress = onProgress;
  }

  get progress(): NonNullable<ConformanceView['progress']> {
    return this.#progress;
  }

  /** What was asked until then stays. */
  stop(): void {
    this.#stop.abort();
  }

  /** Fetches the card. Rejects with a `Problem`. @param rules that are checked; all without them */
  async prepare(rules?: ReadonlySet<RuleId>): Promise<CheckedAgent> {
    await this.#agent.prepare();
    const { settings, access } = this.#agent;
    return this.#parts.checkedAgent({
      ...access,
      wanted: settings.interface,
      prompts: settings.check ?? {},
      signal: this.#stop.signal,
      trusted: trustedSigners,
      ...(rules !== undefined && { rules }),
    });
  }

  /** Asks the agent, with progress that has a button to stop. Rejects with a `Problem`. */
  async run(checked: CheckedAgent, { allowWork, prompts }: WorkAnswer): Promise<CheckReport> {
    const title = vscode.l10n.t('Checking conformance of "{0}"', oneLine(this.#agent.name));
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => this.stop());
      let told = 0;
      return checked.run({
        allowWork,
        prompts,
        onProgress: ({ done, total, rule, interface: entry }) => {
          const what = oneLine(`${rule}, ${entry.protocolBinding} ${entry.protocolVersion}`);
          this.#progress = { done, total, what };
          const share = (100 * done) / Math.max(1, total);
          progress.report({ message: `${done + 1}/${total}`, increment: share - told });
          told = share;
          if (performance.now() - this.#toldAt < progressMs) return;
          this.#toldAt = performance.now();
          this.#onProgress();
        },
      });
    });
  }
}
