import { statusKind, statusText } from '../../protocol/message/statusEntries.ts';
import { StatusTexts, type StatusText } from '../../protocol/message/statusTexts.ts';
import { BlockText } from '../text/blockText.ts';
import type { Row, Shape } from './rows.ts';
import { isActiveState } from '../text/statePresentation.ts';
import type { Transcript } from './transcript.ts';

/** One text of a row of statuses; its keys are the seqs of their entries. */
export interface ShownText extends StatusText<number> {
  /** The blocks of a text that arrived in pieces, for Markdown. */
  readonly block?: BlockText;
}

/** A row's texts so far, and the last entry that was read. */
interface StatusRowTexts {
  readonly texts: StatusTexts<number>;
  readonly blocks: Map<number, BlockText>;
  count: number;
  last: Shape | undefined;
}

/** The texts of the statuses shown; several statuses that continue each other are one text. */
export class StatusWords {
  readonly #transcript: Transcript;
  /** Texts by the row's first entry. */
  readonly #textsByFirst = new WeakMap<Shape, StatusRowTexts>();

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** The texts of a progress row, oldest first. Only new entries are read. */
  of(row: Row): readonly ShownText[] {
    const { texts, blocks } = this.#textsIn(row);
    return texts.texts.map(text => (text.isJoined ? { ...text, block: grownBlock(blocks, text) } : text));
  }

  /** The text of a status together with the progress before it; undefined where the status has a text of its own only. */
  endOf(status: Row, progress: Row | undefined): ShownText | undefined {
    const shape = status.shapes[0];
    if (shape === undefined || progress === undefined) return undefined;
    const texts = new StatusTexts<number>();
    for (const { seq } of progress.shapes) this.#add(texts, seq);
    const view = this.#transcript.view(shape.seq)?.peek();
    const hasParts = view !== undefined && view.parts.length > 0;
    if (hasParts) this.#add(texts, shape.seq);
    const last = hasParts ? texts.texts.at(-1) : texts.texts.findLast(({ text }) => text !== '');
    const takes = last !== undefined && (hasParts ? last.keys.length > 1 : isAsked(shape));
    return takes ? { ...last, block: new BlockText(last.text) } : undefined;
  }

  /** The text of a task's newest status, with the progress before it; empty where there is none. */
  newest(taskId: string): string {
    const shapes = this.#transcript.shapes.value.filter(shape => shape.taskId === taskId);
    const end = shapes.findLastIndex(({ kind }) => kind === 'status');
    const begin = shapes.findLastIndex(({ mine, state }, index) => index < end && (mine || (state !== undefined && !isActiveState(state))));
    const own = this.besideOthers(shapes[end]?.seq);
    if (own !== '') return own;
    const texts = new StatusTexts<number>();
    for (const { kind, seq } of shapes.slice(begin + 1, end + 1)) if (kind === 'status') this.#add(texts, seq);
    return texts.texts.findLast(({ text }) => text.trim() !== '')?.text ?? '';
  }

  /** The text of a status with other parts, such as the address to sign in at; it continues no earlier text. */
  besideOthers(seq: number | undefined): string {
    const entry = seq === undefined ? undefined : this.#transcript.view(seq)?.peek().entry;
    const parts = entry?.kind === 'status' ? (entry.message?.parts ?? []) : [];
    return statusText(parts) === null
      ? parts.flatMap(part => ('text' in part && part.text.trim() !== '' ? [part.text] : [])).join(' ')
      : '';
  }

  #textsIn({ shapes }: Row): StatusRowTexts {
    const [first] = shapes;
    const known = first && this.#textsByFirst.get(first);
    const current =
      known !== undefined && known.last === shapes[known.count - 1]
        ? known
        : { texts: new StatusTexts<number>(), blocks: new Map(), count: 0, last: undefined };
    for (const { seq } of shapes.slice(current.count)) this.#add(current.texts, seq);
    current.count = shapes.length;
    current.last = shapes.at(-1);
    if (first !== undefined) this.#textsByFirst.set(first, current);
    return current;
  }

  #add(texts: StatusTexts<number>, seq: number): void {
    const entry = this.#transcript.view(seq)?.peek().entry;
    const parts = entry?.kind === 'status' ? (entry.message?.parts ?? []) : [];
    if (entry !== undefined) texts.add(seq, statusText(parts), statusKind(parts));
  }
}

const isAsked = ({ state }: Shape): boolean => state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED';

/** The text as blocks, with new text appended. */
function grownBlock(blocks: Map<number, BlockText>, { keys, text }: StatusText<number>): BlockText {
  const key = keys[0] ?? 0;
  const block = blocks.get(key) ?? new BlockText();
  blocks.set(key, block);
  block.append(text.slice(block.length));
  return block;
}
