import { sentence } from '../../protocol/problem.ts';
import { importedFiles } from '../file/imports.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import { errorAt, warningAt, type RequestProblem } from '../text/requestProblem.ts';
import { positionAt } from '../text/textPosition.ts';

/** True where an imported file is missing or not read completely: unknown names may be from there. */
export const isPartlyRead = ({ imports }: Pick<RequestFileContent, 'imports'>): boolean =>
  imports.some(({ read }) => read === undefined || !('file' in read) || read.file.omitted.length > 0);

/** Imported files that were not read or are wrong themselves, and names that several files give. */
export function* importProblems(file: RequestFileContent): Iterable<RequestProblem> {
  const homes = importedFiles(file.imports);
  for (const { read, range } of file.imports) {
    if (read === undefined) continue;
    if (!('file' in read)) {
      yield errorAt('bad-import', range, read.why);
      continue;
    }
    const { shown, file: imported } = read;
    const wrong = [...imported.syntaxErrors, ...imported.problems].find(({ severity }) => severity === 'error');
    if (wrong !== undefined) {
      const { line } = positionAt(imported.text, wrong.range.offset);
      yield errorAt('bad-import', range, sentence('{0}, line {1}: {2}', shown, line, wrong.sentence));
      continue;
    }
    for (const name of new Set([...imported.variables.keys(), ...imported.captures.keys(), ...imported.byName.keys()])) {
      const first = file.imported.get(name)?.home;
      const isOwn = file.variables.has(name) || file.captures.has(name) || file.byName.has(name);
      if (!isOwn && (first === undefined || homes.indexOf(first) >= homes.indexOf(read))) continue;
      yield warningAt(
        'name-twice',
        range,
        isOwn
          ? sentence('"{0}" is defined in {1} and in this file. The definition in this file applies here.', name, shown)
          : sentence('"{0}" is defined in {1} and in {2}. The first definition applies.', name, first?.shown ?? '', shown),
      );
    }
  }
}
