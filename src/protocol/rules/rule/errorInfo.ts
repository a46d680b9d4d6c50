import { codeOfReason, errorNames, reasonOf } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import type { PassiveNote } from './passiveCheck.ts';

/** Most details of an error that are looked at. */
const maxDetails = 100;
const domain = 'a2a-protocol.org';

/**
 * Looks for an ErrorInfo among the details of an error. One that names an error of A2A is to spell it as the specification does, without the
 * suffix of the name, and to have A2A's domain (A2A 1.0 §9.5, §10.6, §11.6); any other is the agent's own.
 * @param pointer to the details
 * @returns true where there is one
 */
export function noteErrorInfo(details: unknown, pointer: string, note: PassiveNote): boolean {
  if (!Array.isArray(details)) return false;
  const index = details
    .slice(0, maxDetails)
    .findIndex(detail => isObject(detail) && String(detail['@type']).endsWith('google.rpc.ErrorInfo'));
  if (index === -1) return false;
  const info = details[index] as Readonly<Record<string, unknown>>;
  const said = info['reason'];
  const code = typeof said === 'string' ? codeOfReason(said.toUpperCase()) : undefined;
  if (code === undefined) return true;
  const reason = reasonOf(errorNames[code]!);
  if (said !== reason) note(`${pointer}/${index}/reason`, sentence('{0} should be {1}, not {2}.', 'reason', reason, quoted(said)));
  if (info['domain'] !== domain)
    note(`${pointer}/${index}/domain`, sentence('{0} should be {1}, not {2}.', 'domain', domain, quoted(info['domain'])));
  return true;
}
