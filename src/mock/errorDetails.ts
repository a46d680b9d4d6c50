import { reasonOf } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { ScriptedError } from './binding.ts';

const errorInfo = 'type.googleapis.com/google.rpc.ErrorInfo';

/**
 * An error's details as 1.0 has them, `google.rpc.ErrorInfo` with the reason first (A2A 1.0 §9.5, §11.6). What the script says stands
 * as it is where that is another shape, and where it has an ErrorInfo of its own.
 */
export function errorDetails({ code, data }: ScriptedError, form: Version): unknown {
  const name = form.errorNames[code];
  if (name === undefined || (data !== undefined && !Array.isArray(data))) return data;
  const details = (data ?? []) as readonly unknown[];
  if (details.some(detail => isObject(detail) && detail['@type'] === errorInfo)) return details;
  return [{ '@type': errorInfo, reason: reasonOf(name), domain: 'a2a-protocol.org' }, ...details];
}

/** The error of a version that is not offered, with those that are (A2A 1.0 §3.6.2). */
export const versionNotSupported = (asked: string, offered: string): ScriptedError => ({
  code: -32009,
  message: `A2A ${asked} is not supported. This agent supports ${offered}.`,
  data: [{ '@type': errorInfo, reason: 'VERSION_NOT_SUPPORTED', domain: 'a2a-protocol.org', metadata: { supportedVersions: offered } }],
});
