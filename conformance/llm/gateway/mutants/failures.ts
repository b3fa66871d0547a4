/** Faults where the provider fails, and where the client leaves. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { AnswerPiece, GatewayParts } from '../../../../src/llm/gateway/index.ts';

/** What an answer that ended well has at its end. */
const goodEnd: readonly AnswerPiece[] = [{ do: 'stop', reason: 'end_turn', word: 'end' }, { do: 'terminal' }];

/** The exchanges whose provider has said something. */
const spoke = new WeakSet<object>();

export const failureFaults: Faults<GatewayParts> = {
  'error-as-end': {
    pieces: () => {
      let hasText = false;
      return (piece) => {
        hasText ||= piece.do === 'text';
        return piece.do === 'error' && hasText ? goodEnd : [piece];
      };
    },
  },
  'no-terminal-is-good': { endless: () => 'good' },
  'silent-end': { endless: () => 'silent' },
  'text-held-before-error': {
    pieces: () => {
      const held: AnswerPiece[] = [];
      return (piece) => {
        const isText = piece.do === 'text' || piece.do === 'cite';
        if (isText) held.push(piece);
        if (isText) return [];
        return piece.do === 'stop' ? [...held, piece] : [piece];
      };
    },
  },
  'error-with-200': { refused: (refusal) => ({ ...refusal, status: 200 }) },
  'error-of-nobody': { refused: (refusal) => ({ ...refusal, body: { fault: 'upstream' } }) },
  'all-is-502': { refused: (refusal) => ({ ...refusal, status: 502 }) },
  'retry-after-lost': {
    refused: (refusal) => ({ ...refusal, headers: { 'retry-after': '0' } }),
  },
  'one-type-for-all': {
    refused: ({ body, ...refusal }) => ({
      ...refusal,
      body: isObject(body['error'])
        ? { ...body, error: { ...body['error'], type: 'invalid_request_error' } }
        : body,
    }),
  },
  'overload-is-500': {
    refused: (refusal, { type }) => (type === 'overloaded' ? { ...refusal, status: 500 } : refusal),
  },
  'message-lost': { refused: ({ body, ...refusal }) => ({ ...refusal, body: withoutMessage(body) }) },
  'torn-body-is-good': {
    pieces:
      ({ stream }) =>
      (piece) =>
        // A refusal has a status.
        piece.do === 'error' && piece.error.status === undefined && !stream ? goodEnd : [piece],
    endless: ({ stream }) => (stream ? undefined : 'good'),
  },
  'empty-stream-is-good': {
    pieces: (context) => (piece) => {
      spoke.add(context);
      return [piece];
    },
    endless: (context) => (spoke.has(context) ? undefined : 'good'),
  },
  'form-of-provider': { form: 'provider' },
  'asked-twice': { times: 2 },
  'buffered-whole': { holds: true },
  'goes-on-unheard': { goesOn: ({ stream }, hasBegun) => stream && !hasBegun },
  'goes-on-in-mid-stream': { goesOn: ({ stream }, hasBegun) => stream && hasBegun },
  'goes-on-for-a-body': { goesOn: ({ stream }) => !stream },
  'utf8-by-chunk': {
    bytes: () => (chunk) => Buffer.from(Buffer.from(chunk).toString('utf8')),
  },
};

/** An error of any dialect whose message says nothing. */
function withoutMessage(body: JsonObject): JsonObject {
  const { error } = body;
  return { ...body, error: isObject(error) ? { ...error, message: 'upstream error' } : 'upstream error' };
}
