import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { usePanel } from '../panelContext.ts';
import { t } from '../strings.ts';

/** What the panel shows of its context: what was said, or what went over the wire. */
export type Tab = 'chat' | 'wire';

const tabs: readonly Tab[] = ['chat', 'wire'];
const word = (tab: Tab): string => (tab === 'chat' ? t('Conversation') : t('Wire'));

/** The switch between the two; arrow keys go from one to the other. */
export function Tabs(): JSX.Element {
  const panel = usePanel();
  const list = useRef<HTMLDivElement>(null);
  const chosen = panel.tab.value;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const next = chosen === 'chat' ? 'wire' : 'chat';
    panel.tab.value = next;
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={t('What is shown')} ref={list} onKeyDown={onKeyDown}>
      {tabs.map(tab => (
        <button key={tab} type="button" role="tab" id={`tab-${tab}`} aria-controls={tab === chosen ? `panel-${tab}` : undefined} aria-selected={tab === chosen} tabIndex={tab === chosen ? 0 : -1} class="tab" onClick={() => { panel.tab.value = tab; }}>
          {word(tab)}
        </button>
      ))}
    </div>
  );
}
