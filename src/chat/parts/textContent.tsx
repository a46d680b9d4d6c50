import type { JSX } from 'preact';
import { LongNote } from '../widgets/longNote.tsx';
import { CodeBlock } from '../markdown/code.tsx';
import { languageOf } from '../markdown/languages.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { delimiterOf } from './delimited.ts';
import { DelimitedContent } from './delimitedContent.tsx';
import type { ContentProps } from './partView.tsx';

/** Text is Markdown, or code where its media type names a language. */
export function TextContent({ shown, seq, index, finished }: ContentProps): JSX.Element | null {
  if (shown.kind !== 'text') return null;
  const whole = shown.cut && { seq, part: index };
  const delimiter = finished ? delimiterOf(shown.part.mediaType, shown.part.filename) : undefined;
  if (delimiter !== undefined) return <DelimitedContent text={shown.text.toString()} delimiter={delimiter} whole={whole} />;
  const language = codeLanguage(shown.part.mediaType);
  if (language !== undefined) return <CodeBlock code={shown.text.toString()} language={language} finished={finished} whole={whole} />;
  return (
    <>
      <Markdown text={shown.text} length={shown.length} finished={finished} />
      {shown.cut !== undefined && <LongNote />}
    </>
  );
}

function codeLanguage(mediaType: string | undefined): string | undefined {
  const language = mediaType === undefined ? undefined : languageOf(mediaType);
  return language === 'markdown' ? undefined : language;
}
