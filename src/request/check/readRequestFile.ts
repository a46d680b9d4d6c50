import type { TextBounds } from '../../protocol/boundedText.ts';
import { problemsIn } from './checks.ts';
import { capturesOf } from '../file/captures.ts';
import { importedNames, importsIn, type ReadImports } from '../file/imports.ts';
import { noSettings, type SharedSettings, type TextSetting } from '../file/folderDefaults.ts';
import { needsOf } from '../file/references.ts';
import { locatedString, readEntry, type RequestEntry } from '../file/requestEntry.ts';
import type { RequestFile, RequestFileContent } from '../file/requestFile.ts';
import { isSettingsAlone, readSections, type Section } from '../file/sections.ts';
import { combined, settingsIn } from '../file/settingsIn.ts';
import { memberOf, membersOf } from '../text/jsonNode.ts';
import { tooDeep, type RequestProblem } from '../text/requestProblem.ts';
import { syntaxProblems } from '../text/syntaxErrors.ts';
import { templatesIn, type TemplateUse, type Variable } from '../template/templateUse.ts';

/** Facts about a file besides its text. */
export interface ReadOptions {
  /** Names of variables from environments and the command line. */
  readonly names?: ReadonlySet<string>;
  /** Set in editors: reads only as much as is possible at each keystroke, and reports what is not read. */
  readonly bounded?: boolean;
  /** The text is Markdown, and its fences are read. */
  readonly markdown?: boolean;
  /** Settings for the files of the folder. */
  readonly defaults?: SharedSettings;
  /** Files that it imports. Those that are missing here are left open. */
  readonly imports?: ReadImports;
  /** For a file that another one imports: sets the keys of its requests apart from those of others. */
  readonly importedAs?: string;
}

/** Most requests, variables and text that are read in an editor: the time per keystroke grows with them. */
const editorBounds: TextBounds = { items: 1_000, depth: 2, values: 100_000, characters: 4 * 1024 * 1024 };
/** Most problems of one kind that are shown in an editor. */
const maxProblems = 200;

/**
 * Reads a `.a2a` file: JSON with comments and trailing commas whose root is one request, an object with `requests`, or a raw JSON-RPC body.
 * The fences of a Markdown document are one file together: the names of all of them are known in all. Never throws and accepts any text:
 * complete requests stay readable while another one is being typed.
 */
export function readRequestFile(
  written: string,
  { names = new Set(), bounded = false, markdown = false, defaults = noSettings, imports = new Map(), importedAs }: ReadOptions = {},
): RequestFile {
  const {
    text,
    sections,
    errors,
    tooDeep: tooDeepRanges,
    omitted,
  } = readSections(written, { markdown, bounds: bounded ? editorBounds : undefined });
  return lazily(
    {
      ...readContent(text, sections, { known: names, markdown, defaults, imports, importedAs }),
      omitted,
      maxProblems: bounded ? maxProblems : Number.POSITIVE_INFINITY,
    },
    [...syntaxProblems(bounded ? errors.slice(0, maxProblems) : errors, text), ...tooDeepRanges.map(tooDeep)],
  );
}

function readContent(
  text: string,
  sections: readonly Section[],
  {
    known,
    markdown,
    defaults,
    imports: read,
    importedAs,
  }: {
    readonly known: ReadonlySet<string>;
    readonly markdown: boolean;
    readonly defaults: SharedSettings;
    readonly imports: ReadImports;
    readonly importedAs: string | undefined;
  },
): Omit<RequestFileContent, 'needs' | 'omitted' | 'maxProblems'> {
  const variables = new Map<string, Variable>();
  const byName = new Map<string, RequestEntry>();
  const names = new Set<string>();
  const unfinished = new Set<string>();
  const requests: RequestEntry[] = [];
  const agents: TextSetting[] = [];
  const sharedTemplates: TemplateUse[] = [];
  let settings = defaults;
  for (const { range, root } of sections) {
    const list = memberOf(root, 'requests')?.value;
    // Where the whole file is one request, its `agent` is that of the request.
    if (list !== undefined || (markdown && isSettingsAlone(root))) {
      const own = settingsIn(root, text);
      if (own.agent !== undefined) agents.push(own.agent);
      sharedTemplates.push(...own.agentTemplates, ...own.headers.flatMap(({ templates }) => templates));
      settings = combined(settings, own);
    }
    for (const { name, nameRange, value } of membersOf(memberOf(root, 'variables')?.value)) {
      if (value !== undefined && !(markdown && variables.has(name)))
        variables.set(name, { name, nameRange, node: value, templates: templatesIn(text, value) });
    }
    const nodes = list !== undefined ? (list.children ?? []) : root === undefined ? [] : [root];
    for (const node of nodes) {
      if (node.type !== 'object') continue;
      const entry = readEntry(node, {
        text,
        index: requests.length,
        section: list === undefined ? range : undefined,
        settings,
        taken: names,
        importedAs,
      });
      if (entry === undefined) {
        const name = locatedString(memberOf(node, 'name')?.value)?.value;
        if (list !== undefined && name !== undefined) unfinished.add(name);
        continue;
      }
      requests.push(entry);
      if (entry.name === undefined || names.has(entry.name)) continue;
      names.add(entry.name);
      byName.set(entry.name, entry);
    }
  }
  const imports = importsIn(
    sections.map(({ root }) => root),
    read,
  );
  return {
    text,
    sections,
    markdown,
    agent: agents[0] ?? defaults.agent,
    agents,
    sharedTemplates,
    known,
    variables,
    requests,
    byName,
    unfinished,
    captures: capturesOf(requests),
    imports,
    imported: importedNames(imports),
  };
}

/** Computes what is expensive and not always needed (for example not for completion) on first access. */
function lazily(content: Omit<RequestFileContent, 'needs'>, syntaxErrors: readonly RequestProblem[]): RequestFile {
  let needs: RequestFile['needs'] | undefined;
  let problems: RequestFile['problems'] | undefined;
  const file: RequestFile = {
    ...content,
    syntaxErrors,
    get needs() {
      return (needs ??= needsOf(file));
    },
    get problems() {
      return (problems ??= problemsIn(file));
    },
  };
  return file;
}
