import { english, sentence, type LocalizedMessage } from './problem.ts';
import type { RuleId, RuleLevel } from './ruleId.ts';

/** A deviation of an agent's data from its protocol version. It does not stop reading. */
export interface Finding {
  readonly rule: RuleId;
  /** RFC 6901 pointer into the object that was read; `""` is the whole object. */
  readonly pointer: string;
  /** The finding in English, as terminals, reports and exports show it; may quote the agent, so it is untrusted text. */
  readonly message: string;
  /** The same with its values apart, to be translated; undefined for a finding that was stored without. */
  readonly sentence?: LocalizedMessage;
  /** The state as received, quoted, where A2A has none of that name. */
  readonly foreignState?: string;
  /** Text of an event that was not applied because it came after the end of its task; its beginning where that is long. */
  readonly ignoredText?: string;
  /** The version whose shape the answer has, where it was requested in another one (VER-04). */
  readonly shape?: string;
  /** The event of a stream that it is about, by its number from 0; undefined for the body, and where it is unknown. */
  readonly frame?: number;
  /** Where the value stands in the body or the event's data: bytes of UTF-8, from and to (exclusive). */
  readonly bytes?: readonly [from: number, to: number];
  /** How often the same cause was found in the exchange; once where undefined. */
  readonly times?: number;
  /** Numbers of further events with the same cause, one for each time: of these at most `maxFindings`. */
  readonly alsoIn?: readonly number[];
  /** Set where the official texts disagree on whether it is a deviation (`disputed` of its rule). */
  readonly disputed?: true;
}

/** Called for each finding while something is read. @param more what programs ask of it */
export type Note = (rule: RuleId, pointer: string, what: LocalizedMessage, more?: Pick<Finding, 'foreignState' | 'shape'>) => void;

/** A `Note` for callers who do not need findings. */
export const ignoreFindings: Note = () => {};

/** @param more its other members */
export const findingOf = (rule: RuleId, pointer: string, what: LocalizedMessage, more?: Partial<Finding>): Finding => ({
  rule,
  pointer,
  message: english(what),
  sentence: what,
  ...more,
});

/** The version of an answer with these findings, where its shape is that of another one than the requested. */
export const shapeIn = (findings: readonly Finding[]): string | undefined => findings.findLast(({ shape }) => shape !== undefined)?.shape;

/** The agent's name of a state that A2A does not define. */
export const foreignStateIn = (findings: readonly Finding[]): string | undefined =>
  findings.findLast(({ foreignState }) => foreignState !== undefined)?.foreignState;

/** The finding as a sentence to translate. */
export const findingSentence = ({ message, sentence: what }: Pick<Finding, 'message' | 'sentence'>): LocalizedMessage =>
  what ?? sentence('{0}', message);

/** Number of findings: what is shown as one is this everywhere, each as often as its cause was found. */
export const findingsIn = (found: readonly { readonly times?: number }[]): number => found.reduce((sum, { times = 1 }) => sum + times, 0);

/** Number of rules: what is shown as a number of broken rules is this everywhere. */
export const rulesIn = (found: readonly { readonly rule: string }[]): number => new Set(found.map(({ rule }) => rule)).size;

/** Most findings that are kept per read, to bound what a hostile answer can cause. */
export const maxFindings = 100;

export function collect(): { readonly note: Note; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  return {
    findings,
    note: (...finding) => {
      if (findings.length < maxFindings) findings.push(findingOf(...finding));
    },
  };
}

/** The level of a rule for people: the keywords of RFC 2119 are the same in every language. */
export const levelWord = (level: RuleLevel): LocalizedMessage => (level === 'tool' ? sentence('tool') : { template: level, args: [] });
