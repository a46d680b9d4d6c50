/** An error that stops a script and that the person can resolve: what happened, and what to do next. */
export class Failure extends Error {
  readonly nextStep: string;

  constructor(what: string, nextStep: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'Failure';
    this.nextStep = nextStep;
  }
}

/** Prints a failure: its two sentences, or the stack where it is a defect of the script. */
export function printFailure(error: unknown): void {
  if (error instanceof Failure) console.error(`\n${error.message}\n${error.nextStep}`);
  else console.error(error);
}
