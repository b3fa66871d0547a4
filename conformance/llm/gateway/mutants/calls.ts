/** Faults in calls of tools. */
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { GatewayParts } from '../../../../src/llm/gateway/index.ts';
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
  'calls-in-one': onPiece('call', (piece) => (piece.call === 0 ? undefined : [])),
  'call-dropped-beside-text': {
    pieces: () => {
      let hasText = false;
      return (piece) => {
        hasText ||= piece.do === 'text';
        return hasText && (piece.do === 'call' || piece.do === 'arguments' || piece.do === 'call_end')
          ? []
          : [piece];
      };
    },
  },
  'arguments-lost': onPiece('arguments', () => []),
  'arguments-encoded-twice': onArguments((text) => JSON.stringify({ arguments: text })),
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

/** A text with the quotes and brackets that it lacks. */
function closed(text: string): string {
  const inString = (text.replaceAll(/\\./g, '').split('"').length - 1) % 2 === 1;
  const ended = inString ? `${text}"` : text;
  const candidates = ['}', ': null}', '}}', ']}', '": null}'].map((end) => `${ended}${end}`);
  return candidates.find(isJson) ?? '{}';
}
