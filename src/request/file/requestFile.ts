import type { Capture } from './captures.ts';
import type { ImportedName, ImportUse } from './imports.ts';
import type { TextSetting } from './folderDefaults.ts';
import type { Need } from './references.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { Section } from './sections.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import type { TemplateUse, Variable } from '../template/templateUse.ts';
import type { TextRange } from '../text/textRange.ts';

/** A parsed `.a2a` file, or the fences with requests of a Markdown document together. */
export interface RequestFile {
  readonly text: string;
  /** The text as a whole, or in Markdown each of its fences with requests. */
  readonly sections: readonly Section[];
  readonly markdown: boolean;
  /** The first agent that is set for requests without one, in the file or else in a defaults file. */
  readonly agent?: TextSetting;
  /** All agents that the file sets for requests without one: in Markdown each fence may. */
  readonly agents: readonly TextSetting[];
  /** Every `{{…}}` in what the file sets for its requests. */
  readonly sharedTemplates: readonly TemplateUse[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** Names of variables from outside. */
  readonly known: ReadonlySet<string>;
  /** In text order. */
  readonly requests: readonly RequestEntry[];
  /** By name; of requests with the same name, the first. */
  readonly byName: ReadonlyMap<string, RequestEntry>;
  /** Names of what is begun as a request and has nothing to send yet, such as one whose `message` is misspelt. */
  readonly unfinished: ReadonlySet<string>;
  /** Values of results by the names that requests give them. */
  readonly captures: ReadonlyMap<string, Capture>;
  /** Other files that it uses. */
  readonly imports: readonly ImportUse[];
  /** Their names. Those of the file itself are stronger. */
  readonly imported: ReadonlyMap<string, ImportedName>;
  /** For each request, those that must be sent before it; also for imported ones. */
  readonly needs: ReadonlyMap<RequestEntry, readonly Need[]>;
  /** Problems beyond JSON syntax, in text order. */
  readonly problems: readonly RequestProblem[];
  /** Ranges that are not read, in text order. */
  readonly omitted: readonly TextRange[];
  /** Most problems of one kind that are reported. */
  readonly maxProblems: number;
  /** Errors in JSON syntax. */
  readonly syntaxErrors: readonly RequestProblem[];
}

/** The parsed file before its problems are determined. */
export type RequestFileContent = Omit<RequestFile, 'problems' | 'syntaxErrors'>;
