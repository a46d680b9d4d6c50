import type { JSX } from 'preact';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { StatusEntry } from '../../protocol/message/transcript.ts';
import { Icon, TextButton } from '../widgets/button.tsx';
import { AnsweredForm, useForm } from '../forms/askedForm.tsx';
import { FormView } from '../forms/formView.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { durationText } from '../text/measures.ts';
import { usePanel } from '../panel/panelContext.ts';
import type { Row } from '../transcript/rows.ts';
import { type StateTimes, stateTimes } from '../transcript/turn.ts';
import { statePresentation, stateWord } from '../text/statePresentation.ts';
import { t, localized } from '../text/strings.ts';
import { visibleName } from '../text/visible.ts';
import type { EntryView } from '../transcript/transcript.ts';
import { exactTimeOf, tookText } from './entryTime.tsx';
import { KeptMark } from './findingsMark.tsx';
import { Parts } from './parts.tsx';
import { SignInButton } from './signInButton.tsx';

/** A status: questions and failures stand out, with the agent's message; all others are one quiet line. */
export function StatusRow({ view, entry, row }: { readonly view: EntryView; readonly entry: StatusEntry; readonly row: Row }): JSX.Element {
  const panel = usePanel();
  const { tone } = statePresentation(entry.state);
  // The head of a card shows its newest state.
  const headed = row.card?.status === entry.seq;
  // The progress text before a waiting status is its question; the text of a status may continue it.
  const end = row.ends === undefined ? undefined : panel.texts.endOf(row);
  const hasMessage = view.parts.length > 0 || end !== undefined;
  const words =
    end !== undefined && end.text !== textOf(view) ? <Markdown text={end.block!} length={end.text.length} finished /> : undefined;
  const asked = useForm(entry.seq, tone === 'ask', row.current);
  const problem = row.beside === undefined ? undefined : panel.transcript.view(row.beside)?.value.entry;
  // The box of the problem already has this text.
  if (tone === 'bad' && hasMessage && problem?.kind === 'problem' && repeats(problem.sentence, textOf(view)))
    return <StateLine entry={entry} row={row} />;
  if (entry.state === 'LOST' && !hasMessage && problem?.kind !== 'problem') {
    return (
      <section class="callout callout-bad">
        <StateLine entry={entry} row={row} />
        <div>
          {entry.withRestart
            ? t('Gone with the restart of the agent. Send a message as a new task to continue.')
            : t('The agent no longer has this task. Send a message as a new task to continue.')}
        </div>
      </section>
    );
  }
  if (tone === 'ask' || (tone === 'bad' && hasMessage)) {
    return (
      <section class={`callout callout-${tone} ${row.current ? 'current' : ''}`}>
        {!headed && <StateLine entry={entry} row={row} />}
        {words ?? (hasMessage ? <Parts view={view} finished without={asked?.part} /> : <p class="muted">{missingText(entry)}</p>)}
        {entry.state === 'TASK_STATE_AUTH_REQUIRED' && row.current && panel.state.value?.signsIn === true && (
          <div class="buttons">
            <SignInButton />
          </div>
        )}
        {asked !== undefined && (row.current ? <FormView form={asked.form} seq={entry.seq} /> : <AnsweredForm shown={asked} />)}
      </section>
    );
  }
  return (
    <>
      {words ?? (hasMessage && <Parts view={view} finished />)}
      {!headed && <StateLine entry={entry} row={row} />}
    </>
  );
}

function repeats(problem: LocalizedMessage, words = ''): boolean {
  const text = (from: string): string => from.replace(/\s+/g, ' ').trim();
  return text(words) !== '' && text(localized(problem)).includes(text(words));
}

const textOf = ({ parts: [first] }: EntryView): string | undefined => (first?.kind === 'text' ? first.text.toString() : undefined);

const missingText = (entry: StatusEntry): string =>
  entry.state === 'TASK_STATE_AUTH_REQUIRED'
    ? t('The agent requires authorization but did not say what for.')
    : t('The agent waits for input but did not say what for.');

function StateLine({ entry, row }: { readonly entry: StatusEntry; readonly row: Row }): JSX.Element {
  const { icon, tone } = statePresentation(entry.state);
  const times = timeLines(stateTimes(usePanel().transcript.shapes.peek(), entry.seq));
  return (
    <div
      class={`state tone-${tone}`}
      title={[exactTimeOf(entry), agentTimeOf(entry), ...times].filter(line => line !== undefined).join('\n')}
    >
      <Icon name={icon} />
      <span class="state-word">{stateWord(entry.state)}</span>
      {row.since !== undefined && entry.state !== 'LOST' && !entry.untimed && entry.at - row.since >= 50 && (
        <TimelineToggle taskId={entry.taskId} words={tookText(entry.at - row.since, entry.polled)} />
      )}
      {tone === 'good' && <KeptMark row={row} exchangeId={entry.exchangeId} />}
    </div>
  );
}

/** The time that a task took; a press shows and hides its timeline. */
function TimelineToggle({ taskId, words }: { readonly taskId: string | undefined; readonly words: string }): JSX.Element {
  const { timelineOf } = usePanel();
  if (taskId === undefined) return <span class="muted">{words}</span>;
  const isOpen = timelineOf.value === taskId;
  return (
    <TextButton
      class="quiet took"
      expanded={isOpen}
      onClick={() => {
        timelineOf.value = isOpen ? undefined : taskId;
      }}
    >
      {words}
    </TextButton>
  );
}

/** The agent's own time of a status that was learned by asking. */
const agentTimeOf = ({ polled, timestamp }: StatusEntry): string | undefined =>
  polled && timestamp !== undefined ? t("The agent's time: {0}", visibleName(timestamp, 60)) : undefined;

const timeLines = ({ first, states }: StateTimes): readonly string[] => [
  ...(first === undefined ? [] : [t('First event after {0}', durationText(first))]),
  ...states.map(({ state, ms }) => t('{0}: {1}', stateWord(state), ms === undefined ? t('time unknown') : durationText(ms))),
];
