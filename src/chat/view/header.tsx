import type { JSX } from 'preact';
import { useState, useRef } from 'preact/hooks';
import { CardGlance } from '../widgets/cardGlance.tsx';
import { Icon, IconButton } from '../widgets/button.tsx';
import { ConnectionLine } from '../widgets/connectionLine.tsx';
import type { ChatState } from '../host/chatState.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import type { Tab } from '../host/tab.ts';

function reachabilityWord(reachability: ChatState['reachability']): string {
  switch (reachability) {
    case 'unknown':
      return t('not checked');
    case 'checking':
      return t('checking…');
    case 'reachable':
      return t('reachable');
    case 'unreachable':
      return t('unreachable');
    case 'not-configured':
      return t('not configured');
  }
}

export function Header({ state }: { readonly state: ChatState }): JSX.Element {
  const panel = usePanel();
  const tasks = state.taskCount;
  const title = visibleName(state.title);
  // An empty transcript shows the card itself.
  const hasRows = panel.rows.value.length > 0;
  const [isGlancing, setGlancing] = useState(false);
  // An icon alone needs no line of its own: it stands beside the agent's state.
  const isQuiet = state.preferred === true;
  return (
    <header class="header">
      <div class="column header-lines">
        <div class="header-line">
          <h1 class="header-agent one-line">{visibleName(state.agent)}</h1>
          <span class={`reachability reachability-${state.reachability}`}>
            <span class="dot" aria-hidden="true" />
            {[state.recorded === true ? t('recording') : reachabilityWord(state.reachability), state.checked].filter(Boolean).join(' · ')}
          </span>
          {isQuiet && <Interface state={state} />}
          {state.unchecked === true && (
            <span class="header-unchecked" title={t('Anyone between you and the agent can read and change what is sent.')}>
              <Icon name="warning" />
              {t('certificate not checked')}
            </span>
          )}
          {title !== '' && (
            <span class="header-title one-line" title={title}>
              {title}
            </span>
          )}
          {tasks > 1 && <span class="muted header-tasks">{t('{0} tasks', tasks)}</span>}
        </div>
        <div class="header-line header-choices">
          {!isQuiet && <Interface state={state} />}
          <Extensions state={state} />
          <Tabs />
          {hasRows && (
            <IconButton icon="info" label={t('Agent Card at a Glance')} expanded={isGlancing} onClick={() => setGlancing(!isGlancing)} />
          )}
          <IconButton
            class="find-button"
            icon="search"
            label={t('Find in Conversation ({0})', findKeys())}
            onClick={() => {
              panel.findWanted.value++;
            }}
          />
        </div>
        {hasRows && isGlancing && <CardGlance state={state} />}
        <ConnectionLine state={state} />
      </div>
    </header>
  );
}

const findKeys = (): string => (navigator.userAgent.includes('Mac OS') ? '⌘F' : 'Ctrl+F');

/** The interface in use and why, in a tooltip where it is the card's first; a press lets the person choose another. */
function Interface({ state }: { readonly state: ChatState }): JSX.Element | null {
  const panel = usePanel();
  if (state.interface === undefined) return null;
  const words = (
    <span class="header-interface one-line" title={visibleName(state.interface, 1000)}>
      {state.preferred === true ? <Icon name="plug" /> : visibleName(state.interface, 300)}
    </span>
  );
  if (!state.configured) return words;
  return (
    <button
      type="button"
      class="choice"
      aria-label={t('{0} Choose Another Interface', visibleName(state.interface, 300))}
      onClick={() => void panel.ask('chooseInterface', null)}
    >
      {words}
      <Icon name="chevron-down" />
    </button>
  );
}

/** Protocol extensions that are on, or required by the agent and off; nothing where the agent has none. */
function Extensions({ state }: { readonly state: ChatState }): JSX.Element | null {
  const panel = usePanel();
  const { known, on, missing } = state.extensions;
  if (known === 0 || !state.configured) return null;
  const words =
    missing.length > 0
      ? t('Required extension is off')
      : on === 0
        ? t('Extensions off')
        : on === 1
          ? t('1 extension on')
          : t('{0} extensions on', on);
  return (
    <button
      type="button"
      class={`choice extensions ${missing.length > 0 ? 'missing' : ''}`}
      title={t('Choose Extensions')}
      onClick={() => void panel.ask('chooseExtensions', null)}
    >
      <Icon name={missing.length > 0 ? 'warning' : 'extensions'} />
      {words}
    </button>
  );
}

/**
 * To add one: a row here and its view in `app.tsx`.
 */
const tabs: readonly Tab[] = ['chat', 'tasks', 'wire'];

function word(tab: Tab): string {
  switch (tab) {
    case 'chat':
      return t('Conversation');
    case 'tasks':
      return t('Tasks');
    case 'wire':
      return t('Wire');
  }
}

/** The tab list; arrow keys move between tabs. */
function Tabs(): JSX.Element {
  const panel = usePanel();
  const list = useRef<HTMLDivElement>(null);
  const chosen = panel.tab.value;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step === undefined ? undefined : tabs[(tabs.indexOf(chosen) + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    panel.tab.value = next;
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={t('Views')} ref={list} onKeyDown={onKeyDown}>
      {tabs.map(tab => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-controls={tab === chosen ? `panel-${tab}` : undefined}
          aria-selected={tab === chosen}
          tabIndex={tab === chosen ? 0 : -1}
          class="tab"
          onClick={() => {
            panel.tab.value = tab;
          }}
        >
          {word(tab)}
        </button>
      ))}
    </div>
  );
}
