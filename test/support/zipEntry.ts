import { inflateRawSync } from 'node:zlib';

const endSignature = 0x06054b50;
const stored = 0;

/** The content of a file in a small ZIP archive, by its path in it; undefined where it has none (APPNOTE 6.3 §4.3.12). */
export function zipEntry(archive: Buffer, path: string): Buffer | undefined {
  const end = archive.lastIndexOf(Buffer.from(Uint32Array.of(endSignature).buffer));
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const [nameLength, extraLength, commentLength] = [
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
      archive.readUInt16LE(at + 32),
    ];
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === path) {
      const local = archive.readUInt32LE(at + 42);
      const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const bytes = archive.subarray(begin, begin + archive.readUInt32LE(at + 20));
      return archive.readUInt16LE(at + 10) === stored ? bytes : inflateRawSync(bytes);
    }
    at += 46 + nameLength + extraLength + commentLength;
  }
  return undefined;
}
