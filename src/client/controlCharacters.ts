/** A byte of each of four in a word: 32, of which everything less is a control character, and the highest bit. */
const spaces = 0x20202020;
const highest = 0x80808080;

/**
 * Whether any byte from there to there, the last left out, is a control character of ASCII. Four bytes at a time: what is less than 32
 * borrows from its highest bit when 32 is taken from it.
 */
export function hasControls(bytes: Uint8Array, from: number, to: number): boolean {
  const first = Math.min(to, from + (-(bytes.byteOffset + from) & 3));
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + first, (to - first) >> 4 << 2);
  let found = 0;
  for (let index = 0; index < words.length; index += 4) {
    const one = words[index]!;
    const two = words[index + 1]!;
    const three = words[index + 2]!;
    const four = words[index + 3]!;
    found |= ((one - spaces) & ~one) | ((two - spaces) & ~two) | ((three - spaces) & ~three) | ((four - spaces) & ~four);
  }
  return (found & highest) !== 0 || anyLess(bytes, from, first) || anyLess(bytes, first + words.byteLength, to);
}

function anyLess(bytes: Uint8Array, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (bytes[index]! < 32) return true;
  return false;
}
