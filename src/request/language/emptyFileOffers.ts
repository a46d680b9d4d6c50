import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { escapedBraces } from '../template/template.ts';
import { sectionAt } from '../file/sections.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import type { Completion } from './completion.ts';
import type { LanguageContext } from './languageContext.ts';

/** Most agents that a snippet lets one choose from. */
const maxAgents = 50;
/** Where the samples of the A2A SDKs listen. */
const usualAddress = 'http://localhost:41241';

/** Snippets for a file or fence that is empty but for the beginning of a word: one request, or several. */
export function emptyFileOffers(file: RequestFile, offset: number, { agents }: LanguageContext): readonly Completion[] {
  const range = wordAlone(file, offset);
  if (range === undefined) return [];
  const agent = `  "agent": "${chosen(agents.slice(0, maxAgents).map(({ name }) => name))}",`;
  const offer = (label: string, title: LocalizedMessage, detail: LocalizedMessage, lines: readonly string[]): Completion => ({
    label,
    title,
    kind: 'snippet',
    detail,
    insert: ['{', agent, ...lines, '}', ''].join('\n'),
    range,
    snippet: true,
    rank: 0,
  });
  return [
    offer('Request', sentence('Request'), sentence('A file with one request.'), ['  "message": "${2:Hello}"']),
    offer('Requests', sentence('Requests'), sentence('A file with several requests.'), [
      '  "requests": [',
      '    { "name": "${2:ask}", "message": "${3:Hello}" }',
      '  ]',
    ]),
  ];
}

function wordAlone({ text, sections }: RequestFile, offset: number): TextRange | undefined {
  const around = sectionAt(sections, offset)?.range;
  if (around === undefined) return undefined;
  const written = text.slice(around.offset, endOf(around));
  const [, before = '', word = ''] = /^(\s*)(\w*)\s*$/.exec(written) ?? [];
  if (written.trim() !== word) return undefined;
  return word === '' ? { offset, length: 0 } : { offset: around.offset + before.length, length: word.length };
}

/** The first place of a snippet, in a JSON string: a list to choose from where there are several names. */
function chosen(names: readonly string[]): string {
  const written = names.map(name => JSON.stringify(escapedBraces(name)).slice(1, -1));
  const [only = usualAddress] = written;
  return written.length < 2
    ? `\${1:${only.replaceAll(/[\\$}]/g, '\\$&')}}`
    : `\${1|${written.map(name => name.replaceAll(/[\\,|]/g, '\\$&')).join(',')}|}`;
}
