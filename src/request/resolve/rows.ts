import { isObject } from '../../protocol/json.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { readCsv } from '../text/csv.ts';
import { readFileArgument } from '../template/fileValue.ts';
import { fillNode, type Scope } from './fill.ts';
import { rangeOf, type JsonNode } from '../text/jsonNode.ts';
import type { RequestEntry } from '../file/requestEntry.ts';
import { located } from '../text/requestFault.ts';
import { readTemplate } from '../template/template.ts';
import { literals, noValues, type Values } from '../text/value.ts';
import type { MatrixTarget } from '../file/matrix.ts';
import { combined, labelIn, labelOf, maxRows, type Numbered, repeated, writtenCount } from '../file/writtenRows.ts';

/** One of several times that a request is sent. */
export interface Row extends Numbered {
  readonly values: Values;
  /** Where it goes, of `matrix`. */
  readonly target?: MatrixTarget;
}

/** For a request without `each` and `repeat`. */
const once: Row = { label: '', index: 0, values: noValues };

/**
 * All times that a request is sent: for each combination of `matrix` each row of `each`, repeated `repeat` times.
 * @throws RequestFault `bad-data` where the data is not a list of objects or has too many rows, and those of `fillNode`
 */
export async function rowsOf(entry: RequestEntry, scope: Scope): Promise<readonly Row[]> {
  const node = entry.members.get('each')?.value;
  const repeat = entry.members.get('repeat')?.value;
  const placeOf = (at: JsonNode | undefined) => at && rangeOf(at);
  const wanted = (repeat?.value as unknown) ?? 1;
  await located(placeOf(repeat), () => {
    if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted < 1)
      throw badData(sentence('"repeat" must be a whole number of at least 1.'));
  });
  const whole = placeOf(node ?? repeat ?? entry.members.get('matrix')?.value);
  const count = writtenCount(entry);
  await located(whole, () => requireFew(count));
  if (node === undefined) return rowsIn(entry, [once], Number(wanted));
  const data = await located(placeOf(node), async () => read(await fillNode(node, scope), fileOf(node)));
  await located(whole, () => {
    if (data.length === 0) throw badData(sentence('The data of the request has no rows, so nothing was sent.'));
    // What is written in the file is counted already.
    if (node.type !== 'array') requireFew(count * data.length);
  });
  return rowsIn(
    entry,
    data.map((given, index): Row => {
      // Such as those of `{{$lines}}`.
      const row = typeof given === 'string' ? { line: given } : given;
      return { label: labelOf(row, index), index, values: literals('row', row) };
    }),
    Number(wanted),
  );
}

const rowsIn = (entry: RequestEntry, data: readonly Row[], times: number): readonly Row[] =>
  repeated(
    combined(entry, data, (target, row) => ({ ...row, target, label: labelIn(target, row.label) })),
    times,
  );

function requireFew(times: number): void {
  if (times > maxRows) throw badData(sentence('The request would be sent {0} times, more than the limit of {1}.', times, maxRows));
}

/** The path of the file, where the data is a single file template. */
function fileOf({ type, value }: JsonNode): string | undefined {
  const [first, ...rest] = type === 'string' ? readTemplate(String(value)) : [];
  return rest.length === 0 && first?.kind === 'expression' && first.expression.kind === 'function' && first.expression.name === 'file'
    ? readFileArgument(first.expression.argument).path
    : undefined;
}

/** No more rows than may be sent are made of a text; those of other data are there already. */
function read(data: unknown, file: string | undefined): readonly (Readonly<Record<string, unknown>> | string)[] {
  const rows: unknown = typeof data === 'string' ? readCsv(data, file, maxRows + 1) : data;
  if (typeof data === 'string' && Array.isArray(rows) && rows.length > maxRows)
    throw badData(sentence('The data of the request exceeds the limit of {0} rows.', maxRows));
  if (Array.isArray(rows) && (rows.every(isObject) || rows.every(row => typeof row === 'string'))) return rows;
  throw badData(sentence('"each" is neither a list of objects nor CSV text whose first line names the columns.'));
}

const badData = (what: ReturnType<typeof sentence>): Problem =>
  new Problem('bad-data', what, { nextStep: sentence('Correct it and send the request again.') });
