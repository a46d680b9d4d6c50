import type { JsonNode } from '../text/jsonNode.ts';
import type { Need } from './references.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import type { TemplateUse, Variable } from '../template/templateUse.ts';
import type { Located, TextRange } from '../text/textRange.ts';

/** A parsed `.a2a` file. */
export interface RequestFile {
  readonly text: string;
  /** The tree of the text; undefined where there is none, or it is nested too deeply. */
  readonly root?: JsonNode;
  /** The agent for requests without one. */
  readonly agent?: Located<string>;
  readonly agentTemplates: readonly TemplateUse[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** Names of variables from outside. */
  readonly known: ReadonlySet<string>;
  /** In text order. */
  readonly requests: readonly RequestEntry[];
  /** By name; of requests with the same name, the first. */
  readonly byName: ReadonlyMap<string, RequestEntry>;
  /** For each request, those that must be sent before it. */
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
