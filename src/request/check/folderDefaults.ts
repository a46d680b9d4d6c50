import type { ParseError } from 'jsonc-parser';
import { findFolderFiles, type FolderFile, type SearchedFolders } from '../environment/findFolderFiles.ts';
import { defaultsFileName, noDefaults, type FolderDefaults } from '../file/folderDefaults.ts';
import { combined, settingsIn } from '../file/settingsIn.ts';
import { defaultsSchema } from '#requestSchemas';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { anyNames, templateProblem, unclosedIn } from '../template/templateProblem.ts';
import { templatesIn } from '../template/templateUse.ts';
import { exactTree } from '../text/exactTree.ts';
import { maxDepth, memberOf, nestingOf, type JsonNode } from '../text/jsonNode.ts';
import { tooDeep, type RequestProblem } from '../text/requestProblem.ts';
import { syntaxProblems } from '../text/syntaxErrors.ts';
import { doubledKeys } from './contentChecks.ts';
import { interfaceProblem } from './interfaceProblem.ts';
import { schemaProblems } from './schemaProblems.ts';

/** The defaults files of a folder and of its parents up to and including the root, nearest first. Rejects as `findFolderFiles` does. */
export const findDefaults = (folders: SearchedFolders): Promise<readonly FolderFile[]> => findFolderFiles(folders, [defaultsFileName]);

/**
 * The combined defaults of several files: for each key the value of the nearest file, and the headers of all, the nearest first among those
 * with the same name.
 * @param files nearest first; their paths are shown to people
 */
export function readDefaults(files: readonly FolderFile[]): FolderDefaults {
  return files.toReversed().reduce<FolderDefaults>((far, { path, text }) => {
    const { root, problems } = readFile(text);
    return {
      ...combined(far, settingsIn(root?.type === 'object' ? root : undefined, text, path)),
      problems: [...far.problems, ...problems.map(problem => ({ ...problem, path }))],
    };
  }, noDefaults);
}

/** The problems of a defaults file, in text order. Which names its templates may use depends on the request file. */
export const defaultsProblems = (text: string): readonly RequestProblem[] => readFile(text).problems;

let schema: JsonSchema | undefined;

function readFile(text: string): { readonly root: JsonNode | undefined; readonly problems: readonly RequestProblem[] } {
  if (nestingOf(text) > maxDepth) return { root: undefined, problems: [tooDeep({ offset: 0, length: text.length })] };
  const errors: ParseError[] = [];
  const root = exactTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  schema ??= defaultsSchema();
  const found = [
    ...syntaxProblems(errors, text),
    ...(root === undefined ? [] : schemaProblems(root, schema)),
    ...doubledKeys({ sections: [{ range: { offset: 0, length: text.length }, root }] }),
    ...[interfaceProblem(memberOf(root, 'interface')?.value)].filter(problem => problem !== undefined),
    ...(root === undefined ? [] : templateProblems(text, root)),
  ];
  return { root, problems: found.sort((one, other) => one.range.offset - other.range.offset) };
}

function* templateProblems(text: string, root: JsonNode): Iterable<RequestProblem> {
  for (const use of templatesIn(text, root)) {
    const problem = templateProblem(use, anyNames);
    if (problem !== undefined) yield problem;
  }
  yield* unclosedIn(text, root);
}
