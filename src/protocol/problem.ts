import type { Finding } from './finding.ts';
import { beginningOf } from './ownText.ts';

/**
 * A sentence for people, as data that the workbench or the terminal can translate: an English template with `{0}`, `{1}` … for the
 * arguments. An argument that is itself a sentence is translated as well.
 */
export interface LocalizedMessage {
  readonly template: string;
  readonly args: readonly (string | number | LocalizedMessage)[];
  /** Used instead in a terminal, where other commands are available. Terminal output is in English. */
  readonly terminal?: Omit<LocalizedMessage, 'terminal'>;
}

export function sentence(template: string, ...args: LocalizedMessage['args']): LocalizedMessage {
  return { template, args };
}

/** A next step that mentions editor features, with a template for the terminal. Both use the same arguments. */
export function hint(editor: LocalizedMessage, terminal: string): LocalizedMessage {
  return { ...editor, terminal: { template: terminal, args: editor.args } };
}

/** A list in a sentence: `a, b, c`, which each language separates in its own way. */
export function listOf(items: LocalizedMessage['args']): LocalizedMessage {
  if (items.length < 2) return sentence('{0}', items[0] ?? '');
  // In halves, so that a long list is not nested deeply.
  const half = items.length >> 1;
  return sentence('{0}, {1}', listOf(items.slice(0, half)), listOf(items.slice(half)));
}

/** The sentence in English, with its arguments. */
export function english({ template, args }: LocalizedMessage): string {
  return filled(template, args, english);
}

/** The sentence as a terminal shows it. */
export function inTerminal({ template, args, terminal }: LocalizedMessage): string {
  return filled(terminal?.template ?? template, terminal?.args ?? args, inTerminal);
}

const chinese = /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/;
/** Texts that need no space between them and Chinese ones. */
const [wideStart, wideEnd] = [/^[\u201c\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/, /[\u201d\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]$/];

/**
 * A template with its arguments. A Chinese one has a space beside an argument that is usually in Latin letters: it is left out beside any
 * other, and a JSON string gets Chinese quotation marks.
 * @param said the text of an argument that is a sentence
 */
export function filled(template: string, args: LocalizedMessage['args'], said: (arg: LocalizedMessage) => string): string {
  const isChinese = chinese.test(template);
  return template.replace(/( ?)\{(\d+)\}( ?)/g, (whole, before: string, index: string, after: string) => {
    const arg = args[Number(index)];
    if (arg === undefined) return whole;
    const text = typeof arg === 'object' ? said(arg) : String(arg);
    // A full-width full stop has the space after it in itself.
    if (!isChinese) return `${before}${text}${text.endsWith('。') ? '' : after}`;
    const shown = text.replace(/^"([^"]*)"$/, '“$1”');
    return `${wideStart.test(shown) ? '' : before}${shown}${wideEnd.test(shown) ? '' : after}`;
  });
}

export interface ProblemOptions {
  /** The next step for the person. */
  readonly nextStep?: LocalizedMessage;
  /** Verbatim evidence, such as the first bytes of an answer or a list of attempts. Untrusted text. */
  readonly details?: string;
  readonly cause?: unknown;
}

/** Longest text that a problem holds of what an agent said: as details, and in a sentence. In UTF-16 code units. */
const maxDetails = 64 * 1024;
const maxArgument = 16 * 1024;

/** A sentence whose texts hold nothing of what they were cut from, since problems outlive answers. */
function bounded(what: LocalizedMessage): LocalizedMessage {
  const { args, terminal } = what;
  if (args.length === 0 && (terminal === undefined || terminal.args.length === 0)) return what;
  const all = (own: LocalizedMessage['args']): LocalizedMessage['args'] =>
    own.map(arg => (typeof arg === 'string' ? beginningOf(arg, maxArgument, '…') : typeof arg === 'object' ? bounded(arg) : arg));
  return { ...what, args: all(args), ...(terminal !== undefined && { terminal: { ...terminal, args: all(terminal.args) } }) };
}

/**
 * An error for people: what happened and what to do next, of which long texts are cut. Any other error that is thrown is a defect in our code and belongs in the log.
 */
export class Problem extends Error {
  readonly code: string;
  readonly sentence: LocalizedMessage;
  readonly details: string | undefined;
  #nextStep: LocalizedMessage | undefined;
  #exchangeId: string | undefined;
  #address: string | undefined;
  #findings: readonly Finding[] = [];
  #statuses: readonly (number | string)[] = [];
  /** How long the agent says to wait before the next request, in milliseconds; 0 where it does not. */
  waitMs = 0;

  constructor(code: string, what: LocalizedMessage, { nextStep, details, cause }: ProblemOptions = {}) {
    const own = bounded(what);
    super(english(own), { cause });
    this.name = 'Problem';
    this.code = code;
    this.sentence = own;
    this.#nextStep = nextStep && bounded(nextStep);
    this.details = details === undefined ? undefined : beginningOf(details, maxDetails, '…');
  }

  get nextStep(): LocalizedMessage | undefined {
    return this.#nextStep;
  }

  /** Replaces the next step. For callers that know more about the request than the code that created the problem. */
  advise(nextStep: LocalizedMessage): void {
    this.#nextStep = bounded(nextStep);
  }

  /** How the answer failed, in terms of its protocol: an HTTP status, or number and name of a gRPC status. */
  get statuses(): readonly (number | string)[] {
    return this.#statuses;
  }

  cameWith(...statuses: readonly (number | string)[]): void {
    this.#statuses = statuses;
  }

  /** The exchange in which the problem occurred, if any. */
  get exchangeId(): string | undefined {
    return this.#exchangeId;
  }

  /** URL of that exchange's request where it was a call of the agent, with credentials masked. */
  get address(): string | undefined {
    return this.#address;
  }

  /** Findings of that exchange until it ended with the problem. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Only the first call has an effect. */
  cameAboutIn(exchangeId: string, findings: readonly Finding[] = [], address?: string): void {
    if (this.#exchangeId !== undefined) return;
    this.#exchangeId = exchangeId;
    this.#address = address;
    this.#findings = findings;
  }
}

/** The result of work; undefined where it throws a `Problem`, which does not matter to the caller. */
export function unlessProblem<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
