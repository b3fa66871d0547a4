/**
 * Sample: pings and pongs, one JSON object a line. spec/sample/README.md describes the protocol on one page.
 *
 * @example
 * import { decodeLine } from 'wireproof/sample';
 *
 * decodeLine('{"id":1,"type":"ping"}'); // { ok: true, value: { type: 'ping', id: 1 } }
 */
export { decodeLine, sampleCodec } from './codec.ts';
export { isSampleMessage } from './messages.ts';
export type { SampleMessage } from './messages.ts';
export { responder } from './responder/responder.ts';
export { sampleTestee } from './testee.ts';
