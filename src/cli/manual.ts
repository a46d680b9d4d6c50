import type { ZodOptional, ZodType } from 'zod';
import { english } from '../protocol/problem.ts';
import { kinds } from '../request/expect/kinds.ts';
import { Matcher } from '../request/expect/matcher.ts';
import { functions } from '../request/template/functions.ts';
import { defaultsFileName } from '../request/file/folderDefaults.ts';
import { defaultsKeys, fileKeys, requestKeys } from '../request/file/keys.ts';
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

/** The reference of request files in Markdown: printed by `a2a help files`, and the source of docs/request-files-reference.md. */
export function manual(): string {
  const { variables, $schema, ...shared } = fileKeys;
  return `# Request file reference

A \`.a2a\` file is JSON with comments and trailing commas: one request, an object with \`requests\`, or the body of a JSON-RPC request as it is. It is in UTF-8.

## Keys of the file

- \`requests\`: The requests of the file. They are sent one by one, each after those it needs.
${entries({ $schema, variables, ...shared })}

## Keys of a request

${entries(requestKeys)}

## In Markdown

A fence \`\`\`a2a of a Markdown document (\`.md\`) is a request file: \`a2a run README.md\` sends what is in it, and the editor has lenses, checks, completion and
tests there. The fences of a document are one file together. A reader goes from the top to the bottom, and so:

- names of requests and \`variables\` hold in all fences. Of a variable that two of them set, the first one counts.
- \`agent\`, \`interface\`, \`headers\`, \`auth\` and \`timeoutMs\` of a fence with \`requests\`, or of one that has nothing but such keys, hold for the fences below it as well, until one says otherwise. Those of a single request are its own.
- what \`import\` of one names is known in all of them. Markdown can be imported, too.
- what stands in a longer fence, in indented code or in a quote is no request.

## Defaults of a folder

\`${defaultsFileName}\` holds for the request files in its folder and below: ${Object.keys(defaultsKeys)
    .filter(name => name !== '$schema')
    .map(name => `\`${name}\``)
    .join(', ')}, as a request file has them. Of each key the nearest file counts, and what a request file or a request says
itself counts more; of \`headers\` each one by its name. Templates in it may use what the request file has. In a terminal, \`--agent URL\` counts more than its \`agent\`. It is read up to
the folder that is open in the editor, or in which \`a2a run\` was started, and in the editor only where the workspace is trusted.

## Environments

\`a2a.env.json\` and \`a2a.private.env.json\`, in the folder of a request file or above it, hold an object for each environment: its members are variables, but for
\`"production": true\`, which asks before anything is sent, and an object \`headers\`, whose texts are headers of every request. \`$shared\` holds for all environments.
Of headers with the same name the last one of these counts: environment, \`${defaultsFileName}\`, request file, request. An environment counts more than \`$shared\`, a private
file more than the other one, and a nearer file more than a farther one.

## Expectations

Members of \`expect\`. All that are named must hold.

${entries(Object.fromEntries(Object.entries(kinds).map(([name, { schema }]) => [name, schema])))}

## Matchers

In place of a value that is expected under \`text\`, \`paths\` and \`headers\`, an object with one or several of these says what the value must be like; all of them must hold.
\`state\` takes \`equals\`, \`in\` and \`not\`; \`status\` these and the matchers of numbers, which the times (\`firstEventMs\`, \`totalMs\`, of events \`withinMs\`, \`afterMs\`,
\`gapMs\` and \`maxGapMs\`) take with \`not\`. \`error\` takes \`equals\`, \`in\`,
\`not\` and \`exists\`, and under \`code\` the first three, under \`message\` and \`data\` all. A value or a list under \`not\` means what it means alone, and must not be so.

${entries(Object.fromEntries(Object.entries(Matcher.shape).map(([name, schema]) => [name, (schema as ZodOptional<ZodType>).unwrap()])))}

## Templates

\`{{name}}\` is a variable, \`{{name.task.id}}\` a path into the result of the request called \`name\`. Of one that is sent several
times (\`each\`, \`repeat\`, \`matrix\`) a number says which result is meant, counted from 0: \`{{name[0].task.id}}\` is the first, \`{{name[-1].task.id}}\` the last. \`{{name ?? 'x'}}\` has a
default, where there is no such value: a text in single quotes (or \`\\"x\\"\`, as JSON has it), a number, \`true\`, \`false\`, \`null\` or another name. Alone in a string, a template keeps the type of its value. For
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
