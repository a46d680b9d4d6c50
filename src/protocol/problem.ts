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

/** The sentence in English, with its arguments. */
export function english({ template, args }: LocalizedMessage): string {
  return filled(template, args, english);
}

/** The sentence as a terminal shows it. */
export function inTerminal({ template, args, terminal }: LocalizedMessage): string {
  return filled(terminal?.template ?? template, terminal?.args ?? args, inTerminal);
}

function filled(template: string, args: LocalizedMessage['args'], said: (arg: LocalizedMessage) => string): string {
  return template.replace(/\{(\d+)\}/g, (whole, index: string) => {
    const arg = args[Number(index)] ?? whole;
    return typeof arg === 'object' ? said(arg) : String(arg);
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
