/**
 * A sentence for a person, kept as data so that the edge (workbench, terminal) can translate it: an English template with
 * `{0}`, `{1}` … for the arguments. An argument that is a sentence itself is translated as well.
 */
export interface Sentence {
  readonly template: string;
  readonly args: readonly (string | number | Sentence)[];
}

export function sentence(template: string, ...args: Sentence['args']): Sentence {
  return { template, args };
}

/** The sentence in English, its arguments put in. */
export function english({ template, args }: Sentence): string {
  return template.replace(/\{(\d+)\}/g, (whole, index: string) => {
    const arg = args[Number(index)] ?? whole;
    return typeof arg === 'object' ? english(arg) : String(arg);
  });
}

export interface ProblemOptions {
  /** What the person can do next. */
  readonly nextStep?: Sentence;
  /** What was seen, word for word (an answer's first bytes, a list of attempts). Untrusted text. */
  readonly details?: string;
  readonly cause?: unknown;
}

/**
 * Something a person must be told: what happened and what to do next. Everything else that is thrown is a defect of ours and
 * belongs in the log.
 */
export class Problem extends Error {
  readonly code: string;
  readonly sentence: Sentence;
  readonly nextStep: Sentence | undefined;
  readonly details: string | undefined;
  #exchangeId: string | undefined;

  constructor(code: string, what: Sentence, options: ProblemOptions = {}) {
    super(english(what), { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.sentence = what;
    this.nextStep = options.nextStep;
    this.details = options.details;
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
