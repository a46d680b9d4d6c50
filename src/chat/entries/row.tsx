import type { JSX } from 'preact';
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel/panelContext.ts';
import type { Row } from '../transcript/rows.ts';
import { t } from '../text/strings.ts';
import type { EntryView } from '../transcript/transcript.ts';
import { visibleName } from '../text/visible.ts';
import { ArtifactRow } from './artifactEntry.tsx';
import { EntryTime } from './entryTime.tsx';
import { FindingsMark } from './findingsMark.tsx';
import { GapRow } from './gapEntry.tsx';
import { MessageRow } from './messageEntry.tsx';
import { ProblemRow } from './problemEntry.tsx';
import { ProgressRow } from './progressEntry.tsx';
import { StatusRow } from './statusEntry.tsx';
import { Tools } from './tools.tsx';
import { scrollWithinPanel } from '../widgets/scrollWithinPanel.ts';

/** One row: the speaker and the task where they change, the entry, and its actions. */
export function EntryRow({ row }: { readonly row: Row }): JSX.Element | null {
  const panel = usePanel();
  const article = useRef<HTMLElement>(null);
  // Computed, so that only the rows concerned render again.
  const wanted = useComputed(() => panel.rowWanted.value === row.key).value;
  useEffect(() => {
    if (!wanted) return;
    if (article.current !== null) scrollWithinPanel(article.current, 'center');
    article.current?.focus({ preventScroll: true });
    panel.rowWanted.value = undefined;
  }, [wanted]);
  const view = panel.transcript.view(row.seqs.at(-1) ?? row.key)?.value;
  if (view === undefined) return null;
  const { entry } = view;
  const mine = entry.kind === 'message' && entry.message.role === 'ROLE_USER';
  const mark = panel.mark(row.taskId);
  const agent = visibleName(panel.state.value?.agent ?? '');
  const text = panel.texts.whole(row);
  // Its text is shown with the status that ended the progress.
  if (text === '' && !row.newSpeaker && mark === undefined) return null;
  return (
    <article
      ref={article}
      tabIndex={-1}
      class={`row row-${row.kind} ${mine ? 'mine' : ''} ${mark === undefined ? '' : `task-${mark.color}`}`}
      data-row={row.key}
      aria-label={mine ? t('You') : agent}
    >
      <div class="row-main">
        {row.newSpeaker && (
          <div class="speaker">
            <span class="speaker-name">{agent}</span>
            <EntryTime entry={entry} />
          </div>
        )}
        {mark !== undefined && row.newTask && <TaskChip taskId={row.taskId ?? ''} number={mark.number} titled={!mine} />}
        <Content row={row} view={view} />
        <FindingsMark row={row} />
        {!mine && entry.kind !== 'artifact' && entry.kind !== 'problem' && text !== '' && <Tools view={view} text={text} />}
      </div>
    </article>
  );
}

function Content({ row, view }: { readonly row: Row; readonly view: EntryView }): JSX.Element {
  const { entry } = view;
  if (row.kind === 'progress') return <ProgressRow row={row} />;
  switch (entry.kind) {
    case 'message':
      return <MessageRow view={view} entry={entry} />;
    case 'status':
      return <StatusRow view={view} entry={entry} row={row} />;
    case 'artifact':
      return <ArtifactRow view={view} entry={entry} />;
    case 'problem':
      return <ProblemRow entry={entry} />;
    case 'gap':
      return <GapRow entry={entry} />;
  }
}

/** `titled`: show the title, because the message that began the task is not directly below. */
function TaskChip({ taskId, number, titled }: { readonly taskId: string; readonly number: number; readonly titled: boolean }): JSX.Element {
  const tasks = usePanel().state.value?.tasks ?? [];
  const title = titled ? (tasks.find(task => task.taskId === taskId)?.title ?? '') : '';
  return (
    <div class="task-chip" title={visibleName(taskId)}>
      <span class="task-number">{t('Task {0}', number)}</span>
      {title !== '' && <span class="task-title">{visibleName(title, 80)}</span>}
    </div>
  );
}
