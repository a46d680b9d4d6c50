import type { JSX } from 'preact';
import { LongNote } from '../widgets/longNote.tsx';
import { useMemo } from 'preact/hooks';
import { withDirectionMarksSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { Requests } from '../host/messages.ts';
import { CopyButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import { shownPart } from '../text/shownPart.ts';
import { visibleName } from '../text/visible.ts';
import { highlight, type HighlightedCode } from './highlight.ts';

interface CodeProps {
  readonly code: string;
  readonly language: string;
  /** No more text is expected. */
  readonly finished?: boolean;
}

interface CodeBlockProps extends CodeProps {
  /** Request that copies all of it, where the code is only the beginning. */
  readonly whole?: Requests['copyWhole']['params'] | undefined;
}

const pieces = (list: readonly HighlightedCode[]): (string | JSX.Element)[] =>
  list.map((piece, index) =>
    typeof piece === 'string' ? (
      withDirectionMarksSpelledOut(piece)
    ) : (
      <span key={index} class={piece.name}>
        {pieces(piece.pieces)}
      </span>
    ),
  );

/** Highlighted code; without highlighting while it still arrives (`finished` false). */
export function Code({ code, language, finished = true }: CodeProps): JSX.Element {
  return useMemo(() => {
    const highlighted = finished ? highlight(code, language) : undefined;
    return <code>{highlighted === undefined ? withDirectionMarksSpelledOut(code) : pieces(highlighted)}</code>;
  }, [code, language, finished]);
}

/** A fenced code block: language, copy button, and the code, which scrolls in its frame. */
export function CodeBlock({ code, language, finished = true, whole }: CodeBlockProps): JSX.Element {
  const { text, cut } = shownPart(code, finished);
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{visibleName(language, 40)}</span>
        <CopyButton text={() => code} label={t('Copy Code')} whole={whole} />
      </div>
      <pre tabIndex={0} dir="ltr">
        <Code code={text} language={language} finished={finished} />
      </pre>
      {(cut || whole !== undefined) && <LongNote />}
    </div>
  );
}
