import type { JSX } from 'preact';
import { usePanel } from '../panel/panelContext.ts';
import { replaySpeeds } from '../panel/replayer.ts';
import { t } from '../text/strings.ts';
import { IconButton } from '../widgets/button.tsx';

/** Steps through a stream that is over; what is shown in the conversation and on the wire follows. */
export function ReplayBar(): JSX.Element | null {
  const { replay } = usePanel();
  const state = replay.state.value;
  if (state === undefined) return null;
  const { position, total, playing, speed } = state;
  return (
    <div
      class="replay-bar"
      role="toolbar"
      aria-label={t('Step Through the Stream')}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        void replay.close();
      }}
    >
      <IconButton icon="debug-step-back" label={t('Previous Event')} disabled={position === 0} onClick={() => void replay.step(-1)} />
      {playing ? (
        <IconButton icon="debug-pause" label={t('Pause')} onClick={() => replay.pause()} />
      ) : (
        <IconButton icon="play" label={t('Play')} onClick={() => void replay.play()} />
      )}
      <IconButton icon="debug-step-over" label={t('Next Event')} disabled={position >= total} onClick={() => void replay.step(1)} />
      <input
        type="range"
        class="replay-place"
        min={0}
        max={total}
        value={position}
        aria-label={t('Event')}
        onInput={({ currentTarget }) => {
          replay.pause();
          void replay.goTo(Number(currentTarget.value));
        }}
      />
      <span class="muted replay-count" role="status">
        {t('Event {0} of {1}', position, total)}
      </span>
      <select
        class="input replay-speed"
        aria-label={t('Speed')}
        value={String(speed)}
        onChange={({ currentTarget }) => {
          replay.speed = Number(currentTarget.value);
        }}
      >
        {replaySpeeds.map(each => (
          <option key={each} value={String(each)}>
            {each} ×
          </option>
        ))}
      </select>
      <IconButton icon="close" label={t('Close (Escape)')} onClick={() => void replay.close()} />
    </div>
  );
}
