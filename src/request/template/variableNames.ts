import { fnv1a } from '../../protocol/fnv1a.ts';

/** The environment variable with a secret. */
export const secretVariable = (name: string): string => `A2A_SECRET_${variableName(name)}`;

/** The environment variable with the answer to a prompt. */
export const promptVariable = (label: string): string => `A2A_PROMPT_${variableName(label)}`;

const credentialVariable =
  /(?:^|_)(?:pass(?:word|phrase|wd)?|pwd|secrets?|tokens?|(?:api)?keys?|credentials?|auth(?:orization)?|cookies?|pat|jwt)(?:_|$)/i;

/** True for an environment variable whose value is a credential by its name; those of all others may be any words. */
export const isCredentialVariable = (name: string): boolean => credentialVariable.test(name);

/**
 * Shells allow only ASCII letters and digits in names of variables. A hash is added where other characters would be lost, so that names
 * stay distinct.
 */
function variableName(name: string): string {
  // The same text can have several Unicode forms.
  const text = name.normalize();
  const written = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  if (text === '' || (/[A-Z0-9]/.test(written) && !/[^\P{L}A-Z]|[^\P{N}0-9]/iu.test(text))) return written;
  const hash = fnv1a(text).toString(16).toUpperCase().padStart(8, '0');
  return [written.replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, ''), hash].filter(part => part !== '').join('_');
}
