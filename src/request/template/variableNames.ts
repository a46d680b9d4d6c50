import { fnv1a } from '../../protocol/fnv1a.ts';

/** What a secret is called among the variables of a terminal's environment. */
export const secretVariable = (name: string): string => `A2A_SECRET_${variableName(name)}`;

/** What the answer to a question is called among the variables of a terminal's environment. */
export const promptVariable = (label: string): string => `A2A_PROMPT_${variableName(label)}`;

/**
 * Shells take nothing but the letters and digits of ASCII in names of variables. What another script, or a text without any letters, would lose
 * by that is told apart by a hash.
 */
function variableName(name: string): string {
  // One text may be written with letters and marks in two ways.
  const text = name.normalize();
  const written = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  if (text === '' || (/[A-Z0-9]/.test(written) && !/[^\P{L}A-Z]|[^\P{N}0-9]/iu.test(text))) return written;
  const hash = fnv1a(text).toString(16).toUpperCase().padStart(8, '0');
  return [written.replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, ''), hash].filter(part => part !== '').join('_');
}
