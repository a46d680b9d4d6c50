import { namesCredential } from '../protocol/credentialNames.ts';
import { SecretValues } from '../protocol/secretValues.ts';

/** Secret values that requests of this window have used, and headers of its settings: notifications, titles, tests and the log show none of them. */
export const shownSecrets = new SecretValues();

/** So few letters or digits may be any word: it is a secret only where the header's name says so. */
const anyWord = /^(?:\p{L}{1,7}|\d{1,7})$/u;

/** What is shown from now on has the values of these headers no more; the name of an agent of the list is no secret, wherever else it stands. */
export function noteHeaders(headers: readonly (readonly [name: string, value: string])[], agents: ReadonlySet<string>): void {
  for (const [name, value] of headers) if (!agents.has(value) && (namesCredential(name) || !anyWord.test(value))) shownSecrets.addHeader(name, value);
}
