import type { JsonNode } from '../text/jsonNode.ts';
import type { Need } from './references.ts';
import type { RequestEntry } from './requestEntry.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import type { TemplateUse, Variable } from '../template/templateUse.ts';
import type { Located, TextRange } from '../text/textRange.ts';

/** A `.a2a` text, read. */
export interface RequestFile {
  readonly text: string;
  /** The tree of the text; undefined where there is none, or it is too deep. */
  readonly root?: JsonNode;
  /** The agent of requests that name none. */
  readonly agent?: Located<string>;
  readonly agentTemplates: readonly TemplateUse[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** Names of variables from outside. */
  readonly known: ReadonlySet<string>;
  /** In the order of the text. */
  readonly requests: readonly RequestEntry[];
  /** By name; of requests with one name, the first. */
  readonly byName: ReadonlyMap<string, RequestEntry>;
  /** What each request needs to have been sent before it. */
  readonly needs: ReadonlyMap<RequestEntry, readonly Need[]>;
  /** What is wrong in the sense of the format, in the order of the text. */
  readonly problems: readonly RequestProblem[];
  /** What is not read, in the order of the text. */
  readonly omitted: readonly TextRange[];
  /** Most problems of one kind that are told. */
  readonly mostProblems: number;
  /** What is wrong in the sense of JSON. */
  readonly syntaxErrors: readonly RequestProblem[];
}

/** What is read of a file before its problems are looked for. */
export type RequestFileContent = Omit<RequestFile, 'problems' | 'syntaxErrors'>;
