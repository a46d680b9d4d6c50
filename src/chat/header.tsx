import type { JSX } from 'preact';
import type { ChatState } from './messages.ts';
import { usePanel } from './panelContext.ts';
import { t } from './strings.ts';
import { visibleName } from './visible.ts';

function reachabilityWord(reachability: ChatState['reachability']): string {
  switch (reachability) {
    case 'unknown': return t('not checked');
    case 'checking': return t('checking…');
    case 'reachable': return t('reachable');
    case 'unreachable': return t('unreachable');
  }
}

export function Header({ state }: { readonly state: ChatState }): JSX.Element {
  const tasks = usePanel().state.value?.tasks.length ?? 0;
  const title = visibleName(state.title);
  return (
    <header class="header">
      <div class="column header-lines">
        <div class="header-line">
          <h1 class="header-agent">{visibleName(state.agent)}</h1>
          <span class={`reachability reachability-${state.reachability}`}><span class="dot" aria-hidden="true" />{reachabilityWord(state.reachability)}</span>
          {title !== '' && <span class="header-title" title={title}>{title}</span>}
          {tasks > 1 && <span class="muted header-tasks">{t('{0} tasks', tasks)}</span>}
        </div>
        {state.interface !== undefined && <div class="header-interface" title={visibleName(state.interface, 1000)}>{visibleName(state.interface, 300)}</div>}
      </div>
    </header>
  );
}
