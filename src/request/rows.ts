import { isObject } from '../protocol/json.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { readCsv } from './csv.ts';
import { readFileArgument } from './fileValue.ts';
import { fillNode, type Scope } from './fill.ts';
import { membersOf, rangeOf, valueOf, type JsonNode } from './jsonNode.ts';
import type { RequestEntry } from './requestEntry.ts';
import { located } from './requestFault.ts';
import { readTemplate } from './template.ts';
import type { TextRange } from './textRange.ts';
import { literals, noValues, type Values } from './value.ts';

/** Most times that one request of a file is sent by one send. */
export const mostRows = 1_000;

/** One sending of a request that is sent several times. */
export interface Row {
  /** What tells it from the others, for people. */
  readonly label: string;
  /** Position among all, from 0. */
  readonly index: number;
  readonly values: Values;
}

/** The only sending of a request that says nothing else. */
const once: Row = { label: '', index: 0, values: noValues };

/** True where a request is sent for each row of data, or repeated. */
export const hasRows = ({ members }: RequestEntry): boolean => members.has('each') || members.has('repeat');

/**
 * The sendings of a request: one for each row of `each`, each as often as `repeat` says.
 * @throws RequestFault `bad-data` where the data is no list of objects or there are too many, and those of `fillNode`.
 */
export async function rowsOf(entry: RequestEntry, scope: Scope): Promise<readonly Row[]> {
  const node = entry.members.get('each')?.value;
  const repeat = entry.members.get('repeat')?.value;
  const placeOf = (at: JsonNode | undefined) => at && rangeOf(at);
  const times = repeat?.value as unknown ?? 1;
  await located(placeOf(repeat), () => {
    if (typeof times !== 'number' || !Number.isInteger(times) || times < 1) throw badData(sentence('"repeat" is a whole number of at least 1.'));
  });
  const count = Number(times);
  const data = node === undefined ? [once] : (await located(placeOf(node), async () => read(await fillNode(node, scope), fileOf(node)))).map((row, index): Row =>
    ({ label: labelOf(row, index), index, values: literals('row', row) }));
  await located(placeOf(node ?? repeat), () => {
    if (data.length === 0) throw badData(sentence('The data of the request has no rows, so nothing was sent.'));
    if (data.length * count > mostRows) throw badData(sentence('The request would be sent {0} times, more than {1}.', data.length * count, mostRows));
  });
  return repeated(data, count);
}

/** The path of the file that the data is, where a template alone says so. */
function fileOf({ type, value }: JsonNode): string | undefined {
  const [first, ...rest] = type === 'string' ? readTemplate(String(value)) : [];
  return rest.length === 0 && first?.kind === 'expression' && first.expression.kind === 'function' && first.expression.name === 'file'
    ? readFileArgument(first.expression.argument).path : undefined;
}

function read(data: unknown, file: string | undefined): readonly Readonly<Record<string, unknown>>[] {
  const rows: unknown = typeof data === 'string' ? readCsv(data, file) : data;
  if (Array.isArray(rows) && rows.every(isObject)) return rows;
  throw badData(sentence('"each" is no list of objects, nor a CSV text whose first line names the columns.'));
}

const badData = (what: ReturnType<typeof sentence>): Problem => new Problem('bad-data', what, { nextStep: sentence('Correct it and send the request again.') });

const longestLabel = 60;

/** Its name where the row has one, else its values. */
function labelOf(row: Readonly<Record<string, unknown>>, index: number): string {
  const own = row['name'] ?? row['title'];
  const text = typeof own === 'string' && own !== '' ? own : Object.values(row).map(value => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? `#${index + 1}` : line.length > longestLabel ? `${line.slice(0, longestLabel - 1)}…` : line;
}

/** A sending as far as the text tells of it. */
export interface WrittenRow extends Pick<Row, 'label' | 'index'> {
  /** Its data, else what says that there is more than one. */
  readonly range: TextRange;
}

/** The sendings of a request that has rows; undefined where the data lies elsewhere and is known when it is read. */
export function writtenRows({ members }: RequestEntry): readonly WrittenRow[] | undefined {
  const each = members.get('each')?.value;
  const repeat = members.get('repeat')?.value;
  if (each !== undefined && each.type !== 'array') return undefined;
  const written: unknown = repeat?.value;
  const times = typeof written === 'number' && Number.isInteger(written) && written >= 1 ? Math.min(written, mostRows) : 1;
  const whole = each ?? repeat;
  const data = each === undefined ? [{ label: '', range: whole === undefined ? { offset: 0, length: 0 } : rangeOf(whole) }]
    : (each.children ?? []).slice(0, mostRows).flatMap((node, index) => (node.type === 'object' ? [{ label: labelOf(valueOf(node) as Record<string, unknown>, index), range: rangeOf(node) }] : []));
  return repeated(data, times).slice(0, mostRows);
}

/** Each so many times, numbered where it is more than once. */
function repeated<T extends Pick<Row, 'label'>>(rows: readonly T[], times: number): (T & Pick<Row, 'index'>)[] {
  return rows.flatMap(row => Array.from({ length: times }, (_, index) => ({ ...row, label: times === 1 ? row.label : `${row.label} #${index + 1}`.trim() })))
    .map((row, index) => ({ ...row, index }));
}

/** Names of variables that `each` gives, as far as the text tells; `any` where the data lies elsewhere. */
export function rowNames(entry: RequestEntry): ReadonlySet<string> | 'any' | undefined {
  const node = entry.members.get('each')?.value;
  if (node === undefined) return undefined;
  if (node.type === 'string') return 'any';
  const rows = node.children ?? [];
  if (rows.some(({ type }) => type !== 'object')) return 'any';
  return new Set(rows.flatMap(row => membersOf(row).map(({ name }) => name)));
}
