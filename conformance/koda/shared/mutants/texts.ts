/** Faults in the texts of messages. */
import type { EngineCommand, EngineEvent } from '../../../../src/koda/index.ts';
import { replacing } from './mutant.ts';

/** A fault in texts: the requirement that it breaks, its name, its sentence, and the edit. */
export interface TextMutant {
  readonly breaks: string;
  readonly id: string;
  readonly title: string;
  readonly writes: (text: string, message: EngineEvent | EngineCommand) => string;
}

/** Makes the faults that both sides can have, of a frequent type of message with a text. */
export const textMutants = (type: 'text_delta' | 'user_prompt'): readonly TextMutant[] => [
  {
    breaks: 'KODA-01',
    id: 'upper-case-tags',
    title: 'It writes the tag of its texts in upper case.',
    ...replacing(`"type":"${type}"`, `"type":"${type.toUpperCase()}"`),
  },
  {
    breaks: 'KODA-16',
    id: 'lone-surrogates',
    title: 'It begins its texts with a lone surrogate.',
    ...replacing('"text":"', '"text":"\\ud83d'),
  },
  {
    breaks: 'KODA-16',
    id: 'trailing-commas',
    title: 'It writes a comma behind the last field.',
    writes: (text) => text.replace(/\}$/, ',}'),
  },
  {
    breaks: 'KODA-16',
    id: 'byte-order-marks',
    title: 'It begins each message with a byte order mark.',
    writes: (text) => `\uFEFF${text}`,
  },
  {
    breaks: 'KODA-20',
    id: 'positional-fields',
    title: 'It sends its texts as arrays of their fields.',
    writes: (text, message) => (message.type === type ? JSON.stringify(Object.values(message)) : text),
  },
  {
    breaks: 'KODA-79',
    id: 'two-in-one-line',
    title: 'It writes a message twice in one line.',
    writes: (text, message) => (message.type === type ? text + text : text),
  },
  {
    breaks: 'KODA-79',
    id: 'pretty-prints',
    title: 'It writes a message over several lines.',
    writes: (text, message) => (message.type === type ? text.replace(',', ',\n  ') : text),
  },
  {
    breaks: 'KODA-80',
    id: 'doubles-fields',
    title: 'It writes a field twice.',
    writes: (text, message) => (message.type === type ? text.replace('"text":', '"text":"","text":') : text),
  },
  {
    breaks: 'KODA-80',
    id: 'null-texts',
    title: 'It writes null in the place of a text.',
    writes: (text, message) =>
      message.type === type ? text.replace(/"text":"(?:[^"\\]|\\.)*"/, '"text":null') : text,
  },
];
