import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { unturned } from '../../protocol/hiddenCharacters.ts';
import { TextButton } from '../widgets/button.tsx';
import { t } from '../text/strings.ts';
import type { BlockText } from '../text/blockText.ts';
import { parseBlock } from './parse.ts';
import { tokens } from './tokens.tsx';

/** Blocks on show at once; of a longer text the end is shown, and more at a press. */
const page = 600;
/** Of one block, at most this much is put into the page. */
const maxBlock = 100_000;
/** A text of more blocks has those that are out of sight neither laid out nor painted. */
const long = 40;
/** Time for parsing one text; a text that wants more was built to, and its remaining blocks are shown as they are. */
const budgetMs = 400;
/** The open end is parsed again and again; only what is slow there counts. */
const slowMs = 30;

interface MarkdownProps {
  readonly text: BlockText;
  /** Changes when `text` grew. */
  readonly length: number;
  /** No more text is expected. */
  readonly finished: boolean;
}

/** Markdown of an agent, parsed block by block: closed blocks once, the open end whenever text arrives. */
export function Markdown({ text, finished }: MarkdownProps): JSX.Element {
  const [shown, setShown] = useState(page);
  const budget = useMemo(() => ({ spent: 0 }), [text]);
  const start = Math.max(0, text.closed.length - shown);
  const { open } = text;
  // An element that is the same object is not looked at again: what is closed costs nothing however much there is of it.
  const made = useMemo(() => [] as JSX.Element[], [text]);
  for (let index = made.length; index < text.closed.length; index++)
    made.push(<Block key={index} block={text.closed[index] ?? ''} finished budget={budget} />);
  return (
    <div class={made.length > long ? 'markdown long' : 'markdown'}>
      {start > 0 && (
        <TextButton icon="arrow-up" onClick={() => setShown(shown + page)}>
          {t('Show {0} Earlier Paragraphs', start)}
        </TextButton>
      )}
      {made.slice(start)}
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
    // Not again for another budget: a finished artifact is put anew with the blocks it has.
  }, [block]);
  const elements = useMemo(
    () => (parsed === undefined ? undefined : <div class="block">{tokens(parsed, finished)}</div>),
    [parsed, finished],
  );
  if (elements !== undefined) return elements;
  const end = (text: string): string => (text.length <= maxBlock ? text : finished ? text.slice(0, maxBlock) : text.slice(-maxBlock));
  // Characters that are made visible are several each.
  const visible = unturned(end(block));
  const cut = Math.max(block.length, visible.length) > maxBlock;
  return (
    <div class="block">
      <div class="plain" dir="auto">
        {end(visible)}
      </div>
      {cut && <div class="note">{t('This is long: only a part is shown here. The editor shows all of it.')}</div>}
    </div>
  );
}
