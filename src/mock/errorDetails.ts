import { reasonOf } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { ScriptedError } from './binding.ts';

const errorInfo = 'type.googleapis.com/google.rpc.ErrorInfo';

/**
 * The details of an error in 1.0: `google.rpc.ErrorInfo` with the reason comes first (A2A 1.0 §9.5, §11.6). Data of the script is sent
 * unchanged where it is not a list or already has an ErrorInfo.
 */
export function errorDetails({ code, data }: ScriptedError, form: Version): unknown {
  const name = form.errorNames[code];
  if (name === undefined || (data !== undefined && !Array.isArray(data))) return data;
  const details = (data ?? []) as readonly unknown[];
  if (details.some(detail => isObject(detail) && detail['@type'] === errorInfo)) return details;
  return [{ '@type': errorInfo, reason: reasonOf(name), domain: 'a2a-protocol.org' }, ...details];
}

/** VersionNotSupportedError with the supported versions (A2A 1.0 §3.6.2). */
export const versionNotSupported = (asked: string, offered: string): ScriptedError => ({
  code: -32009,
  message: `A2A ${asked} is not supported. This agent supports ${offered}.`,
  data: [{ '@type': errorInfo, reason: 'VERSION_NOT_SUPPORTED', domain: 'a2a-protocol.org', metadata: { supportedVersions: offered } }],
});
