import type { Scope } from './fill.ts';

/** A value used while filling in templates that callers must know about. */
export type Draw =
  /** A secret, or a private value of an environment; `key` is unique, `name` is for people. */
  | { readonly kind: 'secret'; readonly key: string; readonly name: string; readonly value: unknown; readonly isPrivate?: true }
  /** An agent's answer to an earlier request. */
  | { readonly kind: 'answer' }
  /** The data of the current row. */
  | { readonly kind: 'row' };

export type SecretDraw = Extract<Draw, { readonly kind: 'secret' }>;

/** What part of a request contains: its secrets by key, and whether an answer was used. */
export interface Drawn {
  readonly secrets: ReadonlyMap<string, SecretDraw>;
  readonly answers: boolean;
}

const drewNothing: Drawn = { secrets: new Map(), answers: false };

/**
 * Runs `work` with templates and returns its result with what the templates used.
 * @param rows what the rows of data were made of: it counts where a row is used.
 */
export async function drawing<T>(
  scope: Scope,
  work: (scope: Scope) => Promise<T>,
  rows: Drawn = drewNothing,
): Promise<{ readonly value: T; readonly drawn: Drawn }> {
  const secrets = new Map<string, SecretDraw>();
  let answers = false;
  const onDraw = (draw: Draw): void => {
    scope.onDraw?.(draw);
    if (draw.kind === 'secret') secrets.set(draw.key, draw);
    else if (draw.kind === 'answer') answers = true;
    else {
      for (const [key, secret] of rows.secrets) secrets.set(key, secret);
      answers ||= rows.answers;
    }
  };
  return {
    value: await work({ ...scope, onDraw }),
    drawn: {
      secrets,
      get answers() {
        return answers;
      },
    },
  };
}
