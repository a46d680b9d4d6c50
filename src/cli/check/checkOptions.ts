import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { chosenRules, type CheckLevel } from '../../conformance/chosenRules.ts';
import { madeNames, maxPrompt } from '../../conformance/workPrompts.ts';
import { Problem } from '../../protocol/problem.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import type { Made } from '../../conformance/rules/rule/probe.ts';
import { readRequestFile } from '../../request/check/readRequestFile.ts';
import { isMarkdownPath } from '../../request/check/readImports.ts';
import { CheckPrompts } from '../../request/file/checkPrompts.ts';
import { memberOf, valueOf } from '../../request/text/jsonNode.ts';
import { positionAt } from '../../request/text/textPosition.ts';
import { readHeader } from '../terminal/headerOptions.ts';
import type { Values } from '../terminal/options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { FileError, UsageError } from '../terminal/usage.ts';

/** The rules of `--rules` and `--level`; undefined for all. @throws UsageError */
export function rulesOf({ rules = [], level }: Values): ReadonlySet<RuleId> | undefined {
  if (level !== undefined && level !== 'must' && level !== 'should')
    throw new UsageError(`--level must be "must" or "should", not ${JSON.stringify(level.slice(0, 60))}.`);
  try {
    const chosen = chosenRules(rules, level as CheckLevel | undefined);
    if (chosen?.size === 0) throw new UsageError('--rules and --level leave no rule.');
    return chosen;
  } catch (error) {
    if (error instanceof Problem) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** The texts of `--prompt WHAT=TEXT` over those of `--prompts FILE`, over those of the settings. @throws UsageError, FileError */
export function promptsOf({ host, values, agent }: Pick<Terminal, 'host' | 'values' | 'agent'>): Readonly<Partial<Record<Made, string>>> {
  const { prompt = [], prompts } = values;
  const given: Partial<Record<Made, string>> = {
    ...agent?.settings.check,
    ...(prompts !== undefined && promptsInFile(prompts, host.cwd())),
  };
  for (const one of prompt) {
    const [, what = '', text = ''] = /^([^=]*)=(.*)$/s.exec(one) ?? [];
    const made = madeNames.find(name => name === what);
    if (made === undefined || text.trim() === '')
      throw new UsageError(`--prompt must be WHAT=TEXT, with one of ${madeNames.join(', ')}; not ${JSON.stringify(one.slice(0, 60))}.`);
    if (text.length > maxPrompt) throw new UsageError(`--prompt takes at most ${maxPrompt} characters.`);
    given[made] = text;
  }
  return given;
}

/** The headers of a second identity. @throws UsageError */
export const otherHeadersOf = ({ 'other-header': lines = [] }: Values): Readonly<Record<string, string>> | undefined =>
  lines.length === 0 ? undefined : Object.fromEntries(lines.map(readHeader));

/** Largest file that is read, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/** The texts under `check` of a request file, of a Markdown document those of all its fences. @throws FileError where there are none */
function promptsInFile(path: string, cwd: string): CheckPrompts {
  const text = textOf(path, cwd);
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

function textOf(path: string, cwd: string): string {
  const whole = resolve(cwd, path);
  const stat = statSync(whole, { throwIfNoEntry: false });
  if (stat === undefined) throw new FileError(`File not found: ${path}`);
  // A pipe without a writer is never read to its end.
  if (!stat.isFile()) throw new FileError(`${path} is not a file.`);
  if (stat.size > maxBytes) throw new FileError(`${path} is larger than ${maxBytes / 2 ** 20} MB.`);
  try {
    return readFileSync(whole, 'utf8');
  } catch (error) {
    throw new FileError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
