import { isCutSecret } from './cutSecrets.ts';
import { acrossBorders, maskSpans, textsIn, type Span } from './jsonTexts.ts';

/** Finds secret values in texts. */
interface SecretFinder {
  /** Ranges of secret values in a text, in order. */
  spansIn(text: string): readonly Span[];
  /** How many characters at the end of a text may be the beginning of a secret value whose rest has not arrived yet. */
  pendingIn(text: string): number;
}

/** Most artifacts for which the end of the text is remembered. */
const maxTexts = 64;
/** Characters before a beginning that are remembered with it: they decide whether it begins a word. */
const beside = 2;

const artifact = /"artifact_?id"\s*:\s*"((?:[^"\\]|\\.){0,256})"/i;

/**
 * Masks secret values that are split over several events of a stream, as agents send texts token by token. Nothing is held back: the first
 * characters of a value may be shown, up to five, or eleven that could be ordinary words (`isCutSecret`); what follows is masked as it arrives.
 *
 * Texts that may continue each other: those of one event, those of one artifact, and all texts outside artifacts.
 */
export class SplitSecrets {
  readonly #secrets: SecretFinder;
  /** The end of each text that may be the beginning of a secret value, by artifact. */
  readonly #ends = new Map<string, { readonly text: string; readonly isMasked: boolean }>();

  constructor(secrets: SecretFinder) {
    this.#secrets = secrets;
  }

  /**
   * Masks the JSON of the next event, in which values within a single text are masked already.
   * @param onRemoved called with the part that was removed from its texts
   */
  mask(data: string, onRemoved?: (removed: string) => void): string {
    const texts = textsIn(data);
    if (texts.length === 0) return data;
    const key = artifact.exec(data)?.[1] ?? '';
    const { text: before, isMasked } = this.#ends.get(key) ?? { text: '', isMasked: false };
    const joined = before + texts.map(({ text }) => text).join('');
    const spans = before === '' && texts.length === 1 ? [] : [...acrossBorders(this.#secrets.spansIn(joined), texts, before.length)];
    const pending = this.#secrets.pendingIn(joined);
    const from = joined.length - pending;
    const isCut = isCutSecret(joined.slice(from));
    const last = spans.at(-1);
    if (isCut && last !== undefined && last.to >= from) spans.splice(-1, 1, { from: last.from, to: joined.length });
    else if (isCut) spans.push({ from, to: joined.length });
    this.#ends.delete(key);
    if (pending > 0) this.#ends.set(key, { text: joined.slice(-pending - beside), isMasked: isCut });
    if (this.#ends.size > maxTexts) this.#ends.delete(this.#ends.keys().next().value!);
    return spans.length === 0 ? data : maskSpans(data, texts, spans, { length: before.length, isMasked }, onRemoved);
  }
}
