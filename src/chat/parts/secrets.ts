import { hiddenSecret, withoutSecrets } from '../../protocol/secrets/withoutSecrets.ts';
import { useContentHost } from '../panel/panelContext.ts';
import { useLoaded } from '../widgets/useLoaded.ts';

/** Placeholder for a hidden value. */
export const hiddenValue = Symbol('secret');

const none: readonly string[] = [];

/** Pointers to passwords in the data of the person's message; undefined until the host has answered. */
export function useSecrets(seq: number): readonly string[] | undefined {
  const host = useContentHost();
  const mine = host.isMine(seq);
  const pointers = useLoaded(() => (mine ? host.secretsOf(seq).then(found => found ?? none) : undefined), [seq, mine]);
  return mine ? pointers : none;
}

/** The value with `secret` at these pointers. */
export const secretsHidden = (value: unknown, pointers: readonly string[]): unknown => withoutSecrets(value, pointers, hiddenValue);

/** JSON for display, with dots for each `secret`. */
export const shownJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, member: unknown) => (member === hiddenValue ? hiddenSecret : member), indent);
