/** Engines whose thoughts and texts are wrong. */
import { dropEvents, editEvent, editEvents } from './mutant.ts';
import type { EngineFaults } from './mutant.ts';

/** The mutants of this theme. */
export const responseFaults: EngineFaults = {
  'empty-thoughts': () => dropEvents('thinking_delta'),
  'starts-each-thought': () => editEvent('thinking_delta', (event) => [{ type: 'thinking_start' }, event]),
  'no-thinking-done': () => dropEvents('thinking_done'),
  'no-response-start': () => dropEvents('response_start'),
  'response-start-twice': () => editEvent('response_start', (event) => [event, event]),
  'response-start-late': () => {
    let held = false;
    return {
      output(output) {
        if (output.type !== 'send') return [output];
        if (output.message.type === 'response_start') {
          held = true;
          return [];
        }
        if (!held || output.message.type !== 'text_done') return [output];
        held = false;
        return [{ ...output, message: { type: 'response_start' } }, output];
      },
    };
  },
  'no-text-done': () => dropEvents('text_done'),
  'text-done-twice': () => editEvent('text_done', (event) => [event, event]),
  'text-after-text-done': () => editEvent('text_done', (event) => [event, { type: 'text_delta', text: '.' }]),
  'no-second-text-done': () => {
    let texts = 0;
    let called = false;
    return editEvents((event) => {
      if (event.type === 'turn_start') called = false;
      if (event.type === 'tool_call_start') called = true;
      if (event.type === 'context_usage') texts = 0;
      if (event.type === 'text_delta') texts++;
      return event.type === 'text_done' && called && texts === 0 ? [] : [event];
    });
  },
  'ends-interrupted-thoughts': () => {
    let thinks = false;
    return editEvents((event) => {
      if (event.type === 'turn_end' && event.reason.kind === 'cancelled' && thinks)
        return [{ type: 'text_done' }, event];
      thinks = event.type.startsWith('thinking_');
      return [event];
    });
  },
};
