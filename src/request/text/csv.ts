import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/**
 * Reads CSV (RFC 4180) whose first line names the columns: one object of texts per following line. Quoted fields may contain commas, line
 * breaks and doubled quotes; empty lines are skipped.
 * @param file path for error messages, where the text is from a file
 * @throws Problem `bad-data` where two columns have the same name, a line has more fields than the first, or a quote is not closed
 */
export function readCsv(text: string, file?: string): Record<string, string>[] {
  const all = linesOf(text.replace(/^\ufeff/, ''), file);
  const [head = { line: 1, fields: [] }, ...lines] = all.filter(({ fields }) => fields.length > 1 || fields[0] !== '');
  const names = head.fields.map(name => name.trim());
  const doubled = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (doubled !== undefined) {
    throw badData(
      sentence('Two columns of the data are called "{0}".', doubled),
      place(file, head.line),
      sentence('Give each column a name of its own.'),
    );
  }
  return lines.map(({ fields, line }) => {
    if (fields.length > names.length) {
      throw badData(
        sentence('Line {0} of the data has too many fields: {1} instead of {2}.', line, fields.length, names.length),
        place(file, line),
        sentence('Put fields that hold commas in quotes.'),
      );
    }
    return Object.fromEntries(names.map((name, at) => [name, fields[at] ?? '']));
  });
}

const place = (file: string | undefined, line: number): string | undefined => (file === undefined ? undefined : `${file}:${line}`);

const badData = (what: LocalizedMessage, at: string | undefined, nextStep?: LocalizedMessage): Problem =>
  new Problem('bad-data', at === undefined ? what : sentence('{0}: {1}', at, what), { nextStep });

interface Line {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

function linesOf(text: string, file: string | undefined): Line[] {
  const lines: Line[] = [];
  let fields: string[] = [];
  let [line, begun] = [1, 1];
  const field = /("[^"]*(?:""[^"]*)*"|[^",\r\n][^,\r\n]*|)(,|\r\n|\n|\r|$)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null)
      throw badData(sentence('A quote in line {0} of the data is never closed, or something follows it.', line), place(file, line));
    const [, written = '', end] = match;
    line += written.match(/\r\n|\n|\r/g)?.length ?? 0;
    fields.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end === ',' && field.lastIndex < text.length) continue;
    if (end === ',') fields.push('');
    lines.push({ line: begun, fields });
    fields = [];
    begun = ++line;
  }
  return lines;
}
