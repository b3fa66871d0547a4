/** Engines whose thoughts and texts are wrong. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { dropEvents, editEvent, editEvents, mutant } from './mutant.ts';

/** The mutants of this theme. */
export const responseFaults: readonly Mutant[] = [
  mutant('KODA-30', 'empty-thoughts', 'It ends thoughts that it has not begun to send.', () =>
    dropEvents('thinking_delta'),
  ),
  mutant('KODA-31', 'starts-each-thought', 'It sends thinking_start before each piece of a thought.', () =>
    editEvent('thinking_delta', (event) => [{ type: 'thinking_start' }, event]),
  ),
  mutant('KODA-86', 'no-thinking-done', 'It does not end its thoughts.', () => dropEvents('thinking_done')),
  mutant('KODA-33', 'no-response-start', 'It sends no response_start.', () => dropEvents('response_start')),
  mutant('KODA-33', 'response-start-twice', 'It sends response_start twice.', () =>
    editEvent('response_start', (event) => [event, event]),
  ),
  mutant('KODA-33', 'response-start-late', 'It sends response_start behind the text.', () => {
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
  }),
  mutant('KODA-34', 'no-text-done', 'It sends no text_done.', () => dropEvents('text_done')),
  mutant('KODA-34', 'text-done-twice', 'It sends text_done twice.', () =>
    editEvent('text_done', (event) => [event, event]),
  ),
  mutant('KODA-34', 'text-after-text-done', 'It sends a text behind text_done.', () =>
    editEvent('text_done', (event) => [event, { type: 'text_delta', text: '.' }]),
  ),
  mutant('KODA-34', 'no-second-text-done', 'It sends no text_done in a later response without text.', () => {
    let texts = 0;
    let called = false;
    return editEvents((event) => {
      if (event.type === 'turn_start') called = false;
      if (event.type === 'tool_call_start') called = true;
      if (event.type === 'context_usage') texts = 0;
      if (event.type === 'text_delta') texts++;
      return event.type === 'text_done' && called && texts === 0 ? [] : [event];
    });
  }),
  mutant(
    'KODA-34',
    'ends-interrupted-thoughts',
    'It sends text_done after an interrupt, also when the response has a thought alone.',
    () => {
      let thinks = false;
      return editEvents((event) => {
        if (event.type === 'turn_end' && event.reason.kind === 'cancelled' && thinks)
          return [{ type: 'text_done' }, event];
        thinks = event.type.startsWith('thinking_');
        return [event];
      });
    },
  ),
];
