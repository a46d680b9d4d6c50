import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { maxFindLength } from '../host/limits.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import { Icon, IconButton } from '../widgets/button.tsx';
import { Menu } from '../widgets/menu.tsx';
import { noFilter, type WireFilter, type WireKind, wireKinds } from './wireRows.ts';

interface WireToolsProps {
  readonly filter: WireFilter;
  readonly onFilter: (filter: WireFilter) => void;
  /** Number of rows that the filter lets through, folded ones with them: their numbers stand in the first column. */
  readonly shown: number;
  /** False where older exchanges or further events are not read yet. */
  readonly isAll: boolean;
  /** Moves the focus from the filter into the table. */
  readonly onLeave: () => void;
  /** Number of exchanges of the chosen rows. */
  readonly chosen: number;
  readonly onExport: (which: 'all' | 'chosen') => void;
}

/** Filter and export. */
export function WireTools({ filter, onFilter, shown, isAll, onLeave, chosen, onExport }: WireToolsProps): JSX.Element {
  const { wire } = usePanel();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    let begun = false;
    const stop = wire.filterWanted.subscribe(() => {
      // A signal calls a new subscriber at once.
      if (begun) box.current?.select();
    });
    begun = true;
    return stop;
  }, []);
  return (
    <div class="wire-tools" role="search" aria-label={t('Filter')}>
      <input
        ref={box}
        class="input wire-filter"
        type="text"
        value={filter.text}
        maxLength={maxFindLength}
        placeholder={t('Filter by text, type or address')}
        aria-label={t('Filter')}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onFilter({ ...filter, text: currentTarget.value })}
        onKeyDown={event => {
          // While an input method (IME) composes, it handles these keys.
          if (event.isComposing || event.keyCode === 229) return;
          if (event.key === 'Escape') onFilter(noFilter);
          if (!['Escape', 'Enter', 'ArrowDown'].includes(event.key)) return;
          event.preventDefault();
          onLeave();
        }}
      />
      <select
        class="input wire-kinds"
        aria-label={t('Type')}
        value={filter.kind ?? ''}
        onChange={({ currentTarget: { value } }) => onFilter({ ...filter, kind: wireKinds.find(kind => kind === value) })}
      >
        <option value="">{t('All types')}</option>
        {wireKinds.map(kind => (
          <option key={kind} value={kind}>
            {kindWord(kind)}
          </option>
        ))}
      </select>
      <IconButton
        icon="warning"
        label={t('Only with Protocol Findings')}
        pressed={filter.findings}
        onClick={() => onFilter({ ...filter, findings: !filter.findings })}
      />
      <span class="muted wire-shown" role="status">
        {isAll ? (shown === 1 ? t('1 row') : t('{0} rows', shown)) : t('{0}+ rows', shown)}
      </span>
      <Menu
        class="icon-button"
        label={t('Export as HAR…')}
        items={() => [
          ...(chosen === 0
            ? []
            : [
                {
                  label: chosen === 1 ? t('Export This Exchange…') : t('Export {0} Selected Exchanges…', chosen),
                  icon: 'list-selection',
                  onPick: () => onExport('chosen'),
                },
              ]),
          { label: t('Export All of This Context…'), icon: 'export', onPick: () => onExport('all') },
        ]}
      >
        <Icon name="export" />
      </Menu>
    </div>
  );
}

function kindWord(kind: WireKind): string {
  switch (kind) {
    case 'request':
      return t('Requests');
    case 'answer':
      return t('Answers');
    case 'end':
      return t('Ends of streams');
    case 'task':
      return t('task');
    case 'status':
      return t('status');
    case 'artifact':
      return t('artifact');
    case 'message':
      return t('message');
    case 'error':
      return t('error');
  }
}
