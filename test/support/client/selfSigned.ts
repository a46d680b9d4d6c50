import { generateKeyPairSync, sign } from 'node:crypto';
import { der, ecdsaWithSha256, oid, sequence, time } from './der.ts';

/** A key and a certificate for 127.0.0.1 that it signed itself (RFC 5280), good for an hour, as PEM. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('test')))));
  const hour = 3_600_000;
  const alternativeName = sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))));
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(Date.now() - hour)), time(new Date(Date.now() + hour))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', certificate, privateKey));
  const base64 = sequence(certificate, ecdsaWithSha256, signature).toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
