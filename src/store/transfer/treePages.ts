import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/** Row ids of a page's rows: the first and the last. */
interface Rows {
  readonly first: number;
  readonly last: number;
}

/** Types of table pages (https://www.sqlite.org/fileformat2.html#b_tree_pages), and of entries for their children in the pointer map. */
const interior = 5;
const leaf = 13;
const childOf = 5;
const interiorHeader = 12;
const leafHeader = 8;
/** Where the header has the page size, and the largest root page, which is 0 where there is no pointer map. */
const pageSizeAt = 16;
const largestRootAt = 52;
/** The page at this offset is not used. */
const lockedAt = 0x40_00_00_00;

/**
 * Mends the pages that only say where a table's rows are: one such page of a table leads to a thousand with rows. Its children are in the
 * file's pointer map, too (https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages). The file must have no log and not be open.
 * @param roots the numbers of the tables' first pages.
 */
export function mendTrees(path: string, roots: readonly number[]): void {
  const file = openSync(path, 'r+');
  try {
    new Trees(file).mend(roots);
  } finally {
    closeSync(file);
  }
}

class Trees {
  readonly #file: number;
  readonly #size: number;
  readonly #pages: number;
  readonly #children = new Map<number, number[]>();

  constructor(file: number) {
    this.#file = file;
    const header = Buffer.alloc(100);
    readSync(file, header, 0, header.length, 0);
    const size = header.readUInt16BE(pageSizeAt);
    this.#size = size === 1 ? 65_536 : size;
    this.#pages = Math.floor(fstatSync(file).size / this.#size);
    if (header.readUInt32BE(largestRootAt) > 0) this.#readPointers();
  }

  mend(pages: readonly number[], depth = 0): void {
    // No tree is that deep: a spoilt map may lead in a circle.
    if (depth > 8) return;
    for (const page of pages) {
      const bytes = this.#read(page);
      if (rowsIn(bytes) !== undefined) continue;
      // The map may be what is spoilt: a page that is sound in itself stays.
      const listed = childrenIn(bytes, this.#pages);
      const children = listed ?? this.#children.get(page) ?? [];
      this.mend(children, depth + 1);
      if (listed === undefined && children.length > 0) this.#rebuild(page, children);
    }
  }

  #readPointers(): void {
    const apart = Math.floor(this.#size / 5) + 1;
    for (let page = 2; page <= this.#pages; page += apart) {
      const map = (page - 1) * this.#size === lockedAt ? page + 1 : page;
      const bytes = this.#read(map);
      for (let at = 0; at + 5 <= bytes.length; at += 5) {
        const child = map + 1 + at / 5;
        if (bytes[at] !== childOf || child > this.#pages) continue;
        const parent = bytes.readUInt32BE(at + 1);
        this.#children.set(parent, [...(this.#children.get(parent) ?? []), child]);
      }
    }
  }

  #read(page: number): Buffer {
    const bytes = Buffer.alloc(this.#size);
    readSync(this.#file, bytes, 0, this.#size, (page - 1) * this.#size);
    return bytes;
  }

  #rowsOf(page: number, depth = 0): Rows | undefined {
    const children = this.#children.get(page);
    if (children === undefined) return rowsIn(this.#read(page));
    const found = depth > 8 ? [] : children.flatMap(child => this.#rowsOf(child, depth + 1) ?? []);
    if (found.length === 0) return undefined;
    return { first: Math.min(...found.map(({ first }) => first)), last: Math.max(...found.map(({ last }) => last)) };
  }

  /** Where rows are missing, one of the unreadable children is named, so that their loss shows. */
  #rebuild(page: number, children: readonly number[]): void {
    const unreadable: number[] = [];
    const sound: (Rows & { readonly page: number })[] = [];
    for (const child of children) {
      const rows = this.#rowsOf(child);
      if (rows === undefined) unreadable.push(child);
      else sound.push({ ...rows, page: child });
    }
    sound.sort((one, other) => one.first - other.first);
    const cells: (readonly [child: number, key: number])[] = [];
    const [lost] = unreadable;
    let end = 0;
    for (const { page: child, first, last } of sound) {
      if (first <= end) continue;
      if (lost !== undefined && first > end + 1) cells.push([lost, first - 1]);
      cells.push([child, last]);
      end = last;
    }
    const right = lost ?? cells.pop()?.[0];
    const bytes = right === undefined ? undefined : interiorPage(this.#size, cells, right);
    if (bytes !== undefined) writeSync(this.#file, bytes, 0, bytes.length, (page - 1) * this.#size);
  }
}

/** Undefined for a page that is no interior page of a table, has its rows out of order, or a child twice or that is not in the file. */
function childrenIn(bytes: Buffer, pages: number): number[] | undefined {
  if (bytes[0] !== interior) return undefined;
  const cells = cellsOf(bytes, interiorHeader);
  if (cells === undefined || !ascend(cells.map(at => readVarint(bytes, at + 4).value))) return undefined;
  const children = [...cells.map(at => bytes.readUInt32BE(at)), bytes.readUInt32BE(8)];
  return new Set(children).size === children.length && children.every(child => child > 1 && child <= pages) ? children : undefined;
}

/** Undefined for a page that is no leaf of a table, has no rows, or has them out of order. */
function rowsIn(bytes: Buffer): Rows | undefined {
  if (bytes[0] !== leaf) return undefined;
  const ids = cellsOf(bytes, leafHeader)?.map(at => readVarint(bytes, readVarint(bytes, at).end).value);
  const [first] = ids ?? [];
  const last = ids?.at(-1);
  if (ids === undefined || first === undefined || last === undefined) return undefined;
  return ascend(ids) ? { first, last } : undefined;
}

const ascend = (ids: readonly number[]): boolean => ids.every((id, index) => id > (ids[index - 1] ?? 0));

/** Where the cells are; undefined if one is not within the page. */
function cellsOf(bytes: Buffer, header: number): number[] | undefined {
  const count = bytes.readUInt16BE(3);
  const end = header + 2 * count;
  if (end > bytes.length) return undefined;
  const cells = Array.from({ length: count }, (_, index) => bytes.readUInt16BE(header + 2 * index));
  return cells.every(at => at >= end && at + 4 <= bytes.length) ? cells : undefined;
}

/** Undefined if they do not fit. */
function interiorPage(size: number, cells: readonly (readonly [child: number, key: number])[], right: number): Buffer | undefined {
  const bytes = Buffer.alloc(size);
  let content = size;
  for (const [index, [child, key]] of cells.entries()) {
    const written = varint(key);
    content -= 4 + written.length;
    if (content < interiorHeader + 2 * (index + 1)) return undefined;
    bytes.writeUInt32BE(child, content);
    bytes.set(written, content + 4);
    bytes.writeUInt16BE(content, interiorHeader + 2 * index);
  }
  bytes.writeUInt8(interior, 0);
  bytes.writeUInt16BE(cells.length, 3);
  bytes.writeUInt16BE(content % 65_536, 5);
  bytes.writeUInt32BE(right, 8);
  return bytes;
}

/** Reads a variable-length integer of at most 8 bytes: more than any row id has. */
function readVarint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let end = at; end < at + 8; ) {
    const byte = bytes[end++] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end };
  }
  return { value: Infinity, end: at + 8 };
}

function varint(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 128);
  return bytes;
}
