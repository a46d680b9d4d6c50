import type { JSX } from 'preact';
import { ErrorBoundary, RenderFailure } from '../widgets/errorBoundary.tsx';
import { TextButton } from '../widgets/button.tsx';
import { Composer, FailureLine } from '../compose/composerView.tsx';
import { Header } from './header.tsx';
import type { Panel } from '../panel/panel.ts';
import { ContentContext, PanelContext, usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { ReplayBar } from './replayBar.tsx';
import { TasksView } from '../tasks/tasksView.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { WireView } from '../wire/wireView.tsx';
import { TranscriptView } from './transcriptView.tsx';

export function App({ panel }: { readonly panel: Panel }): JSX.Element {
  return (
    <PanelContext.Provider value={panel}>
      <ContentContext.Provider value={panel}>
        <Page />
      </ContentContext.Provider>
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
      <ReplayBar />
      {panel.tab.value === 'wire' && (
        <ErrorBoundary key="wire" instead={() => <RenderFailure />}>
          <WireView />
        </ErrorBoundary>
      )}
      {panel.tab.value === 'tasks' && (
        <ErrorBoundary key="tasks" instead={() => <RenderFailure />}>
          <TasksView />
        </ErrorBoundary>
      )}
      <ErrorBoundary key="chat" instead={() => <RenderFailure />}>
        <TranscriptView hidden={panel.tab.value !== 'chat'} />
      </ErrorBoundary>
      {panel.tab.value === 'chat' && (
        <ErrorBoundary key="timeline" instead={() => null}>
          <Timeline />
        </ErrorBoundary>
      )}
      {state.recorded === true ? <FailureLine /> : <Composer state={state} />}
      <Announcer />
    </main>
  );
}

/** Empty while the host's answer is awaited, which is short; the error where it failed. */
function Loading(): JSX.Element | null {
  const panel = usePanel();
  const failure = panel.host.failure.value;
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
  const sentences = usePanel().announced.value;
  return (
    <div class="spoken" role="status" aria-live="polite">
      {sentences.map((sentence, index) => (
        <p key={index}>{sentence}</p>
      ))}
    </div>
  );
}
