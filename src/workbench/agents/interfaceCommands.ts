import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { ensureCard } from './ensureCard.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isEmptySelector, type InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { confirmOrigin } from '../agentsView/foreignOrigin.ts';
import { interfaceName, selectorLabel } from '../platform/interfaceNames.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import { offerUndo, translate } from '../platform/report.ts';
import { allowOrigin, disallowOrigin, setInterface } from '../platform/settings.ts';
import { findingSentence } from '../../protocol/finding.ts';

type InterfaceCommands = Pick<CommandHandlers, 'a2a.chooseInterface' | 'a2a.fixAgent'>;

/** @param configured the configured agent that a command applies to; undefined if the person picks none */
export function interfaceCommands(configured: (argument: unknown) => Promise<Agent | undefined>): InterfaceCommands {
  return {
    'a2a.chooseInterface': async argument => {
      const agent = await configured(argument);
      if (agent === undefined) return;
      await ensureCard(agent);
      const wanted = await pickInterface(agent);
      if (wanted !== undefined) await applyInterface(agent, wanted);
    },
    'a2a.fixAgent': async argument => {
      const agent = await configured(argument);
      if (agent === undefined) return;
      const remedies = agent.diagnosis.flatMap(({ suggestedFix, finding }) =>
        suggestedFix === undefined ? [] : [{ remedy: suggestedFix, what: findingSentence(finding) }],
      );
      const [only] = remedies;
      if (only === undefined) throw new Problem('nothing-to-fix', sentence('No fix is known for the agent "{0}".', agent.name));
      const picked =
        remedies.length === 1
          ? only
          : await vscode.window.showQuickPick(
              remedies.map(each => ({
                ...each,
                label: escapeIcons(translate(each.remedy.title)),
                detail: escapeIcons(translate(each.what)),
              })),
              { title: vscode.l10n.t('Fix "{0}"', escapeIcons(agent.name)) },
            );
      if (picked !== undefined) await applyInterface(agent, picked.remedy.change);
    },
  };
}

/** An empty selector follows the card's preference; undefined if the person picks none. */
async function pickInterface(agent: Agent): Promise<InterfaceSelector | undefined> {
  const { settings } = agent;
  const { offered, chosen, reason } = agent.interfaces;
  const follows = isEmptySelector(settings.interface);
  const items = offered.map(each => ({
    label: `$(${each.chosen ? 'check' : each.isSupported ? 'plug' : 'circle-slash'}) ${escapeIcons(interfaceName(each.interface))}`,
    description: escapeIcons(each.interface.url),
    detail: escapeIcons(
      each.obstacle !== undefined ? translate(each.obstacle) : each.chosen && reason !== undefined ? translate(reason) : '',
    ),
    wanted: each.wanted,
    obstacle: each.obstacle,
  }));
  const own =
    chosen === undefined || offered.some(each => each.chosen)
      ? []
      : [
          {
            label: `$(check) ${escapeIcons(interfaceName(chosen.interface))}`,
            description: escapeIcons(chosen.interface.url),
            detail: escapeIcons(translate(chosen.reason)),
            wanted: settings.interface ?? {},
            obstacle: undefined,
          },
        ];
  const picked = await vscode.window.showQuickPick(
    [
      ...own,
      ...items,
      { label: '', kind: vscode.QuickPickItemKind.Separator, wanted: {}, obstacle: undefined },
      {
        label: `$(${follows ? 'check' : 'list-ordered'}) ${vscode.l10n.t('Follow the Card')}`,
        detail: vscode.l10n.t('The first interface of the card that the workbench supports.'),
        wanted: {},
        obstacle: undefined,
      },
    ],
    {
      title: vscode.l10n.t('Interface of "{0}"', escapeIcons(agent.name)),
      placeHolder: vscode.l10n.t('Which interface should be used?'),
      matchOnDescription: true,
    },
  );
  if (picked?.obstacle !== undefined)
    throw new Problem('not-spoken', picked.obstacle, { nextStep: sentence('Choose another interface of the agent card.') });
  return picked?.wanted;
}

/**
 * Writes the selector to the agent's settings and offers to undo it. Asks first if requests would go to an origin that is not trusted yet.
 */
async function applyInterface(agent: Agent, wanted: InterfaceSelector): Promise<void> {
  const { name } = agent;
  const url = wanted.url ?? agent.interfaces.offered.find(each => JSON.stringify(each.wanted) === JSON.stringify(wanted))?.interface.url;
  const address = url === undefined || !URL.canParse(url) ? undefined : new URL(url);
  let allowed: string | undefined;
  if (address !== undefined && !agent.trusts(address)) {
    const { origin } = address;
    if (!(await confirmOrigin(name, origin))) return;
    // A URL that is in the settings itself needs no permission.
    if (wanted.url === undefined) {
      await allowOrigin(name, origin);
      allowed = origin;
    }
  }
  const before = await setInterface(name, wanted);
  const message = isEmptySelector(wanted)
    ? vscode.l10n.t('"{0}" now uses the interface its card prefers.', name)
    : wanted.url === undefined || selectorLabel({ ...wanted, url: undefined }) === ''
      ? vscode.l10n.t('"{0}" now uses {1}.', name, selectorLabel(wanted))
      : vscode.l10n.t('"{0}" now uses {1} at {2}.', name, selectorLabel({ ...wanted, url: undefined }), wanted.url);
  offerUndo(message, async () => {
    await setInterface(name, before);
    if (allowed !== undefined) await disallowOrigin(name, allowed);
  });
}
