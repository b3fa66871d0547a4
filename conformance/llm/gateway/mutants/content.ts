/** Faults in text, thoughts, refusals, citations and names. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { onFirst, onPiece, without } from './edits.ts';

export const contentFaults: Faults<GatewayParts> = {
  'first-piece-lost': onFirst('text', () => []),
  'pieces-trimmed': onPiece('text', ({ text }) => [{ do: 'text', text: text.trim() }]),
  'text-twice': {
    pieces: () => {
      let said = '';
      return (piece) => {
        if (piece.do === 'text') said += piece.text;
        return piece.do === 'stop' && said !== '' ? [{ do: 'text', text: said }, piece] : [piece];
      };
    },
  },
  'thoughts-as-text': onPiece('thought', ({ text }) => [{ do: 'text', text }]),
  'thoughts-lost': without('thought', 'signature'),
  'signatures-lost': without('signature'),
  'refusal-lost': without('refusal'),
  'refusal-twice': onPiece('refusal', ({ text }) => [
    { do: 'refusal', text },
    { do: 'text', text },
  ]),
  'citations-lost': without('cite'),
  'no-id': {
    units: () => (unit) => [withoutIds(unit)],
    body: () => (body) => (isObject(body) ? { ...body, id: '' } : body),
  },
};

/** The same unit without the id of its answer. */
function withoutIds(unit: Parameters<ReturnType<NonNullable<GatewayParts['units']>>>[0]): typeof unit {
  const { data } = unit;
  if (!isObject(data)) return unit;
  const { event } = unit;
  const named = event === undefined ? {} : { event };
  const bare = 'id' in data ? { ...data, id: '' } : data;
  const nested = Object.fromEntries(
    ['message', 'response'].flatMap((key) => {
      const value = bare[key];
      return isObject(value) && 'id' in value ? [[key, { ...value, id: '' }]] : [];
    }),
  );
  return { ...named, data: { ...bare, ...nested } };
}
