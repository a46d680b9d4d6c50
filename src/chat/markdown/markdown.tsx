import type { JSX } from 'preact';
import { LongNote } from '../widgets/longNote.tsx';
import { useMemo, useState } from 'preact/hooks';
import { TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import type { BlockText } from '../text/blockText.ts';
import { shownPart } from '../text/shownPart.ts';
import { firstShown, weightOf } from './firstShown.ts';
import { parseBlock } from './parse.ts';
import { tokens } from './tokens.tsx';

/** Texts of more blocks than this skip layout and painting of blocks out of view. */
const long = 40;
/** Maximum time to parse one text, in milliseconds; the remaining blocks of a text that needs more are shown unparsed. */
const budgetMs = 400;
/** Only parses of the open end slower than this, in milliseconds, count toward the budget, because it is parsed again and again. */
const slowMs = 30;

interface MarkdownProps {
  readonly text: BlockText;
  /** Changes when `text` grew. */
  readonly length: number;
  /** No more text is expected. */
  readonly finished: boolean;
}

/** An agent's Markdown, parsed block by block: closed blocks once, the open end whenever text arrives. */
export function Markdown({ text, finished }: MarkdownProps): JSX.Element {
  const [pages, setPages] = useState(1);
  const budget = useMemo(() => ({ spent: 0 }), [text]);
  const { open } = text;
  // Preact skips an element that is the same object: closed blocks cost nothing.
  const made = useMemo(() => new Map<number, JSX.Element>(), [text]);
  const weights = useMemo(() => [] as number[], [text]);
  const start = firstShown(text.closed.length, pages, index => (weights[index] ??= weightOf(text.closed[index] ?? '')));
  const shown: JSX.Element[] = [];
  for (let index = start; index < text.closed.length; index++) {
    const block = made.get(index) ?? <Block key={index} block={text.closed[index] ?? ''} finished budget={budget} />;
    made.set(index, block);
    shown.push(block);
  }
  return (
    <div class={shown.length > long ? 'markdown long' : 'markdown'}>
      {start > 0 && (
        <TextButton icon="arrow-up" onClick={() => setPages(pages + 1)}>
          {t('Show {0} Earlier Paragraphs', start)}
        </TextButton>
      )}
      {shown}
      {open.trim() !== '' && <Block key={text.closed.length} block={open} finished={finished} budget={budget} />}
    </div>
  );
}

interface BlockProps {
  readonly block: string;
  readonly finished: boolean;
  readonly budget: { spent: number };
}

function Block({ block, finished, budget }: BlockProps): JSX.Element {
  const parsed = useMemo(() => {
    if (budget.spent > budgetMs) return undefined;
    const began = performance.now();
    const list = parseBlock(block);
    const took = performance.now() - began;
    if (finished || took > slowMs) budget.spent += took;
    return list;
    // Keeps the budget: a finished artifact is put again with the same blocks.
  }, [block]);
  const elements = useMemo(
    () => (parsed === undefined ? undefined : <div class="block">{tokens(parsed, finished)}</div>),
    [parsed, finished],
  );
  if (elements !== undefined) return elements;
  const { text, cut } = shownPart(block, finished);
  return (
    <div class="block">
      <div class="plain" dir="auto">
        {text}
      </div>
      {cut && <LongNote />}
    </div>
  );
}
