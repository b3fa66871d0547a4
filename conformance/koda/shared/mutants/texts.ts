/** Faults in the texts of messages. */
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import { replacing } from './mutant.ts';

interface TextFault {
  readonly writes: (text: string, message: EngineEvent | EngineCommand) => string;
}

/** The faults that both sides can have, in a frequent type of message with a text. */
export const sharedTextFaults = (
  type: 'text_delta' | 'user_prompt',
): { readonly [id: string]: () => TextFault } => ({
  'upper-case-tags': () => replacing(`"type":"${type}"`, `"type":"${type.toUpperCase()}"`),
  'lone-surrogates': () => replacing('"text":"', '"text":"\\ud83d'),
  'trailing-commas': () => ({ writes: (text) => text.replace(/\}$/, ',}') }),
  'byte-order-marks': () => ({ writes: (text) => `\uFEFF${text}` }),
  'positional-fields': () => ({
    writes: (text, message) => (message.type === type ? JSON.stringify(Object.values(message)) : text),
  }),
  'two-in-one-line': () => ({ writes: (text, message) => (message.type === type ? text + text : text) }),
  'pretty-prints': () => ({
    writes: (text, message) => (message.type === type ? text.replace(',', ',\n  ') : text),
  }),
  'doubles-fields': () => ({
    writes: (text, message) => (message.type === type ? text.replace('"text":', '"text":"","text":') : text),
  }),
  'null-texts': () => ({
    writes: (text, message) =>
      message.type === type ? text.replace(/"text":"(?:[^"\\]|\\.)*"/, '"text":null') : text,
  }),
});
