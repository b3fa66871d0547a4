/** Servers whose bodies do not end, or that misread a kept connection: LLM-S26 and LLM-S27. */
import type { FaultContext, ServerFaults } from './mutant.ts';

const isAnswer = ({ what, status, dialect }: FaultContext): boolean =>
  what === 'answer' && status === 200 && dialect !== 'lmstudio';

export const connectionFaults: ServerFaults = {
  'endless-body': { close: (close, context) => (isAnswer(context) && context.streams ? [] : [close]) },
  'endless-whole-body': {
    headers: (metadata) =>
      Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== 'content-length')),
    close: (close, context) => (isAnswer(context) && !context.streams ? [] : [close]),
  },
  'generates-for-nobody': { hears: ({ what }) => what !== 'answer' },
  'misread-on-kept': {
    asked: (body, { connection }) => [connection === 'last' ? { ...body, messages: 17, input: 17 } : body],
  },
};
