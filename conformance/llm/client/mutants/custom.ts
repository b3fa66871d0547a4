/** Clients with faults about custom tools, whose arguments are free text. */
import type { ClientParts } from '../../../../src/llm/index.ts';
import { changeDecoded, changeExchange, withoutError, withToolCalls } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Runs a custom call that the limit cut, with a text that `edit` makes of its own. */
const runsCut = (edit: (text: string) => string): ClientParts =>
  changeDecoded((decoded) => {
    const { toolCalls, metadata, open } = decoded.response;
    if (metadata.stopReason !== 'max_tokens' || open?.custom !== true) return decoded;
    const { id, name, partial, custom } = open;
    return withToolCalls(decoded, [...toolCalls, { id, name, input: edit(partial), custom }]);
  });

export const customFaults: ClientFaults = {
  'runs-cut-custom-call': runsCut((text) => text),
  'completes-cut-custom-call': runsCut((text) => `${text}\n*** End Patch`),
  'ignores-custom-call': changeDecoded((decoded) => {
    const { toolCalls, metadata } = decoded.response;
    const [call] = toolCalls;
    return metadata.stopReason === 'tool_use' && toolCalls.length === 1 && call?.custom === true
      ? withoutError(decoded, { toolCalls: [] })
      : decoded;
  }),
  'drops-custom-results': changeExchange({
    request: (request) => ({
      ...request,
      messages: request.messages.map(({ toolResults, ...message }) =>
        toolResults === undefined
          ? message
          : { ...message, toolResults: toolResults.filter(({ custom }) => custom !== true) },
      ),
    }),
  }),
};
