import { Problem, sentence } from '../protocol/problem.ts';

/**
 * Reads CSV (RFC 4180) whose first line names the columns: one object of texts for each line after it. Fields in quotes may hold
 * commas, line breaks and doubled quotes; empty lines are left out.
 * @throws Problem `bad-data` where a line has more fields than the first, or a quote is never closed.
 */
export function readCsv(text: string): Record<string, string>[] {
  const [names = [], ...lines] = linesOf(text.replace(/^\ufeff/, '')).filter(fields => fields.length > 1 || fields[0] !== '');
  return lines.map((fields, index) => {
    if (fields.length > names.length) {
      throw new Problem('bad-data', sentence('Line {0} of the data has {1} fields, and only {2} have a name.', index + 2, fields.length, names.length), {
        nextStep: sentence('Put fields that hold commas in quotes.'),
      });
    }
    return Object.fromEntries(names.map((name, at) => [name.trim(), fields[at] ?? '']));
  });
}

function linesOf(text: string): string[][] {
  const lines: string[][] = [];
  let fields: string[] = [];
  const field = /("[^"]*(?:""[^"]*)*"|[^",\r\n][^,\r\n]*|)(,|\r\n|\n|\r|$)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) {
      throw new Problem('bad-data', sentence('A quote in line {0} of the data is never closed, or something follows it.', lines.length + 1));
    }
    const [, written = '', end] = match;
    fields.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end === ',' && field.lastIndex < text.length) continue;
    if (end === ',') fields.push('');
    lines.push(fields);
    fields = [];
  }
  return lines;
}
