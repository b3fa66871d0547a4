/** Engines whose thoughts and texts are wrong. */
import { holdUntil, onSend } from '../../../../src/kit/suite/index.ts';
import { drops } from './mutant.ts';
import type { EngineFaults } from './mutant.ts';

export const responseFaults: EngineFaults = {
  'empty-thoughts': () => drops('thinking_delta'),
  'starts-each-thought': () => onSend('thinking_delta', (event) => [{ type: 'thinking_start' }, event]),
  'no-thinking-done': () => drops('thinking_done'),
  'no-response-start': () => drops('response_start'),
  'response-start-twice': () => onSend('response_start', (event) => [event, event]),
  'response-start-late': () =>
    onSend(
      holdUntil(
        ({ type }) => type === 'response_start',
        (event, [start]) => (event.type === 'text_done' && start ? [start, event] : undefined),
      ),
    ),
  'no-text-done': () => drops('text_done'),
  'text-done-twice': () => onSend('text_done', (event) => [event, event]),
  'text-after-text-done': () => onSend('text_done', (event) => [event, { type: 'text_delta', text: '.' }]),
  'no-second-text-done': () => {
    let texts = 0;
    let called = false;
    return onSend(({ type }) => {
      if (type === 'turn_start') called = false;
      if (type === 'tool_call_start') called = true;
      if (type === 'context_usage') texts = 0;
      if (type === 'text_delta') texts++;
      return type === 'text_done' && called && texts === 0 ? [] : undefined;
    });
  },
  'ends-interrupted-thoughts': () => {
    let thought = false;
    return onSend((event) => {
      const ends = thought && event.type === 'turn_end' && event.reason.kind === 'cancelled';
      thought = event.type.startsWith('thinking_') || ends;
      return ends ? [{ type: 'text_done' }, event] : undefined;
    });
  },
};
