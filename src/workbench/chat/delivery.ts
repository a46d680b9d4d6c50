import * as vscode from 'vscode';
import type { RequestHandlers } from '../../chat/host/messages.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeControls, escapeLinks } from '../platform/untrustedText.ts';
import { inARow, report, translate } from '../platform/report.ts';

type CheckedDelivery = Awaited<ReturnType<RequestHandlers['checkDelivery']>>;

/** Handlers of the panel's requests about messages that may not have arrived. */
export function chatDelivery(context: AgentContext): Pick<RequestHandlers, 'sendAgain' | 'checkDelivery'> {
  return {
    sendAgain: async ({ seq, streaming }) => {
      // The failure may be due to the card: the request waits for it.
      void context.agent?.check();
      await context.patiently(() => context.sendAgain(seq, streaming));
    },
    checkDelivery: async ({ seq }) => {
      const check = await context.checkDelivery(seq);
      return {
        outcome: check.outcome,
        message: escapeControls(translate(check.sentence)),
        ...('nextStep' in check && { nextStep: translate(check.nextStep) }),
      };
    },
  };
}

/** @param active returns the context of the active chat */
export function deliveryCommands(active: () => AgentContext | undefined): Pick<CommandHandlers, 'a2a.checkMessage'> {
  return {
    'a2a.checkMessage': async () => {
      const context = active();
      const entry = context
        ?.entries({ limit: 200 })
        .items.findLast(({ kind, ...rest }) => kind === 'message' && 'delivery' in rest && rest.delivery === 'unknown');
      if (context === undefined || entry === undefined) {
        throw new Problem('nothing-uncertain', sentence('For every message in this chat it is known whether it arrived.'), {
          nextStep: sentence('Open the chat with the message in question.'),
        });
      }
      const check = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Asking the agent for the message…') },
        () => chatDelivery(context).checkDelivery({ seq: entry.seq }),
      );
      void showCheckedDelivery(check, () => context.patiently(() => context.sendAgain(entry.seq))).catch(report);
    },
  };
}

async function showCheckedDelivery({ outcome, message, nextStep }: CheckedDelivery, sendAgain: () => Promise<unknown>): Promise<void> {
  const text = escapeLinks(inARow(message, nextStep));
  if (outcome === 'found') {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const again = vscode.l10n.t('Send Again');
  if ((await vscode.window.showWarningMessage(text, again)) === again) await sendAgain();
}
