import type { Message } from '../protocol/message/message.ts';
import { textOf, type Part } from '../protocol/message/part.ts';
import type { AnswerRule } from './recording.ts';
import type { Conversation, RecordedTurn } from './turns.ts';

/** Where a played conversation stands. */
export interface Place {
  readonly conversation: Conversation;
  /** Index of the turn in it. */
  readonly index: number;
}

/** The turn of a place. */
export const turnAt = ({ conversation, index }: Place): RecordedTurn => conversation[index]!;

interface MatchingOptions {
  readonly conversations: readonly Conversation[];
  readonly rules: readonly AnswerRule[];
  /** Take the nearest message by its words where none is the same. */
  readonly isLoose: boolean;
}

/** Finds which recorded turn answers a message. */
export class Matching {
  readonly #options: MatchingOptions;
  readonly #places: readonly Place[];
  /** How often each turn was played. */
  readonly #played = new Map<RecordedTurn, number>();

  constructor(options: MatchingOptions) {
    this.#options = options;
    this.#places = options.conversations.flatMap(conversation => conversation.map((_, index) => ({ conversation, index })));
  }

  /**
   * By the rules of the file, then by the conversation so far. Where several recorded conversations went the same way, they take turns; the
   * one that is under way goes on.
   * @param before the messages of the played conversation before this one
   * @param current where it stands
   */
  find(message: Message, before: readonly Message[], current: Place | undefined): Place | undefined {
    const place = this.#byRule(message) ?? this.#byConversation([...before, message], current) ?? this.#byWords(message);
    if (place !== undefined) this.#played.set(turnAt(place), (this.#played.get(turnAt(place)) ?? 0) + 1);
    return place;
  }

  /** The recorded message that is most like this one; undefined where nothing was recorded. */
  nearest(message: Message): RecordedTurn | undefined {
    const [best] = this.#byLikeness(message);
    return best && turnAt(best.place);
  }

  #byRule(message: Message): Place | undefined {
    const text = textOf(message.parts).toLowerCase();
    const rule = this.#options.rules.find(({ text: wanted }) => text.includes(wanted.toLowerCase()));
    return rule && this.#places.find(place => turnAt(place).number === rule.answer);
  }

  #byConversation(said: readonly Message[], current: Place | undefined): Place | undefined {
    const contents = said.map(({ parts }) => contentOf(parts));
    const isLike = ({ conversation, index }: Place): boolean =>
      index === said.length - 1 && contents.every((content, at) => content === contentOf(conversation[at]!.message.parts));
    const fits = this.#places.filter(isLike);
    const own = fits.find(({ conversation }) => conversation === current?.conversation);
    return own ?? fits.toSorted((one, other) => this.#timesPlayed(one) - this.#timesPlayed(other))[0];
  }

  #byWords(message: Message): Place | undefined {
    if (!this.#options.isLoose) return undefined;
    const [best] = this.#byLikeness(message);
    return best !== undefined && best.likeness > 0 ? best.place : undefined;
  }

  #byLikeness(message: Message): { readonly place: Place; readonly likeness: number }[] {
    const words = wordsOf(message);
    return this.#places
      .map(place => ({ place, likeness: likeness(words, wordsOf(turnAt(place).message)) }))
      .toSorted((one, other) => other.likeness - one.likeness || this.#timesPlayed(one.place) - this.#timesPlayed(other.place));
  }

  #timesPlayed(place: Place): number {
    return this.#played.get(turnAt(place)) ?? 0;
  }
}

/** The content of parts, without their names and metadata. */
const contentOf = (parts: readonly Part[]): string =>
  JSON.stringify(
    parts.map(part => ('text' in part ? part.text : 'data' in part ? ordered(part.data) : 'raw' in part ? part.raw : part.url)),
  );

/** A value with the members of its objects in the order of the alphabet. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, ordered(inner)]),
  );
}

const wordsOf = ({ parts }: Message): ReadonlySet<string> =>
  new Set(
    (textOf(parts) || contentOf(parts))
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );

/** From 0 to 1: twice the words in common, of all words. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter(word => other.has(word)).length;
  return one.size + other.size === 0 ? 1 : (2 * common) / (one.size + other.size);
}
