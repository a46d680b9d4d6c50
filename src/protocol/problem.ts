/**
 * A sentence for a person, kept as data so that the edge (workbench, terminal) can translate it: an English template with
 * `{0}`, `{1}` … for the arguments. An argument that is a sentence itself is translated as well.
 */
export interface LocalizedMessage {
  readonly template: string;
  readonly args: readonly (string | number | LocalizedMessage)[];
  /** What is said instead in a terminal, where there are other means; in English, as all that is said there. */
  readonly terminal?: Omit<LocalizedMessage, 'terminal'>;
}

export function sentence(template: string, ...args: LocalizedMessage['args']): LocalizedMessage {
  return { template, args };
}

/** A next step that names what the editor has, with the template of what to do in a terminal instead; both take the same arguments. */
export function hint(editor: LocalizedMessage, terminal: string): LocalizedMessage {
  return { ...editor, terminal: { template: terminal, args: editor.args } };
}

/** The sentence in English, its arguments put in. */
export function english({ template, args }: LocalizedMessage): string {
  return filled(template, args, english);
}

/** The same as it is said in a terminal. */
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
  /** What the person can do next. */
  readonly nextStep?: LocalizedMessage;
  /** What was seen, word for word (an answer's first bytes, a list of attempts). Untrusted text. */
  readonly details?: string;
  readonly cause?: unknown;
}

const brand = Symbol.for('a2a-workbench.Problem');

/**
 * Something a person must be told: what happened and what to do next. Everything else that is thrown is a defect of ours and
 * belongs in the log.
 */
export class Problem extends Error {
  /** Bundles that are loaded when they are used have a class of their own; what it makes is a `Problem` everywhere. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === Problem
      ? typeof value === 'object' && value !== null && brand in value
      : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  readonly [brand] = true;
  readonly code: string;
  readonly sentence: LocalizedMessage;
  readonly details: string | undefined;
  #nextStep: LocalizedMessage | undefined;
  #exchangeId: string | undefined;
  #statuses: readonly (number | string)[] = [];

  constructor(code: string, what: LocalizedMessage, options: ProblemOptions = {}) {
    super(english(what), { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.sentence = what;
    this.#nextStep = options.nextStep;
    this.details = options.details;
  }

  get nextStep(): LocalizedMessage | undefined {
    return this.#nextStep;
  }

  /** Who knows what was asked, and of what, may know a better next step than the problem alone suggests. */
  advise(nextStep: LocalizedMessage): void {
    this.#nextStep = nextStep;
  }

  /** How the answer failed in the words of what carried it: the number of an HTTP status, number and name of one of gRPC. */
  get statuses(): readonly (number | string)[] {
    return this.#statuses;
  }

  cameWith(...statuses: readonly (number | string)[]): void {
    this.#statuses = statuses;
  }

  /** The exchange in which it came about, where there was one. */
  get exchangeId(): string | undefined {
    return this.#exchangeId;
  }

  /** Only the first call counts. */
  cameAboutIn(exchangeId: string): void {
    this.#exchangeId ??= exchangeId;
  }
}
