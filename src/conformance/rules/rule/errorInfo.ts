import { codeOfReason, errorNames, reasonOf } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import type { PassiveNote } from './passiveCheck.ts';

/** Most details of an error that are looked at. */
const maxDetails = 100;
const domain = 'a2a-protocol.org';

/** The code of the error that a reason names, however it is spelled. */
const codeNamed = (reason: unknown): number | undefined => (typeof reason === 'string' ? codeOfReason(reasonOf(reason)) : undefined);

/**
 * Looks for an ErrorInfo of A2A among the details of an error: one that names an error of A2A, or has A2A's domain. It is to have both, the
 * name spelled as the specification does, without its suffix (A2A 1.0 §9.5, §10.6, §11.6); any other is the agent's own.
 * @param pointer to the details
 * @param wanted code of the error, where something else tells it
 * @returns true where there is one
 */
export function noteErrorInfo(details: unknown, pointer: string, note: PassiveNote, wanted?: number): boolean {
  if (!Array.isArray(details)) return false;
  const index = details
    .slice(0, maxDetails)
    .findIndex(
      detail =>
        isObject(detail) &&
        typeof detail['@type'] === 'string' &&
        detail['@type'].endsWith('google.rpc.ErrorInfo') &&
        (detail['domain'] === domain || codeNamed(detail['reason']) !== undefined),
    );
  if (index === -1) return false;
  const info = details[index] as Readonly<Record<string, unknown>>;
  const said = info['reason'];
  const name = errorNames[codeNamed(said) ?? wanted ?? 0];
  if (name === undefined) return true;
  const reason = reasonOf(name);
  if (said !== reason) note(`${pointer}/${index}/reason`, sentence('{0} should be {1}, not {2}.', 'reason', reason, quoted(said)));
  if (info['domain'] !== domain)
    note(`${pointer}/${index}/domain`, sentence('{0} should be {1}, not {2}.', 'domain', domain, quoted(info['domain'])));
  return true;
}
