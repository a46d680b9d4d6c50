import type { ParseError } from 'jsonc-parser';
import { exactTree } from '../text/exactTree.ts';
import { boundedText, type TextBounds } from '../../protocol/boundedText.ts';
import { problemsIn } from './checks.ts';
import { deepNesting, maxDepth, memberOf, membersOf, nestingOf, type JsonNode } from '../text/jsonNode.ts';
import { needsOf } from '../file/references.ts';
import { locatedString, readEntry, type RequestEntry } from '../file/requestEntry.ts';
import type { RequestFile, RequestFileContent } from '../file/requestFile.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import { syntaxError } from '../text/syntaxErrors.ts';
import { templatesIn, type TemplateUse, type Variable } from '../template/templateUse.ts';
import type { Located, TextRange } from '../text/textRange.ts';

/** What is known about a file besides its text. */
export interface ReadOptions {
  /** Names of variables from environments and the command line. */
  readonly names?: ReadonlySet<string>;
  /** Set in editors: reads only as much as is possible at each keystroke, and reports what is not read. */
  readonly bounded?: boolean;
}

/** Most requests, variables and text that are read in an editor: the time per keystroke grows with them. */
const editorBounds: TextBounds = { items: 1_000, depth: 2, values: 100_000, characters: 4 * 1024 * 1024 };
/** Most problems of one kind that are shown in an editor. */
const maxProblems = 200;

/**
 * Reads a `.a2a` file: JSON with comments and trailing commas whose root is one request, an object with `requests`, or a raw JSON-RPC body.
 * Never throws and accepts any text: complete requests stay readable while another one is being typed.
 */
export function readRequestFile(written: string, { names = new Set(), bounded = false }: ReadOptions = {}): RequestFile {
  const { text, omitted } = bounded ? boundedText(written, editorBounds) : { text: written, omitted: [] };
  const errors: ParseError[] = [];
  const tooDeep = nestingOf(text) > maxDepth;
  const root = tooDeep ? undefined : exactTree(text, errors, { allowTrailingComma: true });
  const syntaxErrors = errors.map(error => syntaxError(error, text));
  if (tooDeep) syntaxErrors.push(tooDeepIn(text));
  return new ReadFile(
    { ...readContent(text, root, names), omitted, maxProblems: bounded ? maxProblems : Number.POSITIVE_INFINITY },
    syntaxErrors,
  );
}

function readContent(
  text: string,
  root: JsonNode | undefined,
  known: ReadonlySet<string>,
): Omit<RequestFileContent, 'needs' | 'omitted' | 'maxProblems'> {
  const list = memberOf(root, 'requests')?.value;
  // Where the whole file is one request, its `agent` is that of the request.
  const agentNode = list !== undefined ? memberOf(root, 'agent')?.value : undefined;
  const agent = locatedString(agentNode);
  const wanted = list !== undefined ? memberOf(root, 'interface')?.value : undefined;
  const headers = list !== undefined ? memberOf(root, 'headers')?.value : undefined;
  const timeoutMs = list !== undefined ? memberOf(root, 'timeoutMs')?.value : undefined;
  const variables = new Map<string, Variable>();
  for (const { name, nameRange, value } of membersOf(memberOf(root, 'variables')?.value)) {
    if (value !== undefined) variables.set(name, { name, nameRange, node: value, templates: templatesIn(text, value) });
  }
  const byName = new Map<string, RequestEntry>();
  const names = new Set<string>();
  const requests: RequestEntry[] = [];
  const add = (node: JsonNode): void => {
    const entry = readEntry(node, {
      text,
      index: requests.length,
      alone: list === undefined,
      agent,
      wanted,
      headers,
      timeoutMs,
      taken: names,
    });
    if (entry === undefined) return;
    requests.push(entry);
    if (entry.name === undefined || names.has(entry.name)) return;
    names.add(entry.name);
    byName.set(entry.name, entry);
  };
  if (list !== undefined) list.children?.filter(({ type }) => type === 'object').forEach(add);
  else if (root?.type === 'object') add(root);
  const agentTemplates = agentNode === undefined ? [] : templatesIn(text, agentNode);
  return { text, root, agent, agentTemplates, known, variables, requests, byName };
}

/** Computes what is expensive and not always needed (for example not for completion) on first access. */
class ReadFile implements RequestFile {
  readonly text: string;
  readonly root: JsonNode | undefined;
  readonly agent: Located<string> | undefined;
  readonly agentTemplates: readonly TemplateUse[];
  readonly variables: ReadonlyMap<string, Variable>;
  readonly known: ReadonlySet<string>;
  readonly requests: readonly RequestEntry[];
  readonly byName: ReadonlyMap<string, RequestEntry>;
  readonly omitted: readonly TextRange[];
  readonly maxProblems: number;
  readonly syntaxErrors: readonly RequestProblem[];
  #needs: RequestFile['needs'] | undefined;
  #problems: RequestFile['problems'] | undefined;

  constructor(content: Omit<RequestFileContent, 'needs'>, syntaxErrors: readonly RequestProblem[]) {
    this.text = content.text;
    this.root = content.root;
    this.agent = content.agent;
    this.agentTemplates = content.agentTemplates;
    this.variables = content.variables;
    this.known = content.known;
    this.requests = content.requests;
    this.byName = content.byName;
    this.omitted = content.omitted;
    this.maxProblems = content.maxProblems;
    this.syntaxErrors = syntaxErrors;
  }

  get needs(): RequestFile['needs'] {
    return (this.#needs ??= needsOf(this));
  }

  get problems(): RequestFile['problems'] {
    return (this.#problems ??= problemsIn(this));
  }
}

function tooDeepIn(text: string): RequestProblem {
  return {
    code: 'too-deep',
    range: { offset: 0, length: Math.min(1, text.length) },
    sentence: deepNesting,
    severity: 'error',
  };
}
