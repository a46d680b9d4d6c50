import { Buffer } from 'node:buffer';
import { crc32, inflateSync } from 'node:zlib';

export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  pixel(x: number, y: number): readonly number[];
}

/** Reads an 8-bit truecolour PNG whose rows are unfiltered, checking all that the format lets one check. */
export function decodePng(file: Buffer): DecodedPng {
  if (file.subarray(0, 8).toString('hex') !== '89504e470d0a1a0a') throw new Error('No PNG signature');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    if (crc32(body) !== file.readUInt32BE(at + 8 + length)) throw new Error(`Wrong CRC at ${at}`);
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at += length + 12;
  }
  const order = chunks.map(({ type }) => type).join(' ');
  if (!/^IHDR( IDAT)+ IEND$/.test(order)) throw new Error(`Unexpected chunks: ${order}`);
  const header = chunks[0]?.data ?? Buffer.alloc(0);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.subarray(8).toString('hex') !== '0802000000') throw new Error(`Unexpected header ${header.toString('hex')}`);
  const rows = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  const stride = width * 3 + 1;
  if (rows.length !== stride * height) throw new Error(`${rows.length} bytes of pixels`);
  for (let y = 0; y < height; y++) if (rows[y * stride] !== 0) throw new Error(`Row ${y} is filtered`);
  return { width, height, pixel: (x, y) => [...rows.subarray(y * stride + 1 + x * 3, y * stride + 4 + x * 3)] };
}
