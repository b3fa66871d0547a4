/** Faults in calls of tools. */
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { AnswerPiece, GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { onArguments, onPiece, onStop } from './edits.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The arguments as a reader with doubles writes them again. */
const rounded = (text: string): string => (isJson(text) ? JSON.stringify(JSON.parse(text)) : text);

export const callFaults: Faults<GatewayParts> = {
  'calls-in-one': {
    pieces:
      ({ stream }) =>
      (piece) =>
        stream ? inFirstCall(piece) : [piece],
  },
  'call-dropped-beside-text': {
    pieces: () => {
      let hasText = false;
      return (piece) => {
        hasText ||= piece.do === 'text';
        if (!hasText) return [piece];
        if (piece.do === 'stop' && piece.reason === 'tool_use') return [{ ...piece, reason: 'end_turn' }];
        return isOfCall(piece) ? [] : [piece];
      };
    },
  },
  'arguments-lost': onArguments((text) => (isJson(text) ? '{}' : text)),
  'arguments-encoded-twice': onArguments((text) =>
    isJson(text) && text !== '{}' ? JSON.stringify({ arguments: text }) : text,
  ),
  'integers-rounded': onArguments(rounded),
  'one-id-for-all': onPiece('call', (piece) => [{ ...piece, id: 'call_same' }]),
  'ids-empty': onPiece('call', (piece) => [{ ...piece, id: '' }]),
  'cut-call-closed': onArguments((text) => (isJson(text) ? text : closed(text))),
  'cut-call-wrapped': onArguments((text) => (isJson(text) ? text : JSON.stringify({ text }))),
  'unparsable-emptied': onArguments((text) => (isJson(text) ? text : '{}')),
  'limit-as-stop': onStop((stop) =>
    stop.reason === 'max_tokens' ? { ...stop, reason: 'end_turn' } : undefined,
  ),
  'tool-as-end': onStop((stop) => (stop.reason === 'tool_use' ? { ...stop, reason: 'end_turn' } : undefined)),
  'tool-without-calls': onStop((stop) =>
    stop.reason === 'end_turn' ? { ...stop, reason: 'tool_use' } : undefined,
  ),
};

const isOfCall = ({ do: kind }: AnswerPiece): boolean =>
  kind === 'call' || kind === 'arguments' || kind === 'call_end';

/** The pieces of later calls belong to the first one, which ends with the answer. */
function inFirstCall(piece: AnswerPiece): readonly AnswerPiece[] {
  if (piece.do === 'arguments') return [{ ...piece, call: 0 }];
  const isDropped = piece.do === 'call_end' || (piece.do === 'call' && piece.call > 0);
  return isDropped ? [] : [piece];
}

/** A text with the quotes and brackets that it lacks. */
function closed(text: string): string {
  const inString = (text.replaceAll(/\\./g, '').split('"').length - 1) % 2 === 1;
  const ended = inString ? `${text}"` : text;
  const candidates = ['}', ': null}', '}}', ']}', '": null}'].map((end) => `${ended}${end}`);
  return candidates.find(isJson) ?? '{}';
}
