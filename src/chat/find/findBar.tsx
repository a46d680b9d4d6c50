import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton, TextButton } from '../widgets/button.tsx';
import { maxFindLength } from '../host/limits.ts';
import { usePanel } from '../panel/panelContext.ts';
import { t } from '../text/strings.ts';
import type { Finder } from '../panel/finder.ts';

interface FindBarProps {
  /** Shows the next occurrence (1) or the previous one (-1). */
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

/** The find bar, with the keyboard shortcuts of VS Code's. */
export function FindBar({ onStep, onClose }: FindBarProps): JSX.Element | null {
  const { finder } = usePanel();
  const box = useRef<HTMLInputElement>(null);
  const query = finder.query.value;
  useEffect(
    () =>
      finder.focusWanted.subscribe(wishes => {
        if (wishes === 0) return;
        box.current?.focus();
        box.current?.select();
      }),
    [query === undefined],
  );
  if (query === undefined) return null;
  const nothing = finder.total.value === 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = `${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.key}`;
    const act = {
      Enter: () => onStep(1),
      'Shift+Enter': () => onStep(-1),
      Escape: onClose,
      'Alt+c': () => finder.look({ matchCase: !query.matchCase }),
    }[key];
    // While an input method (IME) composes, it handles Enter and Escape.
    if (act === undefined || event.isComposing || event.keyCode === 229 || (key.endsWith('Enter') && event.target !== box.current)) return;
    event.preventDefault();
    act();
  };
  return (
    <div class="find-bar" role="search" aria-label={t('Find in Conversation')} onKeyDown={onKeyDown}>
      <div class={`find-box ${nothing && !finder.searching.value && query.text.trim() !== '' ? 'nothing' : ''}`}>
        <input
          ref={box}
          type="text"
          value={query.text}
          maxLength={maxFindLength}
          placeholder={t('Find')}
          aria-label={t('Find')}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => finder.look({ text: currentTarget.value })}
        />
        <IconButton
          icon="case-sensitive"
          label={t('Match Case')}
          pressed={query.matchCase}
          onClick={() => finder.look({ matchCase: !query.matchCase })}
        />
      </div>
      <span class="find-count" role="status">
        {countOf(finder)}
      </span>
      {finder.undrawn.value !== undefined && <OpenAtLine at={finder.undrawn.value} />}
      <IconButton icon="arrow-up" label={t('Previous Match (Shift+Enter)')} disabled={nothing} onClick={() => onStep(-1)} />
      <IconButton icon="arrow-down" label={t('Next Match (Enter)')} disabled={nothing} onClick={() => onStep(1)} />
      <IconButton icon="close" label={t('Close (Escape)')} onClick={onClose} />
    </div>
  );
}

/** Leads to an occurrence in a part of a text that is not drawn. */
function OpenAtLine({ at: { seq, part, line } }: { readonly at: NonNullable<Finder['undrawn']['value']> }): JSX.Element {
  const panel = usePanel();
  return (
    <TextButton class="quiet" icon="go-to-file" onClick={() => void panel.ask('openPart', { seq, part, line })}>
      {t('Open at Line {0}', line)}
    </TextButton>
  );
}

function countOf({ query, total, position, searching, cut }: Finder): string {
  if (query.value === undefined || query.value.text.trim() === '') return '';
  if (total.value === 0) return searching.value ? t('Looking…') : t('No results');
  return t('{0} of {1}', position.value ?? '?', `${total.value}${cut.value ? '+' : ''}`);
}
