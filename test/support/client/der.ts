/** ASN.1 in DER: a tag, the length, the content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);
export const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
export const time = (date: Date): Buffer => der(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`));
export const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
