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
  const panel = usePanel();
  const { finder } = panel;
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
        <button
          type="button"
          class="icon-button toggle"
          aria-pressed={query.matchCase}
          title={t('Match Case')}
          aria-label={t('Match Case')}
          onClick={() => finder.look({ matchCase: !query.matchCase })}
        >
          <span class="codicon codicon-case-sensitive" aria-hidden="true" />
        </button>
      </div>
      <span class="find-count" role="status">
        {countOf(finder)}
      </span>
      {finder.undrawn.value !== undefined && <OpenAtLine at={finder.undrawn.value} open={at => void panel.ask('openPart', at)} />}
      <IconButton icon="arrow-up" label={t('Previous Match (Shift+Enter)')} disabled={nothing} onClick={() => onStep(-1)} />
      <IconButton icon="arrow-down" label={t('Next Match (Enter)')} disabled={nothing} onClick={() => onStep(1)} />
      <IconButton icon="close" label={t('Close (Escape)')} onClick={onClose} />
    </div>
  );
}

type Place = NonNullable<Finder['undrawn']['value']>;

/** Leads to an occurrence in a part of a text that is not drawn. */
const OpenAtLine = ({
  at: { seq, part, line },
  open,
}: {
  readonly at: Place;
  readonly open: (at: { readonly seq: number; readonly part: number; readonly line: number }) => void;
}): JSX.Element => (
  <TextButton class="quiet" icon="go-to-file" onClick={() => open({ seq, part, line })}>
    {t('Open at Line {0}', line)}
  </TextButton>
);

function countOf({ query, total, position, searching, cut }: Finder): string {
  if (query.value === undefined || query.value.text.trim() === '') return '';
  if (total.value === 0) return searching.value ? t('Looking…') : t('No results');
  return t('{0} of {1}', position.value ?? '?', `${total.value}${cut.value ? '+' : ''}`);
}
