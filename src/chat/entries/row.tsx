import type { JSX } from 'preact';
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Panel } from '../panel/panel.ts';
import { usePanel } from '../panel/panelContext.ts';
import type { Row } from '../transcript/rows.ts';
import { statePresentation, stateWord } from '../text/statePresentation.ts';
import { t, localized } from '../text/strings.ts';
import type { EntryView } from '../transcript/transcript.ts';
import { visibleName } from '../text/visible.ts';
import { ArtifactRow } from './artifactEntry.tsx';
import { EntryTime, tookText } from './entryTime.tsx';
import { FindingsMark, KeptMark } from './findingsMark.tsx';
import { MessageRow } from './messageEntry.tsx';
import { ProblemRow } from './problemEntry.tsx';
import { ProgressRow } from './progressEntry.tsx';
import { StatusRow } from './statusEntry.tsx';
import { Tools } from './tools.tsx';
import { scrollWithinPanel } from '../widgets/scrollWithinPanel.ts';
import type { GapEntry } from '../../protocol/message/transcript.ts';
import { Icon, TextButton } from '../widgets/button.tsx';

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
  const isOver = useComputed(() => row.kind === 'problem' && panel.transcript.isSentAgain(row.key)).value;
  const view = panel.transcript.view(row.seqs.at(-1) ?? row.key)?.value;
  if (view === undefined) return null;
  const { entry } = view;
  const mine = entry.kind === 'message' && entry.message.role === 'ROLE_USER';
  const mark = panel.mark(row.taskId);
  const agent = visibleName(panel.state.value?.agent ?? '');
  const text = panel.texts.whole(row);
  const { card } = row;
  if (isOver && card === undefined) return null;
  const chip = mark !== undefined && (card === undefined ? row.newTask : card.first);
  // Its text is shown with the status that ended the progress, or it has ended without a text.
  const empty = text === '' || isOver || isEmpty(panel, row, view);
  if (empty && !row.newSpeaker && !chip && card?.last !== true && !panel.marks.value.has(row.key)) return null;
  const speaker = row.newSpeaker && (
    <div class="speaker">
      {entry.kind !== 'problem' && <span class="speaker-name one-line">{agent}</span>}
      <EntryTime entry={entry} />
      {entry.kind === 'message' && <KeptMark row={row} exchangeId={entry.exchangeId} />}
    </div>
  );
  const place = card === undefined ? '' : `carded ${card.first ? 'card-first' : ''} ${card.last ? 'card-last' : ''}`;
  return (
    <article
      ref={article}
      tabIndex={-1}
      class={`row row-${row.kind} ${place} ${mine ? 'mine' : ''} ${mark === undefined ? '' : `task-${mark.color}`}`}
      data-row={row.key}
      aria-label={mine ? t('You') : agent}
    >
      {card !== undefined && speaker}
      <div class="row-main">
        {card === undefined && speaker}
        {chip &&
          (card === undefined ? (
            <TaskChip taskId={row.taskId ?? ''} number={mark.number} titled={!mine} />
          ) : (
            <TaskCardHead row={row} number={mark.number} />
          ))}
        {!empty && <Content row={row} view={view} />}
        <FindingsMark row={row} />
        {!mine && entry.kind !== 'artifact' && entry.kind !== 'problem' && !empty && <Tools view={view} text={text} />}
      </div>
    </article>
  );
}

/** True for rows that are not drawn: a repeated problem, ended progress without a text, and in a card a state that its head shows. */
function isEmpty({ transcript, texts }: Panel, row: Row, { entry, parts }: EntryView): boolean {
  if (entry.kind === 'problem') return transcript.isRepeated(entry.seq);
  if (row.kind === 'progress') return !row.current && row.seqs.every(seq => transcript.view(seq)?.peek().parts.length === 0);
  if (row.card === undefined || entry.kind !== 'status' || parts.length > 0) return false;
  return (
    statePresentation(entry.state).tone !== 'ask' && entry.state !== 'LOST' && (row.ends === undefined || texts.endOf(row) === undefined)
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
  const known = useTaskTitle(taskId);
  const title = titled ? known : '';
  return (
    <div class="task-chip" title={visibleName(taskId)}>
      <span class="task-number">{t('Task {0}', number)}</span>
      {title !== '' && <span class="task-title one-line">{title}</span>}
    </div>
  );
}

function GapRow({ entry }: { readonly entry: GapEntry }): JSX.Element {
  const panel = usePanel();
  const { taskId } = entry;
  return (
    <div class="gap">
      <span class="gap-words">
        <Icon name="debug-disconnect" /> {localized(entry.reason)}
      </span>
      {taskId !== undefined && (
        <TextButton class="quiet" icon="refresh" onClick={() => void panel.ask('refreshTask', { taskId })}>
          {t('Refresh Task')}
        </TextButton>
      )}
    </div>
  );
}

/** The top of the card of a task that runs beside others: number, title, state and how long it took or takes. */
function TaskCardHead({ row, number }: { readonly row: Row; readonly number: number }): JSX.Element {
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
function useTaskTitle(taskId: string | undefined): string {
  const tasks = usePanel().state.value?.tasks ?? [];
  return visibleName(tasks.find(task => task.taskId === taskId)?.title ?? '', 80);
}
