import * as vscode from 'vscode';
import type { ConformanceView } from '../../chat/host/conformanceMessages.ts';
import type { CheckedAgent } from '../../conformance/checkedAgent.ts';
import type { CheckReport } from '../../conformance/checkReport.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import { trustedSigners } from '../agentCards/trustedSigners.ts';
import { report, translate } from '../platform/report.ts';
import { throttled } from '../platform/throttled.ts';
import { oneLine } from '../platform/untrustedText.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Conformance, Webhooks } from './conformanceParts.ts';
import type { WorkAnswer } from './workQuestion.ts';
import { listOf, sentence } from '../../protocol/problem.ts';

/** Shortest time between two reports of progress, in milliseconds. */
const progressMs = 100;

/** Message while another check of the agent is under way. */
export const waiting = (agent: string): string => vscode.l10n.t('Waiting for another check of "{0}" to finish…', oneLine(agent));

interface AgentCheckNeeds {
  readonly parts: Conformance;
  readonly push: Webhooks;
  readonly contexts: Pick<AgentContexts, 'noteTestRun' | 'patiently'>;
}

/** One check of an agent, with its progress. Its creator disposes it. */
export class AgentCheck {
  readonly #agent: Agent;
  readonly #parts: Conformance;
  readonly #push: Webhooks;
  readonly #contexts: AgentCheckNeeds['contexts'];
  readonly #notify: ReturnType<typeof throttled>;
  readonly #stop = new AbortController();
  #end = (): void => {};
  readonly #stopping = new vscode.CancellationTokenSource();
  #progress: NonNullable<ConformanceView['progress']> = { done: 0, total: 0, what: vscode.l10n.t('Fetching the card…') };

  constructor(agent: Agent, { parts, push, contexts }: AgentCheckNeeds, onProgress: () => void) {
    this.#agent = agent;
    this.#parts = parts;
    this.#push = push;
    this.#contexts = contexts;
    this.#notify = throttled(progressMs, onProgress);
  }

  get progress(): NonNullable<ConformanceView['progress']> {
    return this.#progress;
  }

  /** Cancelled when the check is stopped. */
  get token(): vscode.CancellationToken {
    return this.#stopping.token;
  }

  /** Stops the check; results so far stay. */
  stop(): void {
    this.#stop.abort();
    this.#stopping.cancel();
  }

  /** Lets the next check of the agent begin. */
  end(): void {
    this.#end();
  }

  /** Waits for other checks of the agent, and fetches the card. Rejects with a `Problem`. @param rules that are checked; all without them */
  async prepare(rules?: ReadonlySet<RuleId>): Promise<CheckedAgent> {
    const { checkTurns } = this.#parts;
    const { name } = this.#agent;
    if (checkTurns.isTaken(name)) {
      const before = this.#progress;
      this.#show({ what: waiting(name) });
      this.#end = await checkTurns.take(name, this.#stop.signal);
      this.#show(before);
    } else this.#end = await checkTurns.take(name, this.#stop.signal);
    await this.#agent.prepare();
    const { settings, access } = this.#agent;
    const checked = await this.#parts.checkedAgent({
      ...access,
      wanted: settings.interface,
      prompts: settings.check ?? {},
      signal: this.#stop.signal,
      trusted: trustedSigners,
      ...(rules !== undefined && { rules }),
    });
    this.#show({ what: vscode.l10n.t('Waiting for approval…') });
    return checked;
  }

  /**
   * Asks the agent, with progress. Rejects with a `Problem`.
   * @param location a notification has a button to stop; where something else has one, the status bar will do
   */
  async run(
    checked: CheckedAgent,
    { allowWork, resume, prompts }: WorkAnswer,
    location = vscode.ProgressLocation.Notification,
  ): Promise<CheckReport> {
    const title = vscode.l10n.t('Checking conformance of "{0}"', oneLine(this.#agent.name));
    // With a title, VS Code puts a half-width colon after it in every language.
    return vscode.window.withProgress({ location, cancellable: true }, (progress, token) => {
      const say = (what: string, increment = 0): void => progress.report({ message: vscode.l10n.t('{0}: {1}', title, what), increment });
      progress.report({ message: title });
      token.onCancellationRequested(() => this.stop());
      let reported = 0;
      const webhooks = this.#push.webhooksFor(this.#agent.name);
      return checked.run({
        openWebhook: async wanted => {
          const opened = await webhooks(wanted);
          if ('url' in opened) {
            const what = vscode.l10n.t('Receiving push notifications on {0}…', new URL(opened.url).host);
            this.#show({ what });
            say(what);
          }
          return opened;
        },
        allowWork,
        ...(resume === true && { resume }),
        prompts,
        // Its tasks are not the person's: they would be in the badge and between the chats.
        onContext: contextId => void this.#contexts.patiently(() => this.#contexts.noteTestRun(this.#agent.name, contextId)).catch(report),
        onProgress: ({ done, total, rule, interface: entry, waitMs }) => {
          const what = oneLine(
            translate(sentence('{0}: {1}', `${done + 1}/${total}`, listOf([rule, `${entry.protocolBinding} ${entry.protocolVersion}`]))),
          );
          this.#show({
            done,
            total,
            what:
              waitMs === undefined ? what : vscode.l10n.t('{0}: waiting {1} s, as requested by the agent', what, Math.ceil(waitMs / 1000)),
          });
          const share = (100 * done) / Math.max(1, total);
          say(`${done + 1}/${total}`, share - reported);
          reported = share;
        },
      });
    });
  }

  #show(progress: Partial<NonNullable<ConformanceView['progress']>>): void {
    this.#progress = { ...this.#progress, ...progress };
    this.#notify();
  }
}
