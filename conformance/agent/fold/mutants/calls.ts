/** Mutants that run or report calls wrongly: AGENT-04, 05 and 09, and LLM-C08. */
import type { AgentParts } from '../../../../src/agent/index.ts';
import type { LlmRequest } from '../../../../src/llm/index.ts';
import { turnMachine } from '../../../../src/tokens/index.ts';
import { withResults } from '../edited-results.ts';
import type { WholeAgentFaults } from './mutant.ts';

/** Takes a call that was cut for a complete one. */
const runsCutCalls = (): AgentParts => ({
  turn(options) {
    const machine = turnMachine(options);
    return {
      ...machine,
      step(state, input) {
        if (input.type !== 'response' || input.response.open === undefined) return machine.step(state, input);
        const { open, ...response } = input.response;
        const cut = { id: open.id === '' ? 'cut' : open.id, name: open.name, input: { text: 'cut' } };
        const calls = response.toolCalls.filter(({ id }) => id !== cut.id);
        return machine.step(state, {
          ...input,
          response: {
            ...response,
            toolCalls: [...calls, cut],
            metadata: { ...response.metadata, stopReason: 'tool_use' },
          },
        });
      },
    };
  },
});

/** Runs each call twice. */
const runsTwice = (): AgentParts => ({
  turn(options) {
    const machine = turnMachine(options);
    return {
      ...machine,
      step(state, input) {
        const stepped = machine.step(state, input);
        return {
          ...stepped,
          actions: stepped.actions.map((action) =>
            action.do === 'run_tools'
              ? {
                  ...action,
                  calls: action.calls.flatMap((call) => [call, { ...call, id: `${call.id}-again` }]),
                }
              : action,
          ),
        };
      },
    };
  },
});

/** Tries again after the first answer that broke off, and runs the calls of the next answer twice: as those of both answers. */
function runsBroken(): AgentParts {
  let isAgain = false;
  const { turn } = runsTwice();
  return {
    failure({ kind, status = 200 }) {
      if (kind === 'aborted') return { kind };
      if (status >= 400 || isAgain) return { kind: 'http', status: 400 };
      isAgain = true;
      return { kind: 'network' };
    },
    turn: (options) => {
      const [plain, twice] = [turnMachine(options), turn?.(options) ?? turnMachine(options)];
      return { ...plain, step: (state, input) => (isAgain ? twice : plain).step(state, input) };
    },
  };
}

/** The ids of the calls whose result has such words. */
const callsWith = ({ messages }: LlmRequest, words: RegExp): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ toolResults = [] }) =>
      toolResults.filter(({ content }) => words.test(content)).map(({ id }) => id),
    ),
  );

/** Leaves the results of cancelled calls out of the conversation, and the calls in it. */
function leavesOpen(request: LlmRequest): LlmRequest {
  const cancelled = callsWith(request, /^Cancelled/);
  if (cancelled.size === 0) return request;
  const messages = request.messages.flatMap((message) => {
    const toolResults = message.toolResults?.filter(({ id }) => !cancelled.has(id));
    return toolResults?.length === 0 ? [] : [{ ...message, ...(toolResults && { toolResults }) }];
  });
  return { ...request, messages };
}

/** Leaves denied calls out of the conversation. */
function forgetsDenied(request: LlmRequest): LlmRequest {
  const denied = callsWith(request, /denied|not run/i);
  if (denied.size === 0) return request;
  const messages = request.messages.flatMap((message) => {
    const toolCalls = message.toolCalls?.filter(({ id }) => !denied.has(id));
    const toolResults = message.toolResults?.filter(({ id }) => !denied.has(id));
    if (message.content === '' && (toolCalls ?? toolResults ?? []).length === 0) return [];
    return [{ ...message, ...(toolCalls && { toolCalls }), ...(toolResults && { toolResults }) }];
  });
  return { ...request, messages };
}

export const callFaults: WholeAgentFaults = {
  'runs-cut-calls': () => ({ parts: runsCutCalls() }),
  'runs-twice': () => ({ parts: runsTwice() }),
  'runs-broken': () => ({ parts: runsBroken() }),
  'forgets-denied': () => ({ parts: { request: forgetsDenied } }),
  'says-done': () => ({ parts: { request: withResults(() => 'done') } }),
  'cuts-outputs': () => ({
    parts: { request: withResults((content) => content.replace(/^(quick) .*/, '$1')) },
  }),
  'leaves-calls-open': () => ({ parts: { request: leavesOpen } }),
};
