/** What one status of a task says, or several that continue each other: many agents tell an answer token by token, in a status each. */
export interface StatusText<Key> {
  readonly keys: readonly Key[];
  /** Empty where the statuses say nothing, or something else than text. */
  readonly text: string;
  /** It came in several pieces. */
  readonly grown: boolean;
}

/** How a piece stands to what was said before it. */
type Joint = 'continues' | 'unsure' | 'apart';

interface Growing<Key> extends StatusText<Key> {
  keys: Key[];
  text: string;
  grown: boolean;
  /** To the text before it. */
  readonly joint: Joint;
  /** Undefined where it is no text. */
  readonly kind: string | undefined;
  /** The last of the text: to look at the whole of it for every piece would take time that grows with it. */
  end: string;
}

/** UTF-16 code units of a text that say how it ends. */
const endLength = 64;

/** A word of Chinese or Japanese that stands alone as a token has no more characters than this; a line of progress has more. */
const shortWord = 3;

/**
 * The texts of one task's statuses, in order. A line of progress is a text of its own; pieces of one text, and one that is told again longer
 * each time, are one. Where a single piece leaves it open, those after it decide. A piece costs what it brings.
 */
export class StatusTexts<Key> {
  readonly #texts: Growing<Key>[] = [];

  get texts(): readonly StatusText<Key>[] {
    return this.#texts;
  }

  /**
   * `text`: undefined where the status says nothing; null where it says something else than text. `kind`: texts of different kinds, such as an
   * answer and the thoughts before it, do not continue each other.
   */
  add(key: Key, text: string | null | undefined, kind = ''): void {
    const last = this.#texts.at(-1);
    if (text === undefined && last?.grown === true) last.keys.push(key);
    else if (text === undefined || text === null || last?.kind !== kind) this.#begin(key, text, 'apart', kind);
    else if (isSame(last.text, text)) last.keys.push(key);
    else if (retells(last.text, text)) this.#retell(last, key, text);
    else {
      const joint = jointOf(last, text);
      if (joint === 'continues' || (joint === 'unsure' && last.grown)) this.#grow(last, key, text);
      else this.#begin(key, text, joint, kind);
    }
  }

  #begin(key: Key, text: string | null | undefined, joint: Joint, kind: string): void {
    this.#texts.push({
      keys: [key],
      text: text ?? '',
      grown: false,
      joint,
      kind: typeof text === 'string' ? kind : undefined,
      end: (text ?? '').slice(-endLength),
    });
  }

  #grow(last: Growing<Key>, key: Key, text: string): void {
    last.keys.push(key);
    last.text += text;
    last.end = (last.end + text).slice(-endLength);
    last.grown = true;
    for (let at = this.#texts.length - 1; this.#texts[at]?.joint === 'unsure'; at--)
      this.#joinToOneBefore(at, (before, after) => before + after);
  }

  #retell(last: Growing<Key>, key: Key, text: string): void {
    last.keys.push(key);
    last.text = text;
    last.end = text.slice(-endLength);
    last.grown = true;
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
      grown: true,
    });
  }
}

/** But for white space at their ends. */
const isSame = (text: string, next: string): boolean =>
  Math.abs(text.length - next.length) < endLength && next.trim() !== '' && text.trim() === next.trim();

const isBegunBy = (text: string, beginning: string): boolean =>
  text.length > beginning.length && beginning.trim() !== '' && text.startsWith(beginning);

/** A character or two may begin another piece by chance. */
const retells = (text: string, next: string): boolean => isBegunBy(next, text) && text.trim().length > 2;

const sentenceEnd = /[.!?…:。！？：]["'”’*_`)\]]*$/u;
const closing = /^(?:[\p{Pe}\p{Pf},.;:!?%…，。；：！？、]|["'*_`]+(?:\s|$))/u;
const withoutCase = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const endsWithoutCase = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

/** How `next` stands to a text that ends so. `grown`: other pieces have made it, so that what could be one more is one. */
function jointOf({ end: text, grown }: { readonly end: string; readonly grown: boolean }, next: string): Joint {
  if (/^\s|^$/.test(next) || /\s$|^$/.test(text)) return 'continues';
  if (closing.test(next) || /[\p{Ps}\p{Pi}]$/u.test(text)) return 'continues';
  const open = grown ? 'unsure' : 'apart';
  const isPhrase = (words: string): boolean => /\S\s+\S/.test(words);
  if (sentenceEnd.test(text)) return /^[\p{Ll}\p{Nd}]/u.test(next) || withoutCase.test(next) ? open : 'apart';
  if (withoutCase.test(next) && endsWithoutCase.test(text)) return text.length <= shortWord ? 'unsure' : open;
  if (/[\p{L}\p{Nd}]$/u.test(text) && /^[\p{L}\p{Nd}]/u.test(next)) {
    if (grown) return /^\p{Lu}/u.test(next) && isPhrase(next) ? 'apart' : 'unsure';
    return /^\p{Lu}/u.test(next) || isPhrase(text) || isPhrase(next) ? 'apart' : 'unsure';
  }
  return text.length <= shortWord ? 'unsure' : open;
}
