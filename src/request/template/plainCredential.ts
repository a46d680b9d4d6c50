import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { headerPieces } from './headerTemplate.ts';

/** The word before a credential (RFC 9110 §11.1), which stays in the settings. */
const scheme = /^(?:basic|bearer|digest|negotiate|dpop|token)\s+/i;
/** Forms of credentials that are known by how they begin, and JSON Web Tokens (RFC 7519). */
const token =
  /^(?:eyJ[\w-]+\.[\w-]+\.[\w-]*|(?:gh[pousr]|github_pat|glpat|xox[abeprs]|sk|pk|rk|ya29|hf|npm)[_.-][\w.-]{16,}|A(?:KIA|SIA)[A-Z\d]{16}|AIza[\w-]{30,})$/;
/** As long a text of letters, digits and signs, with both, is no word. */
const key = /^(?=.*\d)(?=.*[A-Za-z])[\w+/=~.-]{32,}$/;

export interface PlainCredential {
  /** The word before the credential with the space after it, or nothing. */
  readonly scheme: string;
  readonly credential: string;
}

/** The credential that a header of an agent's settings has in plain text; undefined where there is none. */
export function plainCredential(header: string, value: string): PlainCredential | undefined {
  const pieces = headerPieces(value);
  if (pieces.some(({ kind }) => kind !== 'text')) return undefined;
  const text = pieces.map(piece => ('text' in piece ? piece.text : '')).join('');
  const lead = scheme.exec(text)?.[0] ?? '';
  const credential = text.slice(lead.length);
  return credential.trim() !== '' && (namesCredential(header) || lead !== '' || token.test(credential) || key.test(credential))
    ? { scheme: lead, credential }
    : undefined;
}
