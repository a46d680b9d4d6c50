/**
 * The text of one status of a task, or of several that continue each other: many agents stream an answer token by token, each in a status.
 */
export interface StatusText<Key> {
  readonly keys: readonly Key[];
  /** Empty where the statuses have no content, or other content than text. */
  readonly text: string;
  /** True where it arrived in several pieces. */
  readonly isJoined: boolean;
}

/** The relation of a piece to the text before it. */
type Joint = 'continues' | 'unsure' | 'apart';

interface Growing<Key> extends StatusText<Key> {
  keys: Key[];
  text: string;
  isJoined: boolean;
  readonly joint: Joint;
  /** Undefined where it is not text. */
  readonly kind: string | undefined;
  /** The last characters of the text. Looking at the whole text for each piece would take time that grows with it. */
  end: string;
}

/** Length of `end`, in UTF-16 code units. */
const endLength = 64;

/** Most characters of a Chinese or Japanese word that is a token by itself; a line of progress is longer. */
const shortWord = 3;

/**
 * Groups the statuses of one task, in order, by text. Each line of progress is a text of its own; pieces of one text are joined, and so are
 * versions of one text that grows with each status. Where one piece is not enough to decide, the following ones decide. The time per piece
 * depends only on its own length.
 */
export class StatusTexts<Key> {
  readonly #texts: Growing<Key>[] = [];

  get texts(): readonly StatusText<Key>[] {
    return this.#texts;
  }

  /**
   * @param text undefined for a status without content, null for other content than text.
   * @param kind texts of different kinds, such as an answer and the thoughts before it, are not joined.
   */
  add(key: Key, text: string | null | undefined, kind = ''): void {
    const last = this.#texts.at(-1);
    if (text === undefined && last?.isJoined === true) last.keys.push(key);
    else if (text === undefined || text === null || last?.kind !== kind) this.#begin(key, text, 'apart', kind);
    else if (isSame(last.text, text)) last.keys.push(key);
    else if (retells(last.text, text)) this.#retell(last, key, text);
    else {
      const joint = jointOf(last, text);
      if (joint === 'continues' || (joint === 'unsure' && last.isJoined)) this.#grow(last, key, text);
      else this.#begin(key, text, joint, kind);
    }
  }

  #begin(key: Key, text: string | null | undefined, joint: Joint, kind: string): void {
    this.#texts.push({
      keys: [key],
      text: text ?? '',
      isJoined: false,
      joint,
      kind: typeof text === 'string' ? kind : undefined,
      end: (text ?? '').slice(-endLength),
    });
  }

  #grow(last: Growing<Key>, key: Key, text: string): void {
    last.keys.push(key);
    last.text += text;
    last.end = (last.end + text).slice(-endLength);
    last.isJoined = true;
    for (let at = this.#texts.length - 1; this.#texts[at]?.joint === 'unsure'; at--)
      this.#joinToOneBefore(at, (before, after) => before + after);
  }

  #retell(last: Growing<Key>, key: Key, text: string): void {
    last.keys.push(key);
    last.text = text;
    last.end = text.slice(-endLength);
    last.isJoined = true;
    for (let at = this.#texts.length - 1; this.#texts[at - 1]?.kind === last.kind && isBegunBy(text, this.#texts[at - 1]?.text ?? ''); at--)
      this.#joinToOneBefore(at, (_, after) => after);
  }

  #joinToOneBefore(at: number, join: (before: string, after: string) => string): void {
    const [one, other] = this.#texts.splice(at - 1, 2);
    if (one === undefined || other === undefined) return;
    this.#texts.push({
      ...one,
      keys: [...one.keys, ...other.keys],
      text: join(one.text, other.text),
      end: join(one.end, other.end).slice(-endLength),
      isJoined: true,
    });
  }
}

/** Ignores white space at both ends. */
const isSame = (text: string, next: string): boolean =>
  Math.abs(text.length - next.length) < endLength && next.trim() !== '' && text.trim() === next.trim();

const isBegunBy = (text: string, beginning: string): boolean =>
  text.length > beginning.length && beginning.trim() !== '' && text.startsWith(beginning);

/** A text of one or two characters may be the beginning of another one by chance. */
const retells = (text: string, next: string): boolean => isBegunBy(next, text) && text.trim().length > 2;

const sentenceEnd = /[.!?…:。！？：]["'”’*_`)\]]*$/u;
const closing = /^(?:[\p{Pe}\p{Pf},.;:!?%…，。；：！？、]|["'*_`]+(?:\s|$))/u;
const withoutCase = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const endsWithoutCase = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

/**
 * How `next` relates to a text that ends with `text`.
 * @param isJoined whether the text already consists of several pieces: unclear cases then count as one more piece.
 */
function jointOf({ end: text, isJoined }: { readonly end: string; readonly isJoined: boolean }, next: string): Joint {
  if (/^\s|^$/.test(next) || /\s$|^$/.test(text)) return 'continues';
  if (closing.test(next) || /[\p{Ps}\p{Pi}]$/u.test(text)) return 'continues';
  const open = isJoined ? 'unsure' : 'apart';
  const isPhrase = (words: string): boolean => /\S\s+\S/.test(words);
  if (sentenceEnd.test(text)) return /^[\p{Ll}\p{Nd}]/u.test(next) || withoutCase.test(next) ? open : 'apart';
  if (withoutCase.test(next) && endsWithoutCase.test(text)) return text.length <= shortWord ? 'unsure' : open;
  if (/[\p{L}\p{Nd}]$/u.test(text) && /^[\p{L}\p{Nd}]/u.test(next)) {
    if (isJoined) return /^\p{Lu}/u.test(next) && isPhrase(next) ? 'apart' : 'unsure';
    return /^\p{Lu}/u.test(next) || isPhrase(text) || isPhrase(next) ? 'apart' : 'unsure';
  }
  return text.length <= shortWord ? 'unsure' : open;
}
