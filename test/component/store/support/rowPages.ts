import { DatabaseSync } from 'node:sqlite';

/** A page of a b-tree, as `dbstat` has it. */
interface StatRow {
  readonly path: string;
  readonly pageno: number;
  readonly pagetype: 'internal' | 'leaf' | 'overflow';
  readonly ncell: number;
}

/** Where in a history's file everything is, read while it is whole. */
export class RowPages {
  readonly pageSize: number;
  /** The pages of indexes, and of the index of words. */
  readonly indexPages: readonly number[];
  /** Of each table, the pages that lead to its rows. */
  readonly inside: ReadonlyMap<string, readonly number[]>;
  /** Of each table, the pages that have its rows. */
  readonly leaves: ReadonlyMap<string, readonly number[]>;
  /** The pages without which a task cannot be read whole, by its row id; those of its context are not among them. */
  readonly ofTask: ReadonlyMap<number, ReadonlySet<number>>;
  /** The same of contexts. */
  readonly ofContext: ReadonlyMap<number, ReadonlySet<number>>;

  constructor(path: string) {
    const raw = new DatabaseSync(path, { readOnly: true });
    try {
      this.pageSize = Number(raw.prepare('PRAGMA page_size').get()?.['page_size']);
      this.indexPages = raw
        .prepare(
          `SELECT pageno FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE type = 'index')
            OR name GLOB '*_words_*' OR name = 'unindexed' ORDER BY pageno`,
        )
        .all()
        .map(row => Number(row['pageno']));
      this.inside = pagesByTable(raw, 'internal');
      this.leaves = pagesByTable(raw, 'leaf');
      this.ofContext = pagesOf(raw, 'contexts', 'id');
      const ofTask = new Map([...pagesOf(raw, 'tasks', 'id')].map(([id, pages]) => [id, new Set(pages)]));
      for (const [table, owner] of [
        ['entries', 'task'],
        ['artifacts', 'task'],
        ['artifact_chunks', '(SELECT task FROM artifacts a WHERE a.id = artifact)'],
      ] as const) {
        for (const [task, pages] of pagesOf(raw, table, owner)) for (const page of pages) ofTask.get(task)?.add(page);
      }
      this.ofTask = ofTask;
    } finally {
      raw.close();
    }
  }
}

/** Where the values of a row are in a whole file: from the first byte on, before the last. Row ids and sizes are of at most two bytes. */
export function valuesOf(bytes: Buffer, pageSize: number, leaves: readonly number[], id: number): readonly [from: number, to: number] {
  const varint = (at: number): readonly [value: number, end: number] =>
    bytes[at]! < 0x80 ? [bytes[at]!, at + 1] : [(bytes[at]! & 0x7f) * 128 + bytes[at + 1]!, at + 2];
  for (const page of leaves) {
    const begin = (page - 1) * pageSize;
    for (let cell = 0; cell < bytes.readUInt16BE(begin + 3); cell++) {
      const [size, idAt] = varint(begin + bytes.readUInt16BE(begin + 8 + 2 * cell));
      const [rowId, record] = varint(idAt);
      if (rowId === id) return [record + bytes[record]!, record + size];
    }
  }
  throw new Error(`there is no row ${id}`);
}

function pagesByTable(raw: DatabaseSync, type: StatRow['pagetype']): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const query = raw.prepare(`SELECT name, pageno FROM dbstat WHERE pagetype = ? AND name IN
    ('contexts', 'tasks', 'entries', 'artifacts', 'artifact_chunks') ORDER BY name, path`);
  for (const { name, pageno } of query.all(type)) found.set(String(name), [...(found.get(String(name)) ?? []), Number(pageno)]);
  return found;
}

/** The pages that have the rows of each owner, and what does not fit on them. */
function pagesOf(raw: DatabaseSync, table: string, owner: string): Map<number, Set<number>> {
  const pages = raw.prepare('SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name = ?').all(table) as unknown as readonly StatRow[];
  const overflow = new Map<string, number[]>();
  for (const { path, pageno, pagetype } of pages) {
    if (pagetype !== 'overflow') continue;
    const cell = path.slice(0, path.indexOf('+'));
    overflow.set(cell, [...(overflow.get(cell) ?? []), pageno]);
  }
  const leaves = pages
    .filter(({ pagetype }) => pagetype === 'leaf')
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap(({ path, pageno, ncell }) =>
      Array.from({ length: ncell }, (_, cell) => [pageno, ...(overflow.get(`${path}${cell.toString(16).padStart(3, '0')}`) ?? [])]),
    );
  const owners = raw.prepare(`SELECT ${owner} AS owner FROM ${table} NOT INDEXED ORDER BY rowid`).all();
  if (owners.length !== leaves.length) throw new Error(`${table}: ${owners.length} rows in ${leaves.length} cells`);
  const found = new Map<number, Set<number>>();
  owners.forEach((row, index) => {
    const id = Number(row['owner']);
    const known = found.get(id) ?? new Set();
    for (const page of leaves[index]!) known.add(page);
    found.set(id, known);
  });
  return found;
}
