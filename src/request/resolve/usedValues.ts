import type { Scope } from './fill.ts';

/** A value used while filling in templates that callers must know about. */
export type UsedValue =
  /**
   * A secret, or a private value of an environment; `key` is unique, `name` is for people. `isShown`: it goes to the origins alone that it may
   * go to, and is no secret besides.
   */
  | {
      readonly kind: 'secret';
      readonly key: string;
      readonly name: string;
      readonly value: unknown;
      readonly isPrivate?: true;
      readonly isShown?: true;
    }
  /** An agent's answer to an earlier request. */
  | { readonly kind: 'answer' }
  /** The data of the current row. */
  | { readonly kind: 'row' };

export type SecretDraw = Extract<UsedValue, { readonly kind: 'secret' }>;

/** Values used in a part of a request: secrets by key, and whether an answer was used. */
export interface UsedValues {
  readonly secrets: ReadonlyMap<string, SecretDraw>;
  readonly answers: boolean;
}

const drewNothing: UsedValues = { secrets: new Map(), answers: false };

/**
 * Runs `work` with templates and returns its result with what the templates used.
 * @param rows what the rows of data were made of: it counts where a row is used.
 */
export async function trackUsedValues<T>(
  scope: Scope,
  work: (scope: Scope) => Promise<T>,
  rows: UsedValues = drewNothing,
): Promise<{ readonly value: T; readonly drawn: UsedValues }> {
  const secrets = new Map<string, SecretDraw>();
  let answers = false;
  const onDraw = (draw: UsedValue): void => {
    scope.onUse?.(draw);
    if (draw.kind === 'secret') secrets.set(draw.key, draw);
    else if (draw.kind === 'answer') answers = true;
    else {
      for (const [key, secret] of rows.secrets) secrets.set(key, secret);
      answers ||= rows.answers;
    }
  };
  return {
    value: await work({ ...scope, onUse: onDraw }),
    drawn: {
      secrets,
      get answers() {
        return answers;
      },
    },
  };
}
