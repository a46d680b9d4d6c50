import { Problem, sentence } from '../../protocol/problem.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { isReferable } from '../template/template.ts';
import type { TextRange } from '../text/textRange.ts';
import { occurrenceAt, occurrencesOf, type Occurrence } from './occurrences.ts';

/** A change of the text. */
export interface Edit {
  readonly range: TextRange;
  readonly text: string;
}

/**
 * The name at the offset, where it can be renamed.
 * @throws Problem `not-renamable` where there is none, or it is defined in another file.
 */
export function renamable(file: RequestFile, offset: number): { readonly range: TextRange; readonly name: string } {
  const at = found(file, offset);
  return { range: at.range, name: at.name };
}

/**
 * The edits that rename the variable or request at the offset throughout the file.
 * @throws Problem `not-renamable`; `bad-name` where templates could not refer to the new name, or it is already used.
 */
export function rename(file: RequestFile, offset: number, name: string): readonly Edit[] {
  const at = found(file, offset);
  if (name === at.name) return [];
  const places = occurrencesOf(file, at);
  const used = places.some(({ declares, range }) => !declares && file.text[range.offset - 1] !== '"');
  if (name === '' || ((used || at.of === 'variable') && !isReferable(name))) {
    throw new Problem('bad-name', sentence('"{0}" is not a name that templates can refer to.', name), {
      nextStep: sentence('Use letters, digits, "_" and "-", and begin with a letter, a digit or "_".'),
    });
  }
  if (file.variables.has(name) || file.byName.has(name) || file.known.has(name) || file.imported.has(name)) {
    throw new Problem('bad-name', sentence('Something else in this file is already called "{0}".', name));
  }
  return places.map(({ range }) => ({ range, text: JSON.stringify(name).slice(1, -1) }));
}

/**
 * The edits that follow a new name in a file that imports it from the file at a path.
 * @param shown the importing file, for people
 * @throws Problem as `rename` does
 */
export function renameImported(
  file: RequestFile,
  { from, to, path, shown }: { readonly from: string; readonly to: string; readonly path: string; readonly shown: string },
): readonly Edit[] {
  const meant = file.imported.get(from);
  if (meant?.home.path !== path) return [];
  const places = occurrencesOf(file, { name: from, of: meant.request === undefined ? 'variable' : 'request' });
  // The file has a name of its own that is stronger.
  if (places.length === 0 || places.some(({ declares }) => declares)) return [];
  if (file.variables.has(to) || file.byName.has(to) || file.known.has(to) || file.captures.has(to) || file.imported.has(to))
    throw new Problem('bad-name', sentence('In {0}, which uses it, something else is already called "{1}".', shown, to));
  if (places.some(({ isEscaped }) => isEscaped))
    throw new Problem('not-renamable', sentence('{0} has "{1}" with escapes somewhere, so it cannot be renamed safely.', shown, from));
  return places.map(({ range }) => ({ range, text: JSON.stringify(to).slice(1, -1) }));
}

function found(file: RequestFile, offset: number): Occurrence {
  const at = occurrenceAt(file, offset);
  const places = at === undefined ? [] : occurrencesOf(file, at);
  if (at === undefined) throw new Problem('not-renamable', sentence('No variable or request name here.'));
  const home = file.imported.get(at.name)?.home;
  if (!places.some(({ declares }) => declares) && home !== undefined)
    throw new Problem('not-renamable', sentence('"{0}" is defined in {1}. Rename it there.', at.name, home.shown));
  if (!places.some(({ declares }) => declares)) throw new Problem('not-renamable', sentence('"{0}" is not defined in this file.', at.name));
  if (places.some(({ isEscaped }) => isEscaped))
    throw new Problem(
      'not-renamable',
      sentence('"{0}" is written with escape sequences in some places, so it cannot be renamed safely.', at.name),
    );
  return at;
}
