import type { JSX } from 'preact';
import { Boundary, Undrawn } from '../widgets/boundary.tsx';
import { TextButton } from '../widgets/button.tsx';
import { Composer } from '../compose/composerView.tsx';
import { Header } from './header.tsx';
import type { Panel } from '../panel/panel.ts';
import { PanelContext, usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { TasksView } from '../tasks/tasksView.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { TranscriptView } from './transcriptView.tsx';
import { WireView } from '../wire/wireView.tsx';

export function App({ panel }: { readonly panel: Panel }): JSX.Element {
  return (
    <PanelContext.Provider value={panel}>
      <Page />
    </PanelContext.Provider>
  );
}

function Page(): JSX.Element | null {
  const panel = usePanel();
  const state = panel.state.value;
  if (state === undefined) return <Loading />;
  return (
    <main class="page">
      <Header state={state} />
      {panel.tab.value === 'wire' && (
        <Boundary key="wire" instead={() => <Undrawn />}>
          <WireView />
        </Boundary>
      )}
      {panel.tab.value === 'tasks' && (
        <Boundary key="tasks" instead={() => <Undrawn />}>
          <TasksView />
        </Boundary>
      )}
      <Boundary key="chat" instead={() => <Undrawn />}>
        <TranscriptView hidden={panel.tab.value !== 'chat'} />
      </Boundary>
      {panel.tab.value === 'chat' && (
        <Boundary key="timeline" instead={() => null}>
          <Timeline />
        </Boundary>
      )}
      <Composer state={state} />
      <Announcer />
    </main>
  );
}

/** Nothing while the host's answer is awaited, which is short; the error where it failed. */
function Loading(): JSX.Element | null {
  const panel = usePanel();
  const failure = panel.failure.value;
  if (failure === undefined) return null;
  return (
    <main class="page loading-failed">
      <p role="alert">{failure.message}</p>
      {failure.nextStep !== undefined && <p class="muted">{failure.nextStep}</p>}
      <TextButton class="primary" onClick={() => void panel.load()}>
        {t('Try Again')}
      </TextButton>
    </main>
  );
}

/** Announcements for screen readers in whole sentences; the transcript is not a live region, since it changes with every token. */
function Announcer(): JSX.Element {
  const sentences = usePanel().spoken.value;
  return (
    <div class="announcer" role="status" aria-live="polite">
      {sentences.map((sentence, index) => (
        <p key={index}>{sentence}</p>
      ))}
    </div>
  );
}
