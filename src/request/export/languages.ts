import type { Call } from './callCode.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';

interface CodeLanguage {
  readonly title: string;
  readonly write: (call: Call) => string;
}

/**
 * Languages that code is generated in, each with the protocol's official SDK.
 *
 * To add one: a file here and a row.
 */
export const codeLanguages: Readonly<Record<string, CodeLanguage>> = {
  javascript: { title: 'JavaScript', write: javascript },
  python: { title: 'Python', write: python },
};
