import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import type { Tab } from '../host/tab.ts';

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
export function Tabs(): JSX.Element {
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
