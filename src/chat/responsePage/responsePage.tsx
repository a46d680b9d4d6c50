import type { ReadonlySignal } from '@preact/signals';
import { type ComponentProps, Fragment, type JSX } from 'preact';
import type { ShownExpectations } from '../host/responseMessages.ts';
import type { ShownState } from '../../protocol/message/taskState.ts';
import { statePresentation, stateWord } from '../text/statePresentation.ts';
import { t } from '../text/strings.ts';
import { visibleLines, visibleName } from '../text/visible.ts';
import { ErrorBoundary, RenderFailure } from '../widgets/errorBoundary.tsx';
import { Icon } from '../widgets/button.tsx';
import { ContentContext, type ContentHost } from '../panel/panelContext.ts';
import { NamedPart, PartActions, PartContent, partFacts, partIcon } from '../parts/partView.tsx';
import { sizeOf } from '../transcript/shownParts.ts';
import type { PageAnswer, PageContent, PagePart, ShownResponse } from './shownResponse.ts';

/** The answer to a request as a person reads it: texts as Markdown, pictures, tables, files. */
export function ResponsePage({
  response,
  failure,
  host,
}: {
  readonly response: ReadonlySignal<ShownResponse | undefined>;
  /** Why something that the person wanted did not happen. */
  readonly failure: ReadonlySignal<string | undefined>;
  readonly host: ContentHost;
}): JSX.Element {
  const shown = response.value;
  if (shown === undefined) return <main class="response" />;
  const { title, running, polling, answers, leftOut } = shown;
  const empty = answers.every(
    ({ contents, problem, state, expectations }) =>
      contents.length === 0 && problem === undefined && state === undefined && expectations === undefined,
  );
  return (
    <ContentContext.Provider value={host}>
      <main class="response" aria-busy={running}>
        <header class="response-head">
          <h1 dir="auto">{visibleName(title)}</h1>
          <Verdict answers={answers} />
          {answers.length === 1 && <State of={answers[0]?.state} plain={failuresOf(answers) > 0} />}
          {running && (
            <span class="streaming" role="status">
              <span class="pulse" aria-hidden="true" />
              {t('running…')}
            </span>
          )}
        </header>
        {polling !== undefined && <p class="note">{polling}</p>}
        {failure.value !== undefined && <p class="note">{failure.value}</p>}
        {/* A response of its own for each number: what the person unfolded belongs to the one before. */}
        <div class="answers" key={shown.response}>
          {answers.map((answer, index) => (
            <Answer key={index} answer={answer} running={running && index === answers.length - 1} severalRows={answers.length > 1} />
          ))}
        </div>
        {empty && !running && <p class="muted">{t('The response has no content.')}</p>}
        {leftOut > 0 && <LeftOut count={leftOut} />}
      </main>
    </ContentContext.Provider>
  );
}

const LeftOut = ({ count }: { readonly count: number }): JSX.Element => (
  <p class="note">{t('{0} more are not shown here. The response document has them.', count)}</p>
);

const failuresOf = (answers: readonly PageAnswer[]): number =>
  answers.reduce((sum, { expectations }) => sum + (expectations === undefined ? 0 : expectations.failed.length + expectations.leftOut), 0);

/** Says that expectations do not hold, of all answers together. */
function Verdict({ answers }: { readonly answers: readonly PageAnswer[] }): JSX.Element | null {
  const failed = failuresOf(answers);
  if (failed === 0) return null;
  const count = answers.reduce((sum, { expectations }) => sum + (expectations?.count ?? 0), 0);
  return (
    <span class="state tone-bad verdict" role="status">
      <Icon name="error" />
      <span class="words">
        {count === 1
          ? t('Expectation failed')
          : failed === 1
            ? t('1 of {0} expectations failed', count)
            : t('{0} of {1} expectations failed', failed, count)}
      </span>
    </span>
  );
}

/** `plain`: without its icon and color, which would say that all is well where expectations do not hold. */
function State({ of: state, plain = false }: { readonly of: ShownState | undefined; readonly plain?: boolean }): JSX.Element | null {
  if (state === undefined) return null;
  const { icon, tone } = statePresentation(state);
  return (
    <span class={`state tone-${plain ? 'quiet' : tone}`} role="status">
      {!plain && <Icon name={icon} />}
      <span class="state-word">{stateWord(state)}</span>
    </span>
  );
}

