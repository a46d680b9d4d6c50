import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { StatusEntry } from '../../protocol/message/transcript.ts';
import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { TextButton, Icon } from '../widgets/button.tsx';
import { lastHeard, useSeconds } from '../widgets/connectionLine.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { percent } from '../text/measures.ts';
import type { ShownConnection } from '../host/chatState.ts';
import { usePanel } from '../panel/panelContext.ts';
import type { Row } from '../transcript/rows.ts';
import { stateWord } from '../text/statePresentation.ts';
import type { ShownText } from '../transcript/statusWords.ts';
import { t } from '../text/strings.ts';
import type { EntryView } from '../transcript/transcript.ts';
import { exactTimeOf, TimeSince } from './entryTime.tsx';
import { Parts } from './parts.tsx';

/** A longer text than this, in characters, is shown as a message. */
const oneLine = 160;

/** Adjacent lines of progress, or one text that arrived in pieces. */
type Group = { readonly lines: readonly number[] } | { readonly text: ShownText };

/** A run of "working" statuses: pieces of one text joined; lines of progress with the newest shown and the others on demand. */
export function ProgressRow({ row }: { readonly row: Row }): JSX.Element | null {
  const panel = usePanel();
  const newest = panel.transcript.view(row.seqs.at(-1) ?? row.key)?.value;
  if (newest?.entry.kind !== 'status') return null;
  const live = row.current && panel.state.value?.running === true;
  const isSilent = (seq: number): boolean => panel.transcript.view(seq)?.peek().parts.length === 0;
  // What is over keeps no state without words.
  const groups = groupsOf(
    panel.texts.of(row).filter(({ keys }) => row.current || !isSilent(keys.at(-1) ?? 0)),
    isSilent,
  );
  const last = groups.at(-1);
  return (
    <div class="progress">
      {groups.map(group =>
        'text' in group ? (
          <Markdown key={group.text.keys[0]} text={group.text.block!} length={group.text.text.length} finished={!live || group !== last} />
        ) : (
          <Lines key={group.lines[0]} seqs={group.lines} live={group === last && live ? row : undefined} steps={row.card !== undefined} />
        ),
      )}
      {live && last !== undefined && 'text' in last && (
        <div class="state tone-quiet" title={exactTimeOf(newest.entry)}>
          <LiveIcon taskId={row.taskId} />
          <span class="state-word">{stateWord(newest.entry.state)}</span>
          <Percent entry={newest.entry} />
          <LiveTime taskId={row.taskId} since={row.since} />
        </div>
      )}
    </div>
  );
}

/** Statuses without text are ignored once a text has begun. */
function groupsOf(texts: readonly ShownText[], isSilent: (seq: number) => boolean): readonly Group[] {
  const groups: Group[] = [];
  const lines: number[] = [];
  const flush = (): void => {
    if (lines.length > 0) groups.push({ lines: lines.splice(0) });
  };
  for (const text of texts) {
    if (text.isJoined) {
      if (lines.every(isSilent)) lines.length = 0;
      flush();
      groups.push({ text });
    } else lines.push(text.keys.at(-1) ?? 0);
  }
  flush();
  return groups;
}

interface LinesProps {
  readonly seqs: readonly number[];
  readonly live: Row | undefined;
  /** In a card they are its steps, which stand aside once it is over. */
  readonly steps: boolean;
}

/** Lines of progress: the newest is shown, the others on demand. */
function Lines({ seqs, live, steps }: LinesProps): JSX.Element | null {
  const [open, setOpen] = useState(false);
  const newest = usePanel().transcript.view(seqs.at(-1) ?? 0)?.value;
  if (newest?.entry.kind !== 'status') return null;
  const earlier = seqs.slice(0, -1);
  const label = steps ? t('{0} Steps', seqs.length) : earlier.length === 1 ? t('1 Earlier') : t('{0} Earlier', earlier.length);
  const toggle = earlier.length > 0 && (
    <TextButton class="quiet" icon={open ? 'chevron-down' : 'chevron-right'} expanded={open} onClick={() => setOpen(!open)}>
      {label}
    </TextButton>
  );
  if (steps && live === undefined && toggle !== false) {
    return (
      <>
        <div class="state tone-quiet">{toggle}</div>
        {open && seqs.map(seq => <Earlier key={seq} seq={seq} />)}
      </>
    );
  }
  return (
    <>
      {open && earlier.map(seq => <Earlier key={seq} seq={seq} />)}
      <div class="state tone-quiet" title={exactTimeOf(newest.entry)}>
        {live === undefined ? <Icon name="circle-small-filled" /> : <LiveIcon taskId={live.taskId} />}
        <Words view={newest} entry={newest.entry} />
        <Percent entry={newest.entry} />
        {live !== undefined && <LiveTime taskId={live.taskId} since={live.since} />}
        {toggle}
      </div>
    </>
  );
}

function Earlier({ seq }: { readonly seq: number }): JSX.Element | null {
  const view = usePanel().transcript.view(seq)?.value;
  if (view?.entry.kind !== 'status') return null;
  return (
    <div class="state tone-quiet earlier" title={exactTimeOf(view.entry)}>
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
  if (others.length === 0 && first.kind === 'text' && text.length <= oneLine && !text.includes('\n'))
    return (
      <span class="words" dir="auto">
        {withDirectionMarksSpelledOut(text)}
      </span>
    );
  return <Parts view={view} finished />;
}

function Percent({ entry }: { readonly entry: StatusEntry }): JSX.Element | null {
  const text = percent(entry.metadata?.['progress']);
  return text === undefined ? null : <span class="percent">· {text}</span>;
}

/** The connection to the agent works. */
const isOpen = (connection: ShownConnection | undefined): boolean =>
  connection === undefined || connection.kind === 'open' || connection.kind === 'elsewhere';

/** Spins only while the connection works: afterwards the task's progress is unknown. */
function LiveIcon({ taskId }: { readonly taskId: string | undefined }): JSX.Element {
  const connection = usePanel().connections.of(taskId);
  const open = isOpen(connection);
  // Without its stream the task may be dead: nothing has shown progress since.
  const isPolled = connection?.polled === true && connection.reason !== undefined;
  const icon = isPolled || connection?.kind === 'quiet' ? 'watch' : open ? 'loading' : 'debug-disconnect';
  return <Icon name={icon} spin={icon === 'loading'} />;
}

/** Time since the user's message, or since the last sign of the agent where that is long ago. Updated once a second. */
function LiveTime({ taskId, since }: { readonly taskId: string | undefined; readonly since: number | undefined }): JSX.Element | null {
  const { connections } = usePanel();
  const connection = connections.of(taskId);
  useSeconds(true);
  if (connection !== undefined && !isOpen(connection))
    return connection.lasts === undefined ? null : <span class="muted ticking">{lastHeard(connection, connections.age)}</span>;
  return since === undefined ? null : <TimeSince at={since} />;
}
