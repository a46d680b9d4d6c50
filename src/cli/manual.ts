import type { ZodOptional, ZodType } from 'zod';
import { english } from '../protocol/problem.ts';
import { kinds } from '../request/expect/kinds.ts';
import { Matcher } from '../request/expect/matcher.ts';
import { functions } from '../request/template/functions.ts';
import { fileKeys, requestKeys } from '../request/file/keys.ts';
import { valueSources, type ValueSource } from '../request/text/value.ts';
import { exitStatuses } from './terminal/usage.ts';

interface Described {
  meta(): { readonly description?: string } | undefined;
}

const sources: Readonly<Record<ValueSource, string>> = {
  row: 'a member of the row of data (`each`)',
  option: '`--var` of the command line',
  private: 'the environment, in `a2a.private.env.json`',
  environment: 'the environment, in `a2a.env.json`',
  'private-shared': '`$shared`, in `a2a.private.env.json`',
  shared: '`$shared`, in `a2a.env.json`',
  file: '`variables` of the request file',
};

/** The reference of request files in Markdown: printed by `a2a help files`, and the source of docs/request-files.md. */
export function manual(): string {
  const { variables, $schema, ...shared } = fileKeys;
  return `# Request files

A \`.a2a\` file is JSON with comments and trailing commas: one request, an object with \`requests\`, or the body of a JSON-RPC request as it is. It is in UTF-8.

## Keys of the file

- \`requests\`: The requests of the file. They are sent one by one, each after those it needs.
${entries({ $schema, variables, ...shared })}

## Keys of a request

${entries(requestKeys)}

## Expectations

Members of \`expect\`. All that are named must hold.

${entries(Object.fromEntries(Object.entries(kinds).map(([name, { schema }]) => [name, schema])))}

## Matchers

In place of a value that is expected, an object with one or several of these says what the value must be like; all of them must hold.

${entries(Object.fromEntries(Object.entries(Matcher.shape).map(([name, schema]) => [name, (schema as ZodOptional<ZodType>).unwrap()])))}

## Templates

\`{{name}}\` is a variable, \`{{name.task.id}}\` a path into the result of the request called \`name\`. Alone in a string, a template keeps the type of its value. For
braces as text, write \`\\\\{{\`.

${Object.entries(functions)
  .map(([name, { argument, description }]) => `- \`{{$${name}${argument === undefined ? '' : ` ${argument}`}}}\`: ${english(description)}`)
  .join('\n')}

Where a variable has several values the first of these counts, and within one kind of file the one that is nearer to the request file:

${valueSources.map((source, index) => `${index + 1}. ${sources[source]}`).join('\n')}

## Exit status of \`a2a\`

${exitStatuses
  .replace('Exit status: ', '')
  .split(/;\s+/)
  .map(
    line =>
      `- ${line
        .replaceAll(/\s+/g, ' ')
        .replace(/^([\d, and]*\d) /, '`$1` ')
        .replace(/\.$/, '')}`,
  )
  .join('\n')}
`;
}

const entries = (keys: Readonly<Record<string, Described>>): string =>
  Object.entries(keys)
    .map(([name, key]) => `- \`${name}\`: ${key.meta()?.description ?? ''}`)
    .join('\n');
