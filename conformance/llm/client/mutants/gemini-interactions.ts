/** Clients with faults about the steps of Gemini's Interactions: LLM-C46. */
import { changeExchange } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

export const geminiInteractionsFaults: ClientFaults = {
  'drops-the-signature-of-a-thought': changeExchange({
    request: (request) =>
      request.dialect === 'gemini-interactions'
        ? {
            ...request,
            messages: request.messages.map(({ thinking, ...message }) => ({
              ...message,
              ...(thinking !== undefined && { thinking: thinking.map(({ text }) => ({ text })) }),
            })),
          }
        : request,
  }),
  'drops-the-steps-of-thoughts': changeExchange({
    request: (request) =>
      request.dialect === 'gemini-interactions'
        ? { ...request, messages: request.messages.map((message) => ({ ...message, thinking: [] })) }
        : request,
  }),
};
