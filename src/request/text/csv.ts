import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/**
 * Reads CSV (RFC 4180) whose first line names the columns: one object of texts per following line. Quoted fields may contain commas, line
 * breaks and doubled quotes; empty lines are skipped.
 * @param file path for error messages, where the text is from a file
 * @param most rows that are made; what follows them is not read
 * @throws Problem `bad-data` where two columns have the same name, a line has more fields than the first, a quote is not closed, or the rows
 * have too many fields in all
 */
export function readCsv(text: string, file?: string, most = Number.POSITIVE_INFINITY): Record<string, string>[] {
  let names: readonly string[] | undefined;
  const lines: Line[] = [];
  for (const line of linesOf(text.replace(/^\ufeff/, ''), file)) {
    if (line.fields.length === 1 && line.fields[0] === '') continue;
    if (names === undefined) names = columnsOf(line, file);
    else if (lines.length === most) break;
    else if (line.fields.length <= names.length) lines.push(line);
    else
      throw badData(
        sentence('Line {0} of the data has too many fields: {1} instead of {2}.', line.line, line.fields.length, names.length),
        place(file, line.line),
        sentence('Quote fields that contain commas.'),
      );
  }
  const columns = names ?? [];
  // A short line has all the columns as well.
  if (lines.length * columns.length > maxFields)
    throw badData(
      sentence('The rows of the data have {0} fields in all, more than the limit of {1}.', lines.length * columns.length, maxFields),
      file,
      sentence('Leave out columns that the request does not use.'),
    );
  return lines.map(({ fields }) => Object.fromEntries(columns.map((name, at) => [name, fields[at] ?? ''])));
}

/** Most fields of all rows together. */
const maxFields = 1_000_000;
/** Most columns: each is a variable of every row. */
const maxColumns = 2_000;

function columnsOf({ fields, line }: Line, file: string | undefined): readonly string[] {
  if (fields.length > maxColumns)
    throw badData(
      sentence('The data has {0} columns, more than the limit of {1}.', fields.length, maxColumns),
      file,
      sentence('Leave out columns that the request does not use.'),
    );
  const names = fields.map(name => name.trim());
  const seen = new Set<string>();
  const doubled = names.find(name => name !== '' && (seen.has(name) || !seen.add(name)));
  if (doubled === undefined) return names;
  throw badData(
    sentence('Two columns of the data are called "{0}".', doubled),
    place(file, line),
    sentence('Give each column a name of its own.'),
  );
}

const place = (file: string | undefined, line: number): string | undefined => (file === undefined ? undefined : `${file}:${line}`);

const badData = (what: LocalizedMessage, at: string | undefined, nextStep?: LocalizedMessage): Problem =>
  new Problem('bad-data', at === undefined ? what : sentence('{0}: {1}', at, what), { nextStep });

interface Line {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

function* linesOf(text: string, file: string | undefined): Generator<Line, void> {
  let fields: string[] = [];
  let [line, begun] = [1, 1];
  const field = /("[^"]*(?:""[^"]*)*"|[^",\r\n][^,\r\n]*|)(,|\r\n|\n|\r|$)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null)
      throw badData(sentence('Line {0} of the data has an unclosed quote, or text after a closing quote.', line), place(file, line));
    const [, written = '', end] = match;
    line += written.match(/\r\n|\n|\r/g)?.length ?? 0;
    fields.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end === ',' && field.lastIndex < text.length) continue;
    if (end === ',') fields.push('');
    yield { line: begun, fields };
    fields = [];
    begun = ++line;
  }
}
