/** Longest text that is read as a table, in UTF-16 code units, and most cells of one; longer ones stay text. */
const maxText = 4_000_000;
const maxCells = 500_000;

const delimiters: Readonly<Record<string, string>> = {
  'text/csv': ',',
  'application/csv': ',',
  'text/tab-separated-values': '\t',
  'text/tsv': '\t',
};

/** Separator of a file's cells, by its media type or else by its name; undefined for a file that is not a table. */
export function delimiterOf(mediaType: string | undefined, filename: string | undefined): string | undefined {
  const named = (mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (Object.hasOwn(delimiters, named)) return delimiters[named];
  const isAny = ['', 'text/plain', 'application/octet-stream'].includes(named);
  const [, extension] = (isAny && /\.(csv|tsv)$/i.exec(filename ?? '')) || [];
  return extension === undefined ? undefined : extension.toLowerCase() === 'csv' ? ',' : '\t';
}

/**
 * The rows of CSV (RFC 4180) or TSV, the first of which are the headers: quoted cells may have line breaks, delimiters and doubled quotes.
 * Undefined for a text that is no table (fewer than two rows or columns, quotes without an end) or too long.
 */
export function readDelimited(text: string, delimiter: string): readonly (readonly string[])[] | undefined {
  if (text.length > maxText) return undefined;
  const rows: string[][] = [];
  let row: string[] = [];
  let cells = 0;
  const end = text.length;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at <= end; ) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; ) {
        const close = text.indexOf('"', at);
        if (close === -1) return undefined;
        cell += text.slice(at, close);
        at = close + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
      }
    }
    // What follows a closing quote is taken as it is.
    const start = at;
    while (at < end && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++;
    row.push(cell + text.slice(start, at));
    if (++cells > maxCells) return undefined;
    if (at < end && text[at] === delimiter) {
      at++;
      continue;
    }
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return rows.length < 2 || rows[0]!.length < 2 ? undefined : rows;
}

/** Rows with their first one as headers; cells beyond them get headers of their own. Numbers are numbers, so that they sort as such. */
export function delimitedTable(rows: readonly (readonly string[])[]): {
  readonly columns: readonly string[];
  readonly count: number;
  readonly cell: (row: number, column: number) => unknown;
} {
  const [head = [], ...body] = rows;
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const columns = Array.from({ length: width }, (_, index) => head[index] ?? '');
  return { columns, count: body.length, cell: (row, column) => asNumber(body[row]?.[column]) };
}

/** Only what reads the same again: `007`, `1e5` and long ids stay text. */
const asNumber = (cell: string | undefined): unknown =>
  cell !== undefined && /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/.test(cell) && !/\.\d*0$/.test(cell) ? Number(cell) : cell;
