/** What functions draw on; given from outside, so that a test or a replay can fix it. */
export interface FunctionHost {
  readonly now: () => Date;
  readonly uuid: () => string;
}

export const systemHost: FunctionHost = { now: () => new Date(), uuid: () => crypto.randomUUID() };

export interface TemplateFunction {
  readonly description: string;
  /** What stands after the name, for people; absent where nothing may. */
  readonly argument?: string;
  evaluate(argument: string, host: FunctionHost): unknown;
}

/** The functions of `{{$name argument}}`, by name without the dollar. `evaluate` may answer a promise. Adding one is adding a row. */
export const functions: Readonly<Record<string, TemplateFunction>> = {
  uuid: {
    description: 'A new random UUID, another one at each place.',
    evaluate: (_argument, host) => host.uuid(),
  },
  timestamp: {
    description: 'The time of sending, ISO 8601 in UTC with milliseconds.',
    evaluate: (_argument, host) => host.now().toISOString(),
  },
};

export function functionOf(name: string): TemplateFunction | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}
