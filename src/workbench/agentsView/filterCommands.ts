import * as vscode from 'vscode';
import { ShownState } from '../../protocol/message/taskState.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { statePresentation } from '../platform/stateIcons.ts';
import { sinceLabels, type TaskFilter, type TaskFilterValues } from './taskFilter.ts';
import { translatedList } from '../platform/report.ts';

interface FilterItem extends vscode.QuickPickItem {
  /** Returns the new filter, or undefined if the person changed nothing. */
  readonly choose?: () => TaskFilterValues | undefined | PromiseLike<TaskFilterValues | undefined>;
}

async function chooseStates(choice: TaskFilterValues): Promise<TaskFilterValues | undefined> {
  const picked = await vscode.window.showQuickPick(
    ShownState.options.map(state => ({
      label: `$(${statePresentation[state].icon}) ${statePresentation[state].label()}`,
      state,
      picked: choice.states?.includes(state) === true,
    })),
    { title: vscode.l10n.t('Tasks in which state?'), canPickMany: true },
  );
  return picked && { ...choice, states: picked.map(({ state }) => state) };
}

async function choosePeriod(choice: TaskFilterValues): Promise<TaskFilterValues | undefined> {
  const periods = ['today', 'yesterday', 'week', 'month'] as const;
  const picked = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('At any time'), period: undefined },
      ...periods.map(period => ({
        label: sinceLabels[period](),
        description: period === choice.period ? vscode.l10n.t('chosen') : undefined,
        period,
      })),
    ],
    { title: vscode.l10n.t('Last changed when?') },
  );
  return picked && { ...choice, period: picked.period };
}

/** The items to choose from. The first one filters by the typed text or ends the filter, so that Enter suffices for both. */
function items(choice: TaskFilterValues, typed: string): FilterItem[] {
  const text = typed.trim();
  const any = vscode.l10n.t('any');
  return [
    ...(text === ''
      ? Object.keys(choice).length === 0
        ? []
        : [{ label: `$(clear-all) ${vscode.l10n.t('Clear Filter')}`, choose: () => ({}) }]
      : [
          {
            label: `$(search) ${vscode.l10n.t('Title or ID contains "{0}"', text)}`,
            alwaysShow: true,
            choose: () => ({ ...choice, text }),
          },
        ]),
    ...(choice.text === undefined || text !== ''
      ? []
      : [
          {
            label: `$(close) ${vscode.l10n.t('Remove Title Filter "{0}"', choice.text)}`,
            choose: () => ({ ...choice, text: undefined }),
          },
        ]),
    {
      label: `$(pulse) ${vscode.l10n.t('State…')}`,
      description: choice.states === undefined ? any : translatedList(choice.states.map(state => statePresentation[state].label())),
      choose: () => chooseStates(choice),
    },
    {
      label: `$(calendar) ${vscode.l10n.t('Last change…')}`,
      description: choice.period === undefined ? any : sinceLabels[choice.period](),
      choose: () => choosePeriod(choice),
    },
  ];
}

/** The command that filters the tree. */
export function filterCommands(filter: TaskFilter): Pick<CommandHandlers, 'a2a.filterTasks'> {
  return {
    'a2a.filterTasks': () =>
      new Promise<void>((resolve, reject) => {
        const pick = vscode.window.createQuickPick<FilterItem>();
        pick.title = vscode.l10n.t('Filter Tasks');
        pick.placeholder = vscode.l10n.t('Type a title or ID, or select below');
        pick.items = items(filter.choice, '');
        pick.onDidChangeValue(typed => {
          pick.items = items(filter.choice, typed);
        });
        pick.onDidAccept(() => {
          const [item] = pick.selectedItems;
          const text = pick.value.trim();
          // Enter can come before the item for the typed text is there.
          const choose = item === undefined && text !== '' ? () => ({ ...filter.choice, text }) : item?.choose;
          pick.hide();
          Promise.resolve(choose?.())
            .then(choice => {
              if (choice !== undefined) filter.set(choice);
            })
            .then(resolve, reject);
        });
        pick.onDidHide(() => {
          pick.dispose();
          if (pick.selectedItems.length === 0) resolve();
        });
        pick.show();
      }),
  };
}
