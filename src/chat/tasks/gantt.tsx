import type { JSX } from 'preact';
import type { ShownTask } from '../host/taskGraphMessages.ts';
import { language, usePanel } from '../panel/panelContext.ts';
import { durationText, exactTime, secondsTime } from '../text/measures.ts';
import { statePresentation, stateWord } from '../text/statePresentation.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import { useSeconds } from '../widgets/connectionLine.tsx';
import { type Span, spansOf, workOf } from './taskSpans.ts';
import { type AxisPiece, axisOf, momentsOf, placeOn } from './timeAxis.ts';

/** Maximum number of tasks, the newest: a row each. */
const maxRows = 100;
/** Minimum distance between two times of day on the axis, in percent; pieces narrower than this have none. */
const apart = 25;

/** The context's own tasks on one axis of time: a bar each, in the colors of its states. A press leads to the conversation. */
export function Gantt({ tasks }: { readonly tasks: readonly ShownTask[] }): JSX.Element | null {
  const timed = tasks.filter(({ states }) => states !== undefined && states.length > 0).slice(-maxRows);
  const live = timed.some(({ state }) => statePresentation(state).tone === 'quiet' && state !== 'TASK_STATE_CANCELED');
  useSeconds(live);
  if (timed.length === 0) return null;
  const rows = timed.map(task => ({ task, spans: spansOf(task, Date.now()) }));
  const axis = axisOf(rows.flatMap(({ spans }) => workOf(spans)));
  return (
    <div class="gantt">
      <div class="gantt-axis" aria-hidden="true">
        <span />
        <span class="gantt-track">
          {axis.map(piece => (
            <Tick key={piece.from} piece={piece} />
          ))}
        </span>
        <span />
      </div>
      <ol aria-label={t('Task times')}>
        {rows.map(({ task, spans }) => (
          <Bar key={task.taskId} task={task} spans={spans} axis={axis} />
        ))}
      </ol>
    </div>
  );
}

function Tick({ piece }: { readonly piece: AxisPiece }): JSX.Element {
  const { from, to, start, width, folded } = piece;
  if (folded)
    return <span class="gantt-fold" style={{ left: `${start}%`, width: `${width}%` }} title={t('Idle for {0}', durationText(to - from))} />;
  return (
    <>
      {momentsOf(piece, apart).map(at => (
        <span key={at} class="gantt-tick" title={exactTime(at, language())} style={{ left: `${placeOn([piece], at)}%` }}>
          {secondsTime(at, language())}
        </span>
      ))}
    </>
  );
}

interface BarProps {
  readonly task: ShownTask;
  readonly spans: readonly Span[];
  readonly axis: readonly AxisPiece[];
}

function Bar({ task, spans, axis }: BarProps): JSX.Element {
  const panel = usePanel();
  const mark = panel.mark(task.taskId);
  const { seq, createdAt } = task;
  const number = mark === undefined ? t('Task') : t('Task {0}', mark.number);
  const title = visibleName(task.title, 120) || visibleName(task.taskId, 120);
  // With one known state, or without a start, it is not known how long it took.
  const ms = createdAt === undefined ? 0 : spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const lines = spans.map(({ state, from, to }) => t('{0}: {1}', stateWord(state), durationText(to - from)));
  return (
    <li class={mark === undefined ? '' : `task-${mark.color}`}>
      <button
        type="button"
        class="gantt-row"
        title={[title, ...lines].join('\n')}
        aria-disabled={seq === undefined}
        onClick={() => seq !== undefined && void panel.reveal(seq)}
      >
        <span class="gantt-name">
          <span class="task-number">{number}</span>
          <span class="gantt-title one-line">{title}</span>
        </span>
        <span class="gantt-track">
          {axis.map(
            piece =>
              piece.folded && <span key={piece.from} class="gantt-fold" style={{ left: `${piece.start}%`, width: `${piece.width}%` }} />,
          )}
          {spans.map(({ state, from, to }, index) => {
            const left = placeOn(axis, from);
            return (
              <span
                key={index}
                class={`gantt-span tone-${statePresentation(state).tone}`}
                style={{ left: `${left}%`, width: `${placeOn(axis, to) - left}%` }}
              />
            );
          })}
        </span>
        <span class={`gantt-facts one-line tone-${statePresentation(task.state).tone}`}>
          <span class="gantt-state">
            {stateWord(task.state)}
            {ms > 0 && ' · '}
          </span>
          {ms > 0 && durationText(ms)}
        </span>
      </button>
    </li>
  );
}
