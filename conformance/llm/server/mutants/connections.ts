/** Servers whose bodies do not end, or that misread a kept connection: LLM-S26 and LLM-S27. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { mutant } from './mutant.ts';
import type { FaultContext } from './mutant.ts';

const isAnswer = ({ what, status, dialect }: FaultContext): boolean =>
  what === 'answer' && status === 200 && dialect !== 'lmstudio';

/** The mutants of this theme. */
export const connectionMutants: readonly Mutant[] = [
  mutant('LLM-S26', 'endless-body', 'The body of a stream does not end after its terminal.', {
    close: (close, context) => (isAnswer(context) && context.streams ? [] : [close]),
  }),
  mutant('LLM-S26', 'endless-whole-body', 'A whole body has no length, and does not end.', {
    headers: (metadata) =>
      Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== 'content-length')),
    close: (close, context) => (isAnswer(context) && !context.streams ? [] : [close]),
  }),
  mutant('LLM-S27', 'misread-on-kept', 'It reads another body on a connection that was used before.', {
    asked: (body, { connection }) => [connection === 'last' ? { ...body, messages: 17, input: 17 } : body],
  }),
];
