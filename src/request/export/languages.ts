import type { Call } from './callCode.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';

interface CodeLanguage {
  readonly title: string;
  /** VS Code's language id. */
  readonly languageId: string;
  readonly write: (call: Call) => string;
}

/** Languages that code is generated in, each with the protocol's official SDK. */
export const codeLanguages: Readonly<Record<string, CodeLanguage>> = {
  javascript: { title: 'JavaScript', languageId: 'javascript', write: javascript },
  python: { title: 'Python', languageId: 'python', write: python },
  java: { title: 'Java', languageId: 'java', write: java },
};
