import type { JSX } from 'preact';
import type { StatusEntry } from '../../protocol/transcript.ts';
import { Icon } from '../button.tsx';
import { useForm } from '../forms/askedForm.tsx';
import { FormView } from '../forms/formView.tsx';
import { elapsed, exactTime } from '../measures.ts';
import { language, usePanel } from '../panelContext.ts';
import type { Row } from '../rows.ts';
import { type StateTimes, stateTimes } from '../stateTimes.ts';
import { stateLook, stateWord } from '../stateLooks.ts';
import { t } from '../strings.ts';
import type { EntryView } from '../transcript.ts';
import { Parts } from './parts.tsx';

/** A change of state: a question or a failure stands out, with the agent's words; everything else is one quiet line. */
export function StatusRow({ view, entry, row }: { readonly view: EntryView; readonly entry: StatusEntry; readonly row: Row }): JSX.Element {
  const { tone } = stateLook(entry.state);
  const said = view.parts.length > 0;
  const asked = useForm(entry.seq, tone === 'ask' && row.current && view.parts.some(({ part }) => 'data' in part));
  if (tone === 'ask' || (tone === 'bad' && said)) {
    return (
      <section class={`callout callout-${tone} ${row.current ? 'current' : ''}`}>
        <StateLine entry={entry} row={row} />
        {said ? <Parts view={view} finished without={asked?.part} /> : <p class="muted">{unsaid(entry)}</p>}
        {asked !== undefined && <FormView form={asked.form} seq={entry.seq} />}
      </section>
    );
  }
  return (
    <>
      {said && <Parts view={view} finished />}
      <StateLine entry={entry} row={row} />
    </>
  );
}

const unsaid = (entry: StatusEntry): string => entry.state === 'TASK_STATE_AUTH_REQUIRED'
  ? t('The agent wants authorization and did not say for what.')
  : t('The agent waits for an answer and did not say to what.');

function StateLine({ entry, row }: { readonly entry: StatusEntry; readonly row: Row }): JSX.Element {
  const { icon, tone } = stateLook(entry.state);
  const times = timeLines(stateTimes(usePanel().transcript.shapes.peek(), entry.seq));
  return (
    <div class={`state tone-${tone}`} title={[exactTime(entry.at, language()), ...times].join('\n')}>
      <Icon name={icon} />
      <span class="state-word">{stateWord(entry.state)}</span>
      {row.since !== undefined && <span class="muted">{elapsed(entry.at - row.since)}</span>}
    </div>
  );
}

const timeLines = ({ first, states }: StateTimes): readonly string[] => [
  ...(first === undefined ? [] : [t('First event after {0}', elapsed(first))]),
  ...states.map(({ state, ms }) => t('{0}: {1}', stateWord(state), elapsed(ms))),
];
