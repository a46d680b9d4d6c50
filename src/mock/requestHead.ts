import type { Version } from '../protocol/versions/shared/version.ts';
import type { IncomingRequest, ScriptedError } from './binding.ts';
import { versionNotSupported } from './errorDetails.ts';

/** The error for a request that is refused because of its version or media type alone; undefined where both are accepted. */
export function headError(came: IncomingRequest, form: Version): ScriptedError | undefined {
  const {
    headers: { 'content-type': mediaType = '' },
  } = came;
  if (form.header !== undefined) {
    const asked = askedVersion(came);
    if (!sameVersion(asked, form.header)) return versionNotSupported(asked, form.header);
  }
  if (came.body === '' || /^(application\/([^;]+\+)?json)?\s*(;|$)/i.test(mediaType.trim())) return undefined;
  return { code: -32005, message: `The media type ${mediaType} is not supported. Send application/json.` };
}

/** The version in the header or query; a request without one is 0.3 (A2A 1.0 §3.6.1, §3.6.2). */
function askedVersion({ headers, url }: IncomingRequest): string {
  const header = headers['a2a-version'];
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?'))).get('A2A-Version') : null;
  return [header, query].flat().find(said => said !== undefined && said !== null && said !== '') ?? '0.3';
}

/** Patch numbers are ignored (A2A 1.0 §3.6). */
const sameVersion = (asked: string, offered: string): boolean => asked === offered || asked.startsWith(`${offered}.`);
