/** Of memory, in WebAssembly. */
const page = 65_536;
/** Bytes that are looked at in one step. */
const step = 16;
const space = 32;

/** The opcodes that are needed (WebAssembly 2.0 §5.4), and those of vectors with their prefix. */
const op = {
  loop: 0x03, if: 0x04, end: 0x0b, branchIf: 0x0d, return: 0x0f, get: 0x20, tee: 0x22, constant: 0x41, less: 0x49, add: 0x6a,
  load: [0xfd, 0x00], splat: [0xfd, 0x0f], lessEach: [0xfd, 0x26], any: [0xfd, 0x53],
} as const;
const [i32, noResult, end, at] = [0x7f, 0x40, 0, 1] as const;

/** `find(end)`: 1 where any of the first `end` bytes of `memory` is less than a space, otherwise 0. `end` is at least one step, and whole ones. */
const find = [
  1, 1, i32, // one local of its own: at
  op.loop, noResult,
  op.get, at, ...op.load, 0, 0, op.constant, space, ...op.splat, ...op.lessEach, ...op.any,
  op.if, noResult, op.constant, 1, op.return, op.end,
  op.get, at, op.constant, step, op.add, op.tee, at, op.get, end, op.less, op.branchIf, 0,
  op.end,
  op.constant, 0,
  op.end,
];
const named = (name: string, kind: number): number[] => [name.length, ...Buffer.from(name), kind, 0];
const section = (id: number, ...content: readonly number[]): number[] => [id, content.length, ...content];
const wasm = Uint8Array.of(
  ...Buffer.from('\0asm'), 1, 0, 0, 0,
  ...section(1, 1, 0x60, 1, i32, 1, i32), // types: i32 to i32
  ...section(3, 1, 0), // functions: of that type
  ...section(5, 1, 0, 1), // memories: of one page
  ...section(7, 2, ...named('memory', 2), ...named('find', 0)), // exports
  ...section(10, 1, find.length, ...find),
);

/** What Node has of it and its types do not say. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Finder {
  readonly memory: Uint8Array;
  readonly find: (end: number) => number;
}
let finder: Finder | undefined;

function makeFinder(): Finder {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm));
  const { memory, find } = exports as { readonly memory: { readonly buffer: ArrayBuffer }; readonly find: Finder['find'] };
  return { memory: new Uint8Array(memory.buffer), find };
}

/**
 * Whether any byte from there to there, the last left out, is a control character of ASCII. Sixteen at a time: a fast stream is looked at
 * byte by byte for this alone, and a regular expression takes ten times as long. Where there is no WebAssembly there is no undici either.
 */
export function hasControls(bytes: Uint8Array, from: number, to: number): boolean {
  const { memory, find } = finder ??= makeFinder();
  for (let start = from; start < to; start += page) {
    const length = Math.min(page, to - start);
    const whole = Math.ceil(length / step) * step;
    memory.set(bytes.subarray(start, start + length));
    memory.fill(space, length, whole);
    if (find(whole) !== 0) return true;
  }
  return false;
}
