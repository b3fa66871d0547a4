/** The codec as a testee of the suite `sample/codec`: one request in, one answer out. */
import { RequestRefusal, dispatcher } from '../kit/base/index.ts';
import type { JsonObject } from '../kit/base/index.ts';
import { decodeLine } from './codec.ts';

/** Answers one request. Never throws. */
export const sampleTestee: (request: JsonObject) => JsonObject = dispatcher({
  name: 'wireproof reference',
  version: '0.1.0',
  operations: {
    'sample.decode'({ line }) {
      if (typeof line !== 'string') throw new RequestRefusal('bad-input', 'expected line to be a text');
      const decoded = decodeLine(line);
      if (!decoded.ok) throw new RequestRefusal(decoded.error.code, decoded.error.message);
      return { message: { ...decoded.value } };
    },
  },
});
