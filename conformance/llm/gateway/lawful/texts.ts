/** Oddities of texts, thoughts, refusals and calls. */
import { exactJsonOf, exactText, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { AnswerPiece, GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { onArguments, onPiece } from '../mutants/edits.ts';
import { inAnswers, inBodies, inChoices, inStreams, lacking, listOf, objectIn } from './edits.ts';

type Stop = Extract<AnswerPiece, { do: 'stop' }>;

export const textOddities: Faults<GatewayParts> = {
  'text-by-character': onPiece('text', ({ text }) =>
    Array.from(text, (piece) => ({ do: 'text' as const, text: piece })),
  ),
  'writes-together': { delay: 200 },
  'empty-text-before-calls': onPiece('call', (piece) => [{ do: 'text', text: '' }, piece]),
  'content-empty-beside-calls': inBodies('openai-chat', (body) => withContent(body, '')),
  'content-absent-beside-calls': inBodies('openai-chat', (body) => withContent(body, undefined)),
  'reasoning-content': { variants: { reasoning: 'reasoning_content' } },
  reasoning: { variants: { reasoning: 'reasoning' } },
  'signatures-empty': {
    ...inStreams(
      'anthropic',
      () => (data) => (objectIn(data, 'delta')['type'] === 'signature_delta' ? [] : undefined),
    ),
    ...inBodies('anthropic', (body) => ({
      ...body,
      content: listOf(body['content']).map((block) =>
        block['type'] === 'thinking' ? { ...block, signature: '' } : block,
      ),
    })),
  },
  'refusals-as-text': {
    pieces: () => {
      let refused = false;
      return (piece) => {
        refused ||= piece.do === 'refusal';
        if (piece.do === 'refusal') return [{ do: 'text', text: piece.text }];
        const reason = refused && piece.do === 'stop' ? 'refusal' : undefined;
        return piece.do === 'stop' && reason !== undefined ? [{ ...piece, reason }] : [piece];
      };
    },
  },
};

export const callOddities: Faults<GatewayParts> = {
  'calls-whole': {
    ...onArguments((text) => text),
    ...inStreams('openai-chat', () => {
      let begun: JsonObject | undefined;
      return (data) => {
        const [call] = callsIn(data);
        if (call?.['id'] !== undefined) {
          begun = data;
          return [];
        }
        const first = begun;
        begun = undefined;
        if (first === undefined) return undefined;
        return call === undefined ? [first, data] : [withArguments(first, call)];
      };
    }),
  },
  'arguments-held': onArguments((text) => text),
  'arguments-rewritten': onArguments(rewritten),
  'broken-calls-dropped': wholeCalls(() => [], true),
  'broken-calls-dropped-and-ended': wholeCalls(() => [], false),
  'cut-calls-emptied': {
    pieces: (context) => {
      if (context.stream) return (piece) => [piece];
      const empty = (call: readonly AnswerPiece[], { reason }: Stop): readonly AnswerPiece[] =>
        reason === 'max_tokens'
          ? call
              .map((piece) => (piece.do === 'arguments' ? { ...piece, text: '' } : piece))
              .concat(closing(call))
          : call;
      return wholeCalls(empty, true).pieces?.(context) ?? ((piece) => [piece]);
    },
  },
  'broken-call-is-an-error': wholeCalls(
    (call, { reason }) =>
      reason === 'tool_use'
        ? [{ do: 'error', error: { type: 'server', message: 'the call has arguments that are no JSON' } }]
        : call,
    true,
  ),
  'call-ids-minted': onPiece('call', (piece) => [{ ...piece, id: `call_of_gateway_${piece.call}` }]),
  'call-ids-with-signatures': onPiece('call', (piece) => [
    { ...piece, id: `${piece.id ?? `call_${piece.call}`}__thought__c2lnbmF0dXJlLTE=` },
  ]),
  'call-ids-repeated': inStreams('openai-chat', () => {
    const ids = new Map<Json | undefined, Json>();
    return (data) => {
      const [choice] = listOf(data['choices']);
      const calls = callsIn(data);
      if (choice === undefined || calls.length === 0) return undefined;
      const named = calls.map((call) => {
        const { index, id = ids.get(index) ?? null } = call;
        ids.set(index, id);
        return { ...call, id, type: 'function' };
      });
      return [{ ...data, choices: [{ ...choice, delta: { tool_calls: named } }] }];
    };
  }),
  'ollama-calls-without-ids': inAnswers((data) => {
    const message = objectIn(data, 'message');
    const calls = listOf(message['tool_calls']).map((call) => lacking(call, 'id'));
    return calls.length === 0 ? undefined : { ...data, message: { ...message, tool_calls: calls } };
  }),
  'chat-null-members': inChoices((choice, name) => ({
    ...choice,
    [name]: {
      content: null,
      tool_calls: null,
      function_call: null,
      audio: null,
      refusal: null,
      ...objectIn(choice, name),
    },
  })),
};

/** The calls in a chunk of Chat. */
const callsIn = (data: JsonObject): readonly JsonObject[] =>
  listOf(objectIn(listOf(data['choices'])[0] ?? {}, 'delta')['tool_calls']);

/** The chunk that begins a call, with its arguments. */
function withArguments(data: JsonObject, more: JsonObject): JsonObject {
  const [choice = {}] = listOf(data['choices']);
  const [call = {}] = callsIn(data);
  const made = { ...objectIn(call, 'function'), arguments: objectIn(more, 'function')['arguments'] ?? '' };
  const delta = { ...objectIn(choice, 'delta'), tool_calls: [{ ...call, function: made }] };
  return { ...data, choices: [{ ...choice, delta }] };
}

/** The message of a body of Chat with another content beside its calls. */
function withContent(body: JsonObject, content: '' | undefined): JsonObject {
  const [choice = {}] = listOf(body['choices']);
  const message = objectIn(choice, 'message');
  if (message['content'] !== null || message['tool_calls'] === undefined) return body;
  const bare = lacking(message, 'content');
  return { ...body, choices: [{ ...choice, message: content === undefined ? bare : { ...bare, content } }] };
}

/** The same value as Python writes it: in ASCII, with spaces, its members in another order. */
function rewritten(text: string): string {
  try {
    const value = exactJsonOf(text);
    const turned = isObject(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value;
    return ascii(` ${exactText(turned)} `);
  } catch {
    return text;
  }
}

/** JSON without characters beyond ASCII. */
export const ascii = (json: string): string =>
  json.replaceAll(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const isWhole = (call: readonly AnswerPiece[]): boolean => {
  const text = call.map((piece) => (piece.do === 'arguments' ? piece.text : '')).join('');
  try {
    return text.trim() === '' ? call.some((piece) => piece.do === 'call_end') : isObject(exactJsonOf(text));
  } catch {
    return false;
  }
};

const closing = (call: readonly AnswerPiece[]): readonly AnswerPiece[] =>
  call.flatMap((piece) => (piece.do === 'call' ? [{ do: 'call_end' as const, call: piece.call }] : []));

/**
 * Holds each call until the answer stops.
 *
 * @param broken - what becomes of a call whose arguments are no JSON
 * @param keepsWord - whether an answer without a whole call still ends with the word for tool use
 */
function wholeCalls(
  broken: (call: readonly AnswerPiece[], stop: Stop) => readonly AnswerPiece[],
  keepsWord: boolean,
): GatewayParts {
  return {
    pieces: () => {
      const calls: AnswerPiece[][] = [];
      return (piece) => {
        if (piece.do === 'call' || piece.do === 'arguments' || piece.do === 'call_end') {
          (calls[piece.call] ??= []).push(piece);
          return [];
        }
        if (piece.do !== 'stop') return [piece];
        const made = calls.map((call) => (isWhole(call) ? call : broken(call, piece)));
        const isBare = piece.reason === 'tool_use' && made.every((call) => call.length === 0);
        return [...made.flat(), isBare && !keepsWord ? { ...piece, reason: 'end_turn' } : piece];
      };
    },
  };
}
