import type { ZodOptional, ZodType } from 'zod';
import { english } from '../protocol/problem.ts';
import { ArtifactExpectation } from '../request/expect/artifacts.ts';
import { EventExpectation } from '../request/expect/events.ts';
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

A \`.a2a\` file is JSON with comments and trailing commas, in UTF-8. It is one request, an object with \`requests\`, or the body of a JSON-RPC request as it
is.

## Keys of the file

- \`requests\`: The requests of the file. They are sent one at a time, in order; requests that others need go first.
${entries({ $schema, variables, ...shared })}

## Keys of a request

${entries(requestKeys)}

## In Markdown

A code block marked \`a2a\` in a Markdown document (\`.md\`) is a request file: \`a2a run README.md\` sends what is in it, and the editor has lenses, checks,
completion and tests there. All such blocks of a document are one file:

- names of requests and \`variables\` apply to all blocks. If two blocks set one variable, the first one wins.
- \`agent\`, \`interface\`, \`headers\`, \`auth\` and \`timeoutMs\` apply to the blocks below, too, until one changes them, if they stand beside \`requests\` or alone in a
  block. In a single request, they apply to that request.
- whatever \`import\` of one block names is known in all of them. You can also import Markdown.
- longer fences, indented code and quotes are ignored.

## Defaults of a folder

\`${defaultsFileName}\` sets ${Object.keys(defaultsKeys)
    .filter(name => name !== '$schema')
    .map(name => `\`${name}\``)
    .join(', ')} for the request files in its folder and below. For each key, the nearest file wins; request files and
requests override it. Headers are merged by name. Templates in it can use whatever the request file has. In a terminal, \`--agent URL\` overrides its \`agent\`. It
is looked up to the folder that is open in the editor, or in which \`a2a run\` was started, and in the editor only if the workspace is trusted.

## Environments

\`a2a.env.json\` and \`a2a.private.env.json\`, in the folder of a request file or above it, hold an object for each environment. Its members are variables, except
\`"production": true\`, which asks before anything is sent, and \`headers\`, an object of headers for every request. \`$shared\` applies to all environments, also
when none is chosen. Precedence: environment over \`$shared\`, private over public file, nearer over farther file. Of headers with the same name, the last one of these
wins: environment, \`${defaultsFileName}\`, request file, request.

## Expectations

Members of \`expect\`. All of them must hold.

${entries(Object.fromEntries(Object.entries(kinds).map(([name, { schema }]) => [name, schema])))}

### Items of \`artifacts\`

${members(ArtifactExpectation)}

### Items of \`events\`

${members(EventExpectation)}

## Matchers

A matcher is an object that takes the place of an expected value. All of its members must hold.

| key of \`expect\` | matchers |
|---|---|
| \`text\`, \`paths\`, \`headers\`; \`text\` and \`data\` of \`artifacts\`, \`text\` of \`events\` | all |
| \`state\`, also of \`events\` | \`equals\`, \`in\`, \`not\` |
| \`status\` | \`equals\`, \`in\`, \`not\`, and those of numbers |
| \`firstEventMs\`, \`totalMs\`, \`withinMs\`, \`afterMs\`, \`gapMs\`, \`maxGapMs\`; \`count\` of \`artifacts\` | those of numbers, and \`not\` |
| \`error\` | \`equals\`, \`in\`, \`not\`, \`exists\`; the first three for its \`code\`, all for its \`message\` and \`data\` |

A value or a list under \`not\` means what it means alone, negated.

${members(Matcher)}

## Templates

\`{{name}}\` is a variable, \`{{name.task.id}}\` a path into the result of the request called \`name\`. For a request that is sent several times (\`each\`, \`repeat\`,
\`matrix\`), add an index from 0: \`{{name[0].task.id}}\` is the first, \`{{name[-1].task.id}}\` the last. \`{{name ?? 'x'}}\` has a default for when there is no value: a text
in single quotes (or \`\\"x\\"\`, as JSON has it), a number, \`true\`, \`false\`, \`null\` or another name. If a template is the whole string, the value keeps its type. To write
braces as text, write \`\\\\{{\`.

${Object.entries(functions)
  .map(([name, { argument, description }]) => `- \`{{$${name}${argument === undefined ? '' : ` ${argument}`}}}\`: ${english(description)}`)
  .join('\n')}

If a variable has several values, the first source in this list wins, and within one kind of file the one nearer to the request file:

${valueSources.map((source, index) => `${index + 1}. ${sources[source]}`).join('\n')}

## Exit status of \`a2a\`

${exitStatuses.map(([statuses, meaning]) => `- \`${statuses}\` ${meaning}`).join('\n')}

If several apply, \`1\` comes before \`2\`, and \`2\` before \`3\`.
`;
}

/** The members of an object, all of which are optional. */
const members = ({ shape }: { readonly shape: object }): string =>
  entries(Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, (schema as ZodOptional<ZodType>).unwrap()])));

const entries = (keys: Readonly<Record<string, Described>>): string =>
  Object.entries(keys)
    .map(([name, key]) => `- \`${name}\`: ${key.meta()?.description ?? ''}`)
    .join('\n');
