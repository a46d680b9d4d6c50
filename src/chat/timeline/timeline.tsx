import type { JSX } from 'preact';
import { IconButton } from '../widgets/button.tsx';
import { byteSize, durationText } from '../text/measures.ts';
import { usePanel } from '../panel/panelContext.ts';
import { statePresentation, stateWord } from '../text/statePresentation.ts';
import { t } from '../text/strings.ts';
import { useSeconds } from '../widgets/connectionLine.tsx';
import { newestTurn, pieces, type StatePeriod, timesPerState, totalOf } from '../transcript/turn.ts';

/** Minimum time between two renders while the agent works, in milliseconds. */
const pause = 200;
/** Number of pieces of the bar. */
const fine = 60;

/**
 * The newest turn while something is under way, otherwise that of the task whose time was pressed: time spent in each state, time until the
 * agent's first response, and amount of data received.
 */
export function Timeline(): JSX.Element | null {
  const panel = usePanel();
  const past = panel.transcript.newer.value;
  const wanted = panel.timelineOf.value;
  const isShown = wanted !== undefined || panel.state.value?.running === true;
  const turn = past || !isShown ? undefined : newestTurn(panel.transcript.shapes.value, wanted);
  // Stops counting once the connection is lost.
  const kind = panel.connections.of(turn?.taskId)?.kind;
  const running = panel.state.value?.running === true && (kind === undefined || kind === 'open' || kind === 'elsewhere');
  useSeconds(running, pause);
  if (turn === undefined || turn.answers.length === 0) return null;
  const { first, periods, ended, answers } = turn;
  const now = periods.at(-1)?.to ?? (running ? Date.now() : (answers.findLast(({ untimed }) => untimed !== true)?.at ?? 0));
  const msOf = ({ from, to }: StatePeriod): number => Math.max(0, (to ?? now) - from);
  const words = ({ state, untimed }: StatePeriod, time: string): string => {
    if (untimed === true) return t('Several states: {0}', time);
    return state === undefined ? t('Waiting: {0}', time) : t('{0}: {1}', stateWord(state), time);
  };
  const { chunks, bytes } = totalOf(answers.flatMap(({ seq }) => panel.transcript.view(seq)?.peek() ?? []));
  const exchangeId = answers.findLast(answer => answer.exchangeId !== undefined)?.exchangeId;
  const facts = [
    ...(first === undefined ? [] : [t('first event after {0}', durationText(first))]),
    ...timesPerState(turn, now).map(({ state, ms }) =>
      ms === undefined ? t('{0}: {1}', stateWord(state), t('time unknown')) : t('{0} {1}', stateWord(state), durationText(ms)),
    ),
    ...(chunks > 1 ? [t('{0} chunks', chunks)] : []),
    ...(bytes > 0 ? [byteSize(bytes)] : []),
  ];
  return (
    <section class="timeline" aria-label={t('Timeline of the task')}>
      <div class="column">
        <div class="timeline-bar" aria-hidden="true">
          {pieces(periods, now, fine).map((period, index) => (
            <span key={index} class={`stretch stretch-${toneOf(period)}`} title={words(period, durationText(msOf(period)))} />
          ))}
          {ended !== undefined && <span class={`stretch-end stretch-${statePresentation(ended).tone}`} title={stateWord(ended)} />}
        </div>
        <span class="timeline-facts one-line">{facts.join(' · ')}</span>
        {exchangeId !== undefined && (
          <IconButton icon="list-selection" label={t('Show in Wire')} onClick={() => void panel.showOnWire(exchangeId)} />
        )}
        {wanted !== undefined && (
          <IconButton
            icon="close"
            label={t('Close')}
            onClick={() => {
              panel.timelineOf.value = undefined;
            }}
          />
        )}
      </div>
    </section>
  );
}

const toneOf = ({ state }: StatePeriod): string =>
  state === undefined ? 'waiting' : state === 'TASK_STATE_WORKING' ? 'working' : statePresentation(state).tone;
