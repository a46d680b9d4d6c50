import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Aspect } from '../../recording/compare/comparison.ts';
import type { ChosenNormalization, ComparisonPageMessage, ComparisonView, ShownCell, ShownTurn } from '../host/comparisonMessages.ts';
import { durationText } from '../text/measures.ts';
import { statePresentation, stateWord } from '../text/statePresentation.ts';
import { localizedList, t } from '../text/strings.ts';
import { visibleIn } from '../text/visible.ts';

type Post = (message: ComparisonPageMessage) => void;

/** Runs of a conversation beside each other: turns against runs, with marks where a run is not as the first one, the base. */
export function ComparisonPage({
  view,
  post,
}: {
  readonly view: ReadonlySignal<ComparisonView | undefined>;
  readonly post: Post;
}): JSX.Element {
  const own = visibleIn(view.value);
  if (own === undefined) return <main />;
  const { runs, turns, more, normalization } = own;
  return (
    <main>
      <h1>{t('Compared Runs')}</h1>
      <Choices of={normalization} choose={next => post({ type: 'normalize', normalization: next })} />
      {turns.length === 0 && <p class="muted">{t('Nothing was sent in these runs yet.')}</p>}
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Message')}</th>
              {runs.map(({ agent, title, detail, isRunning, remark }, run) => (
                <th key={run} scope="col">
                  <button type="button" class="link" title={t('Open Chat')} onClick={() => post({ type: 'open', run })}>
                    <bdi>{agent}</bdi>
                  </button>
                  {title !== undefined && <div dir="auto">{title}</div>}
                  <div class="muted">
                    {isRunning && <span class="codicon codicon-sync" role="img" aria-label={t('working')} />} {detail}
                    {run === 0 && runs.length > 1 && ` · ${t('base')}`}
                  </div>
                  {remark !== undefined && <div class="bad">{remark}</div>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {turns.map((turn, index) => (
              <tr key={index}>
                <th scope="row" dir="auto">
                  <div class="text">{turn.said}</div>
                  {runs.length > 2 && <div class="muted">{t('{0} of {1} same as the base', turn.equal, runs.length - 1)}</div>}
                </th>
                {turn.cells.map((cell, run) => (
                  <Cell key={run} cell={cell} isBase={run === 0} turn={turn} open={() => post({ type: 'diff', turn: index, run })} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p class="muted">{more === 1 ? t('1 more message is not shown.') : t('{0} more messages are not shown.', more)}</p>}
    </main>
  );
}

const aspectWord = (aspect: Aspect): string =>
  ({
    state: t('state'),
    message: t('message'),
    artifacts: t('artifacts'),
    problem: t('error'),
    findings: t('findings'),
    rest: t('other data'),
  })[aspect];

function Cell({
  cell,
  isBase,
  turn,
  open,
}: {
  readonly cell: ShownCell | undefined;
  readonly isBase: boolean;
  readonly turn: ShownTurn;
  readonly open: () => void;
}): JSX.Element {
  const isMissing = cell === undefined && turn.cells[0] !== undefined;
  const differs = isMissing || (cell !== undefined && cell.differs.length > 0);
  return (
    <td class={differs ? 'differs' : ''}>
      {cell === undefined ? <div class="muted">{t('not sent')}</div> : <Outcome of={cell} />}
      {differs && (
        <button type="button" class="difference" title={t('Compare with the Base')} onClick={open}>
          <span class="codicon codicon-diff" aria-hidden="true" />{' '}
          {isMissing ? t('only in the base') : t('differs: {0}', localizedList(cell?.differs.map(aspectWord) ?? []))}
        </button>
      )}
      {!differs && !isBase && cell !== undefined && (
        <button type="button" class="same" title={t('Compare with the Base')} onClick={open}>
          {t('same as the base')}
        </button>
      )}
    </td>
  );
}

function Outcome({ of: { state, problem, text, artifacts, findings, firstEventMs, totalMs } }: { readonly of: ShownCell }): JSX.Element {
  const look = state === undefined ? undefined : statePresentation(state);
  return (
    <>
      {state !== undefined && look !== undefined && (
        <div class={`state ${look.tone}`}>
          <span class={`codicon codicon-${look.icon}`} aria-hidden="true" /> {stateWord(state)}
        </div>
      )}
      {problem !== undefined && (
        <div class="bad" dir="auto">
          <span class="codicon codicon-error" aria-hidden="true" /> {problem}
        </div>
      )}
      {text !== '' && (
        <div class="text" dir="auto">
          {text}
        </div>
      )}
      {artifacts.map((name, index) => (
        <div key={index} class="artifact" dir="auto">
          <span class="codicon codicon-file" role="img" aria-label={t('Artifact')} /> {name}
        </div>
      ))}
      {findings > 0 && (
        <div class="doubt">
          <span class="codicon codicon-warning" aria-hidden="true" />{' '}
          {findings === 1 ? t('1 protocol finding') : t('{0} protocol findings', findings)}
        </div>
      )}
      <div class="muted">
        {firstEventMs === undefined
          ? durationText(totalMs)
          : t('{0}, first event after {1}', durationText(totalMs), durationText(firstEventMs))}
      </div>
    </>
  );
}

/** Choice of differences that do not count. */
function Choices({ of, choose }: { readonly of: ChosenNormalization; readonly choose: (next: ChosenNormalization) => void }): JSX.Element {
  const box = (member: 'ids' | 'times' | 'keyOrder', label: string): JSX.Element => (
    <label>
      <input type="checkbox" checked={of[member]} onChange={({ currentTarget }) => choose({ ...of, [member]: currentTarget.checked })} />{' '}
      {label}
    </label>
  );
  return (
    <fieldset>
      <legend>{t('Ignore')}</legend>
      {box('ids', t('IDs'))}
      {box('times', t('Times'))}
      {box('keyOrder', t('Order of members'))}
      <label>
        {t('Number differences up to')}{' '}
        <input
          type="number"
          min="0"
          step="any"
          defaultValue={String(of.tolerance)}
          onChange={({ currentTarget: { valueAsNumber: tolerance } }) => choose({ ...of, tolerance: tolerance >= 0 ? tolerance : 0 })}
        />
      </label>
      <label class="without">
        {t('Members')}{' '}
        <input
          type="text"
          spellcheck={false}
          placeholder={t('names or JSON Pointers, separated by commas')}
          defaultValue={of.without.join(', ')}
          onChange={({ currentTarget: { value } }) => choose({ ...of, without: wordsOf(value) })}
        />
      </label>
    </fieldset>
  );
}

const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map(word => word.trim().slice(0, 500))
    .filter(word => word !== '')
    .slice(0, 100);
