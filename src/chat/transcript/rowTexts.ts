import { computed, type ReadonlySignal } from '@preact/signals';
import type { Row } from './rows.ts';
import { type ShownText, StatusWords } from './statusWords.ts';
import type { Transcript } from './transcript.ts';

/** The texts of status rows. Text at the end of a task's progress is shown once, with the status that ended it. */
export class RowTexts {
  readonly #words: StatusWords;
  readonly #rows: ReadonlySignal<readonly Row[]>;
  readonly #rowOf = computed(() => new Map(this.#rows.value.map(row => [row.key, row])));

  constructor(transcript: Transcript, rows: ReadonlySignal<readonly Row[]>) {
    this.#words = new StatusWords(transcript);
    this.#rows = rows;
  }

  /** The text of a status together with the progress before it; `row` may be either of them. */
  endOf({ key, ends = key, endedBy = key }: Row): ShownText | undefined {
    const status = ends === endedBy ? undefined : this.#rowOf.peek().get(endedBy);
    return status && this.#words.endOf(status, this.#rowOf.peek().get(ends));
  }

  /** The texts of a progress row. */
  of(row: Row): readonly ShownText[] {
    const end = this.endOf(row);
    return this.#words.of(row).filter(({ keys }) => end?.keys.includes(keys[0] ?? 0) !== true);
  }

  /** The row's whole text, where it is more than its last entry's; empty where it is shown in another row. */
  whole(row: Row): string | undefined {
    if (row.kind === 'status') return this.endOf(row)?.text;
    if (row.kind !== 'progress') return undefined;
    const texts = this.of(row);
    if (texts.length === 1 && texts[0]?.isJoined === false) return undefined;
    const said = texts.map(({ text, keys }) => text.trim() || this.#words.besideOthers(keys.at(-1))).filter(text => text !== '');
    if (texts.length > 0 && said.length === 0) return undefined;
    return said.join(texts.some(({ isJoined }) => isJoined) ? '\n\n' : '\n');
  }

  /** The row that shows an entry. */
  rowWith(seq: number): Row | undefined {
    const row = this.#rows.peek().find(({ seqs }) => seqs.includes(seq));
    const end =
      row?.endedBy !== undefined && this.endOf(row)?.keys.includes(seq) === true ? this.#rowOf.peek().get(row.endedBy) : undefined;
    return end ?? row;
  }
}
