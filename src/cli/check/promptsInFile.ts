import { readFileSync, statSync } from 'node:fs';
import { readRequestFile } from '../../request/check/readRequestFile.ts';
import { isMarkdownPath } from '../../request/check/readImports.ts';
import { CheckPrompts } from '../../request/file/checkPrompts.ts';
import { memberOf, valueOf } from '../../request/text/jsonNode.ts';
import { positionAt } from '../../request/text/textPosition.ts';
import { FileError } from '../terminal/usage.ts';

/** Largest file that is read, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/** The texts under `check` of a request file, of a Markdown document those of all its fences. @throws FileError where there are none */
export function promptsInFile(path: string): CheckPrompts {
  const text = textOf(path);
  const { sections, syntaxErrors } = readRequestFile(text, { markdown: isMarkdownPath(path) });
  const at = (offset: number): string => {
    const { line, column } = positionAt(text, offset);
    return `${path}:${line}:${column}`;
  };
  const [wrong] = syntaxErrors;
  if (wrong !== undefined) throw new FileError(`${at(wrong.range.offset)}: this is not JSON with comments.`);
  const written = sections.flatMap(({ root }) => memberOf(root, 'check')?.value ?? []);
  if (written.length === 0) throw new FileError(`${path} has no "check", with texts for ${names.join(', ')}.`);
  return Object.assign(
    {},
    ...written.map(node => {
      const { data, error } = CheckPrompts.strict().safeParse(valueOf(node));
      if (error === undefined) return data;
      throw new FileError(`${at(node.offset)}: "check" takes a text of at most 10,000 characters for each of ${names.join(', ')}.`);
    }),
  ) as CheckPrompts;
}

const names = Object.keys(CheckPrompts.shape);

function textOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new FileError(`There is no file ${path}.`);
  // A pipe that nobody writes to is never read to its end.
  if (!stat.isFile()) throw new FileError(`${path} is not a file.`);
  if (stat.size > maxBytes) throw new FileError(`${path} is larger than ${maxBytes / 2 ** 20} MB.`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new FileError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
