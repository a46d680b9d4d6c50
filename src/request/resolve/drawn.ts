import type { Scope } from './fill.ts';

/** Something that templates drew on while they were filled in, which somebody must know of. */
export type Draw =
  /** A secret or a private value of an environment; `key` tells it from the others, `name` is for people. */
  | { readonly kind: 'secret'; readonly key: string; readonly name: string; readonly value: unknown; readonly isPrivate?: true }
  /** What an agent answered to an earlier request. */
  | { readonly kind: 'answer' }
  /** The data of the row that is sent. */
  | { readonly kind: 'row' };

export type SecretDraw = Extract<Draw, { readonly kind: 'secret' }>;

/** What a piece of a request holds: its secrets by key, and whether an answer has a part in it. */
export interface Drawn {
  readonly secrets: ReadonlyMap<string, SecretDraw>;
  readonly answers: boolean;
}

const drewNothing: Drawn = { secrets: new Map(), answers: false };

/**
 * Does something with templates, and says what they drew on besides what it gives.
 * @param rows what the rows of data were made of: whoever draws on a row draws on that.
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
