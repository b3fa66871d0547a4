/** A self-signed certificate for 127.0.0.1 and localhost, made anew for each test run (RFC 5280, in DER). */
import { generateKeyPairSync, sign } from 'node:crypto';

/** A value in DER: its tag, its length, its content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const sequence = (...items: readonly Uint8Array[]): Buffer => der(0x30, ...items);
const id = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bits = (value: Uint8Array): Buffer => der(0x03, Buffer.from([0]), value);

const commonName = id('550403');
const subjectAltName = id('551d11');
const ecdsaWithSha256 = sequence(id('2a8648ce3d040302'));

function make(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, text('Wireproof test')))));
  const validity = sequence(der(0x18, text('20200101000000Z')), der(0x18, text('21200101000000Z')));
  const names = sequence(der(0x82, text('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, names)))),
  );
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** Key and certificate (PEM). */
export const selfSigned: { readonly key: string; readonly cert: string } = make();
