import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StatusEntry } from '../../protocol/transcript.ts';
import { TextButton, Icon } from '../button.tsx';
import { elapsed, exactTime, percent } from '../measures.ts';
import { language, usePanel } from '../panelContext.ts';
import type { Row } from '../rows.ts';
import { stateWord } from '../stateLooks.ts';
import { t } from '../strings.ts';
import type { EntryView } from '../transcript.ts';
import { Parts } from './parts.tsx';

/** Longer words than a line are a message, shown as one. */
const oneLine = 160;

/** A run of working states as one quiet line: the newest words, the others on demand. */
export function ProgressRow({ row }: { readonly row: Row }): JSX.Element | null {
  const panel = usePanel();
  const [open, setOpen] = useState(false);
  const newest = panel.transcript.view(row.seqs.at(-1) ?? row.key)?.value;
  if (newest?.entry.kind !== 'status') return null;
  const live = row.current && panel.state.value?.running === true;
  const earlier = row.seqs.slice(0, -1);
  return (
    <div class="progress">
      {open && earlier.map(seq => <Earlier key={seq} seq={seq} />)}
      <div class="state tone-quiet" title={exactTime(newest.entry.at, language())}>
        <Icon name={live ? 'loading' : 'circle-small-filled'} spin={live} />
        <Words view={newest} entry={newest.entry} />
        <Percent entry={newest.entry} />
        {live && row.since !== undefined && <Elapsed since={row.since} />}
        {earlier.length > 0 && (
          <TextButton class="quiet" icon={open ? 'chevron-down' : 'chevron-right'} expanded={open} onClick={() => setOpen(!open)}>
            {earlier.length === 1 ? t('1 earlier') : t('{0} earlier', earlier.length)}
          </TextButton>
        )}
      </div>
    </div>
  );
}

function Earlier({ seq }: { readonly seq: number }): JSX.Element | null {
  const view = usePanel().transcript.view(seq)?.value;
  if (view?.entry.kind !== 'status') return null;
  return (
    <div class="state tone-quiet earlier" title={exactTime(view.entry.at, language())}>
      <Icon name="circle-small-filled" />
      <Words view={view} entry={view.entry} />
      <Percent entry={view.entry} />
    </div>
  );
}

function Words({ view, entry }: { readonly view: EntryView; readonly entry: StatusEntry }): JSX.Element {
  const [first, ...others] = view.parts;
  const text = first?.kind === 'text' ? first.text.toString().trim() : '';
  if (first === undefined) return <span class="state-word">{stateWord(entry.state)}</span>;
  if (others.length === 0 && first.kind === 'text' && text.length <= oneLine && !text.includes('\n')) return <span class="words">{text}</span>;
  return <Parts view={view} finished />;
}

function Percent({ entry }: { readonly entry: StatusEntry }): JSX.Element | null {
  const told = percent(entry.metadata?.['progress']);
  return told === undefined ? null : <span class="percent">· {told}</span>;
}

/** Time since the user spoke, once a second. */
function Elapsed({ since }: { readonly since: number }): JSX.Element {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span class="muted ticking">{elapsed(Math.floor((now - since) / 1000) * 1000).replace(/[.,]0/, '')}</span>;
}
