import type { Call } from './callCode.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';

export interface CodeLanguage {
  readonly title: string;
  /** VS Code's id of the language. */
  readonly languageId: string;
  readonly write: (call: Call) => string;
}

/** Languages that code is written in, each with the protocol's official SDK. Adding one is adding a row. */
export const codeLanguages: Readonly<Record<string, CodeLanguage>> = {
  javascript: { title: 'JavaScript', languageId: 'javascript', write: javascript },
  python: { title: 'Python', languageId: 'python', write: python },
  java: { title: 'Java', languageId: 'java', write: java },
};
