import { useEffect, useState } from 'preact/hooks';
import { hiddenSecret, withoutSecrets } from '../../protocol/secrets/withoutSecrets.ts';
import { usePanel } from '../panel/panelContext.ts';

/** Placeholder for a hidden value. */
export const hiddenValue = Symbol('secret');

const none: readonly string[] = [];

/** Pointers to passwords in the data of the person's message; undefined until the host has answered. */
export function useSecrets(seq: number): readonly string[] | undefined {
  const panel = usePanel();
  const entry = panel.transcript.view(seq)?.value.entry;
  const mine = entry?.kind === 'message' && entry.message.role === 'ROLE_USER';
  const [pointers, setPointers] = useState<readonly string[]>();
  useEffect(() => {
    let current = true;
    if (mine)
      void panel.secretsOf(seq).then(found => {
        if (current) setPointers(found ?? none);
      });
    return () => {
      current = false;
    };
  }, [seq, mine]);
  return mine ? pointers : none;
}

/** The value with `secret` at these pointers. */
export const secretsHidden = (value: unknown, pointers: readonly string[]): unknown => withoutSecrets(value, pointers, hiddenValue);

/** JSON for display, with dots for each `secret`. */
export const shownJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, member: unknown) => (member === hiddenValue ? hiddenSecret : member), indent);