/** Failed expectations, with the expected and the actual text. */
function Failures({ of: expectations }: { readonly of: ShownExpectations | undefined }): JSX.Element | null {
  if (expectations === undefined || expectations.failed.length === 0) return null;
  return (
    <ul class="callout callout-bad failures">
      {expectations.failed.map(({ message, expected, actual }, index) => (
        <li key={index}>
          <p class="problem-words">
            <Icon name="error" />
            <span dir="auto">{visibleLines(message)}</span>
          </p>
          {(expected !== undefined || actual !== undefined) && (
            <dl>
              <Compared name={t('Expected')} text={expected} />
              <Compared name={t('Actual')} text={actual} />
            </dl>
          )}
        </li>
      ))}
      {expectations.leftOut > 0 && (
        <li class="muted">{t('{0} more are not shown here. The response document has them.', expectations.leftOut)}</li>
      )}
    </ul>
  );
}

const Compared = ({ name, text }: { readonly name: string; readonly text: string | undefined }): JSX.Element | null =>
  text === undefined ? null : (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{visibleLines(text)}</dd>
    </>
  );

function Answer({
  answer: { row, state, problem, expectations, contents },
  running,
  severalRows,
}: {
  readonly answer: PageAnswer;
  readonly running: boolean;
  readonly severalRows: boolean;
}): JSX.Element {
  return (
    <section class="answer">
      {(row !== undefined || severalRows) && (
        <div class="answer-head">
          <h2 dir="auto">{visibleName(row ?? '')}</h2>
          {severalRows && <State of={state} plain={expectations !== undefined && expectations.failed.length > 0} />}
        </div>
      )}
      {problem !== undefined && (
        <div class="callout callout-bad" role="alert">
          <p class="problem-words">
            <Icon name="error" />
            <span dir="auto">{visibleLines(problem.message)}</span>
          </p>
          {problem.nextStep !== undefined && (
            <p class="next-step" dir="auto">
              {visibleLines(problem.nextStep)}
            </p>
          )}
        </div>
      )}
      <Failures of={expectations} />
      {contents.map(content => (
        <ErrorBoundary key={content.number} instead={() => <RenderFailure />}>
          <Content content={content} running={running} />
        </ErrorBoundary>
      ))}
    </section>
  );
}

function Content({ content, running }: { readonly content: PageContent; readonly running: boolean }): JSX.Element {
  const { kind, name, description, parts, number, leftOut } = content;
  const only = parts.length === 1 ? parts[0] : undefined;
  const finished = (index: number): boolean => !running || index < parts.length - 1;
  if (kind === 'message')
    return (
      <div class="parts">
        {parts.map((part, index) =>
          part.is === 'part' && part.shown.kind === 'text' && part.shown.part.filename === undefined ? (
            <Fragment key={index}>
              <PartContent shown={part.shown} seq={number} index={index} finished={finished(index)} />
              {part.cut && <CutNote />}
            </Fragment>
          ) : (
            <section key={index} class="part">
              <Part part={part} seq={number} index={index} finished={finished(index)} />
            </section>
          ),
        )}
        {leftOut > 0 && <LeftOut count={leftOut} />}
      </div>
    );
  return (
    <section class="card artifact">
      <header class="card-head">
        <Icon name={only?.is === 'part' ? partIcon(only.shown.part) : 'package'} />
        <h2 class="card-name one-line">{visibleName(name ?? t('Artifact'))}</h2>
        {only?.is === 'part' && (
          <>
            <span class="part-facts one-line">{partFacts(only.shown.part.mediaType, sizeOf(only.shown))}</span>
            <span class="actions">
              <PartActions shown={only.shown} seq={number} index={0} />
            </span>
          </>
        )}
      </header>
      {description !== undefined && description !== '' && <p class="card-description">{visibleName(description, 1000)}</p>}
      {parts.map((part, index) => (
        <div key={index} class="card-part">
          <Part part={part} seq={number} index={index} finished={finished(index)} headless={only?.is === 'part'} />
        </div>
      ))}
      {leftOut > 0 && <LeftOut count={leftOut} />}
    </section>
  );
}

function Part({ part, ...props }: { readonly part: PagePart } & Omit<ComponentProps<typeof NamedPart>, 'shown'>): JSX.Element {
  if (part.is === 'large')
    return (
      <>
        <LargeHead part={part} />
        <div class="part-body">
          <div class="note">{t('Too large to show here. The response document has it.')}</div>
        </div>
      </>
    );
  return (
    <NamedPart {...props} shown={part.shown}>
      {part.cut && <CutNote />}
    </NamedPart>
  );
}

const CutNote = (): JSX.Element => (
  <div class="note">{t('This is long: only a part is shown here. The response document has all of it.')}</div>
);

const LargeHead = ({ part: { filename, mediaType, bytes } }: { readonly part: Extract<PagePart, { is: 'large' }> }): JSX.Element => (
  <div class="part-head">
    <Icon name="file-binary" />
    {filename !== undefined && <span class="part-name one-line">{visibleName(filename)}</span>}
    <span class="part-facts one-line">{partFacts(mediaType, bytes)}</span>
  </div>
);
