import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CardGlance } from '../widgets/cardGlance.tsx';
import { ErrorBoundary } from '../widgets/errorBoundary.tsx';
import { Icon } from '../widgets/button.tsx';
import { PlainRow } from '../entries/plainRow.tsx';
import { EntryRow } from '../entries/row.tsx';
import { FindBar } from '../find/findBar.tsx';
import { useFind } from '../find/useFind.ts';
import { usePanel } from '../panel/panelContext.ts';
import type { Row } from '../transcript/rows.ts';
import { t } from '../text/strings.ts';
import { scrollWithinPanel } from '../widgets/scrollWithinPanel.ts';

/** Maximum distance from the end, in pixels, at which the transcript follows new entries. */
const nearEnd = 32;
/** Distance from the start, in pixels, at which older entries are loaded. */
const nearStart = 400;

/** Highlights a row and gives it the focus. */
function flash(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.classList.remove('revealed');
  // Reading the width forces a layout, which restarts the animation.
  void element.offsetWidth;
  element.classList.add('revealed');
  element.addEventListener('animationend', () => element.classList.remove('revealed'), { once: true });
}

/** The scrolling list of rows: follows new entries while the reader is at the end, otherwise keeps its position. */
export function TranscriptView({ hidden }: { readonly hidden: boolean }): JSX.Element {
  const panel = usePanel();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [unseen, setUnseen] = useState(false);
  const rows = panel.rows.value;
  const more = panel.transcript.more.value;
  const loading = panel.state.value?.loading === true;

  const { step, close } = useFind(panel, scroller);

  const toEnd = (): void => {
    void panel.follow();
    setUnseen(false);
    if (scroller.current !== null) scroller.current.scrollTop = scroller.current.scrollHeight;
  };

  const loadOlder = async (): Promise<void> => {
    const box = scroller.current;
    if (box === null) return;
    const fromEnd = box.scrollHeight - box.scrollTop;
    const first = panel.transcript.first;
    await panel.scrollback.loadOlder();
    if (first === panel.transcript.first) return;
    // The rows are in the DOM after the next frame; the browser's scroll anchoring does not work at the very top.
    requestAnimationFrame(() => {
      box.scrollTop = box.scrollHeight - fromEnd;
    });
  };

  const onScroll = (): void => {
    const box = scroller.current;
    if (box === null) return;
    const toGo = box.scrollHeight - box.scrollTop - box.clientHeight;
    panel.following = toGo < nearEnd && !panel.transcript.newer.peek();
    if (panel.following) setUnseen(false);
    if (toGo < nearStart && panel.transcript.newer.peek()) void panel.scrollback.loadNewer();
    if (box.scrollTop < nearStart && panel.transcript.more.peek()) void loadOlder();
  };

  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (panel.following) toEnd();
    });
    if (content.current !== null) observer.observe(content.current);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);

  useEffect(
    () =>
      panel.revealed.subscribe(wanted => {
        if (wanted === undefined) return;
        // The rows are in the DOM after the next frame; rows that were never painted have their real height only once they are near the
        // viewport.
        requestAnimationFrame(() => {
          const row = panel.texts.rowWith(wanted.seq);
          const element = row && content.current?.querySelector<HTMLElement>(`[data-row="${row.key}"]`);
          if (!element) return;
          panel.following = false;
          scrollWithinPanel(element, 'center');
          requestAnimationFrame(() => scrollWithinPanel(element, 'center'));
          flash(element);
        });
      }),
    [],
  );

  useEffect(
    () =>
      panel.arrivals.subscribe(() => {
        if (!panel.following) setUnseen(true);
      }),
    [],
  );

  return (
    <div class="transcript" hidden={hidden} id="panel-chat" role="tabpanel" aria-labelledby="tab-chat">
      <FindBar onStep={step} onClose={close} />
      <div class="scroller" ref={scroller} onScroll={onScroll} tabIndex={0} role="log" aria-live="off" aria-label={t('Transcript')}>
        <div class="column" ref={content}>
          {more && (
            <div class="older">
              {panel.scrollback.loadingOlder.value ? (
                t('Loading older entries…')
              ) : (
                <button type="button" class="text-button quiet" onClick={() => void loadOlder()}>
                  {t('Show Older Entries')}
                </button>
              )}
            </div>
          )}
          {rows.length === 0 && !loading ? <EmptyTranscript /> : rows.map(row => <Bounded key={row.key} row={row} />)}
          {loading && (
            <div class="state tone-quiet loading-tasks" role="status">
              <Icon name="loading" spin />
              <span>{t('Loading from the agent…')}</span>
            </div>
          )}
        </div>
      </div>
      {(unseen || panel.transcript.newer.value) && (
        <button type="button" class="to-end" onClick={toEnd}>
          <Icon name="arrow-down" /> {unseen ? t('New') : t('Jump to Latest')}
        </button>
      )}
    </div>
  );
}

/** Each row has a boundary of its own, so that an error in one does not affect the others. */
function Bounded({ row }: { readonly row: Row }): JSX.Element {
  return (
    <ErrorBoundary instead={retry => <PlainRow row={row} retry={retry} />}>
      <EntryRow row={row} />
    </ErrorBoundary>
  );
}

function EmptyTranscript(): JSX.Element | null {
  const state = usePanel().state.value;
  return state === undefined ? null : (
    <div class="empty">
      <Icon name="comment-discussion" />
      <CardGlance state={state} />
    </div>
  );
}
