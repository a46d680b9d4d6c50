import type { SecretQuestion } from '../../model/agents/secretOrigins.ts';
import type { Confirmation } from '../../model/requests/sendContext.ts';
import { isYes, type AskUser } from '../terminal/ask.ts';
import type { RunFile } from './runFiles.ts';
import { UsageError } from '../terminal/usage.ts';

/**
 * Asks before anything is sent with the values of an environment marked as production; refuses without a terminal. @throws UsageError
 */
export async function confirmProduction(
  files: readonly RunFile[],
  environment: string | undefined,
  ask: AskUser | undefined,
): Promise<void> {
  if (environment === undefined || !files.some(({ production }) => production)) return;
  const question = `Send in the environment "${environment}"? It is marked as production.`;
  if (ask !== undefined && (await isYes(ask, question))) return;
  throw new UsageError(
    ask === undefined
      ? `The environment ${environment} is marked as production, so nothing was sent. Run it with --yes.`
      : `Nothing was sent, because the environment ${environment} is marked as production and was not confirmed.`,
  );
}

/** Asks before a secret or a variable goes to an origin that it has not gone to in this run. */
export const confirmSecret =
  (ask: AskUser) =>
  ({ names, origin, chosenByAnswer }: SecretQuestion): Promise<boolean> =>
    isYes(
      ask,
      chosenByAnswer
        ? `Send ${names.join(', ')} to ${origin}? The answer of an agent chose that address.`
        : `Send ${names.join(', ')} to ${origin}? Until now it was sent to other addresses only.`,
    );

/** Asks for confirmation before a request marked with `confirm`. */
export const confirmRequest =
  (ask: AskUser) =>
  ({ entry: { name, index }, question }: Confirmation): Promise<boolean> =>
    isYes(ask, question ?? `Send "${name ?? `Request ${index + 1}`}"?`);
