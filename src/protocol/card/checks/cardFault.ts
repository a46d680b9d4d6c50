import { isObject } from '../../json.ts';
import type { LocalizedMessage } from '../../problem.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Names of members and indices, from the card to a place in it. */
export type CardPath = readonly (string | number)[];

/** Sets the value at a path (undefined removes it), or gives the member there another name. */
export type CardEdit = { readonly path: CardPath } & ({ readonly value: unknown } | { readonly name: string });

interface Fix {
  readonly title: LocalizedMessage;
  readonly edits: readonly CardEdit[];
}

/** A fault in a card that its JSON schema cannot find. */
export interface CardFault {
  readonly code: string;
  readonly path: CardPath;
  /** Set where the member's name is wrong, not its value. */
  readonly isName?: true;
  readonly severity: 'error' | 'warning' | 'information';
  readonly sentence: LocalizedMessage;
  /** Set where the official texts disagree whether it is one. */
  readonly disputed?: true;
  /** Most likely fix first. May be computed on access. */
  readonly fixes: readonly Fix[];
}

/** A card as it came or was written. */
export interface CheckedCard {
  readonly card: Fields;
  /** The form in which it has its interfaces: `supportedInterfaces`, or the `url` of 0.3 and before. */
  readonly form: '1.0' | '0.3';
}

/** One check of a card. Pure, and never throws whatever is in the card. */
export type CardCheck = (card: CheckedCard) => Iterable<CardFault>;

/** Most items of one list that are looked at: as many as are read of a card. */
const maxItems = 1_000;

/** The items of a list with their indices; none for anything else. */
export const listed = (value: unknown): readonly (readonly [index: number, item: unknown])[] =>
  Array.isArray(value) ? value.slice(0, maxItems).map((item: unknown, index) => [index, item] as const) : [];

/** The items of a list that are objects, with their indices. */
export const objectsIn = (value: unknown): readonly (readonly [index: number, item: Fields])[] =>
  listed(value).filter((entry): entry is readonly [number, Fields] => isObject(entry[1]));

/** The members of an object; none for anything else. */
export const membersIn = (value: unknown): readonly (readonly [name: string, value: unknown])[] =>
  isObject(value) ? Object.entries(value) : [];

export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The card itself and its skills, with their paths: many members are of both. */
export const withSkills = ({ card }: CheckedCard): readonly (readonly [path: CardPath, holder: Fields])[] => [
  [[], card],
  ...objectsIn(card['skills']).map(([index, skill]) => [['skills', index], skill] as const),
];
