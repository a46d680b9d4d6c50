import type { JSX } from 'preact';
import { Icon } from '../widgets/button.tsx';
import { usePanel } from '../panel/panelContext.ts';
import { statePresentation, stateWord } from '../text/statePresentation.ts';
import { tookText } from './entryTime.tsx';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import type { Row } from '../transcript/rows.ts';

/** The top of the card of a task that runs beside others: number, title, state and how long it took or takes. */
export function TaskCardHead({ row, number }: { readonly row: Row; readonly number: number }): JSX.Element {
  const { state, at, polled } = row.card ?? {};
  const title = useTaskTitle(row.taskId);
  const look = statePresentation(state ?? 'TASK_STATE_UNSPECIFIED');
  const took = state === undefined || look.tone === 'quiet' || at === undefined || row.since === undefined ? undefined : at - row.since;
  return (
    <header class={`task-head tone-${look.tone}`} title={visibleName(row.taskId ?? '')}>
      <span class="task-number">{t('Task {0}', number)}</span>
      <span class="task-title one-line">{title}</span>
      {state !== undefined && (
        <span class="task-state">
          <Icon name={look.icon} />
          <span class="state-word">{stateWord(state)}</span>
          {took !== undefined && took >= 50 && state !== 'LOST' && <span class="muted">{tookText(took, polled)}</span>}
        </span>
      )}
    </header>
  );
}

/** The text that began the task, shortened; empty where it is unknown. */
export function useTaskTitle(taskId: string | undefined): string {
  const tasks = usePanel().state.value?.tasks ?? [];
  return visibleName(tasks.find(task => task.taskId === taskId)?.title ?? '', 80);
}
