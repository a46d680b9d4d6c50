import canonicalize from 'canonicalize';
import { isObject } from '../../../protocol/json.ts';
import { sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { withoutDefaults, withoutEmpty, type Dropped } from './defaults.ts';
import { asSerialized, asSerializedTwice, withPresence } from './protoJson.ts';
import { pythonJson } from './pythonJson.ts';

/** A way to make the bytes of a card that are signed. */
interface Form {
  /** Undefined for the form that A2A 1.0 §8.4.1 specifies. */
  readonly name: LocalizedMessage | undefined;
  readonly fits: (card: Card) => boolean;
  /** The members that are signed, from the card without `signatures`. */
  readonly signed: (card: Card, dropped?: Dropped) => unknown;
  readonly text: (signed: unknown) => string;
}

type Card = Readonly<Record<string, unknown>>;

const always = (): boolean => true;
const has1_0Shape = (card: Card): boolean => 'supportedInterfaces' in card;
const isEmptyText = (scalar: unknown): boolean => scalar === '';
const isFalsy = (scalar: unknown): boolean => scalar === '' || scalar === false || scalar === 0;
/** RFC 8785. @throws Error for text that is not Unicode */
const canonical = (value: unknown): string => canonicalize(value) ?? '{}';
const bySdk = (card: Card, dropped?: Dropped): unknown => withoutEmpty(asSerialized(card, dropped), isEmptyText, dropped) ?? {};

/** Defaults that the Python SDK of 0.3 leaves out. */
const defaults0_3: Readonly<Record<string, unknown>> = { preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' };

function withoutDefaults0_3(card: Card): unknown {
  const { securitySchemes, ...rest } = card;
  const members = Object.entries(rest).filter(([name, value]) => !Object.hasOwn(defaults0_3, name) || defaults0_3[name] !== value);
  if (!isObject(securitySchemes)) return { ...Object.fromEntries(members), ...('securitySchemes' in card && { securitySchemes }) };
  const schemes = Object.entries(securitySchemes).map(([name, scheme]) => {
    if (!isObject(scheme)) return [name, scheme];
    const { type: _, ...others } = scheme;
    return [name, others];
  });
  return { ...Object.fromEntries(members), securitySchemes: Object.fromEntries(schemes) as unknown };
}

/**
 * The forms in which cards are signed, the specified one first: signers differ in what they leave out, since §8.4.1, §8.4.2 and the SDKs do.
 * No form adds anything to the card.
 *
 * To add one: a row here, the table of `docs/agent-cards.md`, and cases of `canonicalForm.test.ts`.
 */
const forms: readonly Form[] = [
  { name: undefined, fits: has1_0Shape, signed: withPresence, text: canonical },
  { name: sentence('the card as it was received'), fits: always, signed: card => card, text: canonical },
  {
    name: sentence('what the official SDKs write: members of A2A 1.0 that are not empty'),
    fits: has1_0Shape,
    signed: bySdk,
    text: canonical,
  },
  {
    name: sentence('what the JavaScript SDK writes: members of A2A 1.0 that are not empty, without security schemes'),
    fits: has1_0Shape,
    signed: (card, dropped) => withoutEmpty(asSerializedTwice(card, dropped), isEmptyText, dropped) ?? {},
    text: canonical,
  },
  {
    name: sentence('what the Python SDK writes: members of A2A 1.0 that are not empty, as JSON of Python instead of RFC 8785'),
    fits: has1_0Shape,
    signed: bySdk,
    text: signed => pythonJson(signed, true),
  },
  {
    name: sentence('the card without any default value, even where the member is required (§8.4.2 taken literally)'),
    fits: always,
    signed: (card, dropped) => withoutEmpty(card, isFalsy, dropped) ?? {},
    text: canonical,
  },
  {
    name: sentence('the card without default values, where what is empty only then is kept'),
    fits: always,
    signed: withoutDefaults,
    text: canonical,
  },
  {
    name: sentence('what the Python SDK of A2A 0.3 writes'),
    fits: card => !has1_0Shape(card),
    signed: (card, dropped) => withoutEmpty(withoutDefaults0_3(card), isEmptyText, dropped) ?? {},
    text: signed => pythonJson(signed, false),
  },
  {
    name: sentence('what the first Python SDKs of A2A 0.3 write, without false and 0'),
    fits: card => !has1_0Shape(card),
    signed: (card, dropped) => withoutEmpty(withoutDefaults0_3(card), isFalsy, dropped) ?? {},
    text: signed => pythonJson(signed, false),
  },
];

/** The bytes that one form makes of a card. */
export interface SignedForm {
  /** Undefined for the form that A2A 1.0 §8.4.1 specifies. */
  readonly name: LocalizedMessage | undefined;
  readonly bytes: Uint8Array;
  /** Places (RFC 6901) of the card that these bytes do not contain although they have a meaning. */
  readonly uncovered: () => readonly string[];
}

/**
 * All forms of a card that differ, the specified one first. `signatures` is in none (A2A 1.0 §8.4.1 rule 3).
 * @param card its texts are Unicode: no half of a surrogate pair
 */
export function signedForms({ signatures: _, ...card }: Card): readonly SignedForm[] {
  const found = new Map<string, SignedForm>();
  for (const { name, fits, signed, text } of forms) {
    if (!fits(card)) continue;
    const written = text(signed(card));
    if (found.has(written)) continue;
    found.set(written, {
      name,
      bytes: Buffer.from(written),
      uncovered: () => {
        const pointers: string[] = [];
        signed(card, pointer => pointers.push(pointer));
        return pointers;
      },
    });
  }
  return [...found.values()];
}

/**
 * Forms of signers who forget to leave out `signatures`: the card with an empty list, or with those that were there before. A signature
 * over one of these is invalid; the forms only explain why.
 */
export function formsWithSignatures(card: Card, index: number): readonly Uint8Array[] {
  const list = Array.isArray(card['signatures']) ? (card['signatures'] as readonly unknown[]) : [];
  return [[], ...(index === 0 ? [] : [list.slice(0, index)])].map(signatures => Buffer.from(canonical({ ...card, signatures })));
}
