/** Mutants that run or report calls wrongly: AGENT-04, 05 and 09, and LLM-C08. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentParts } from '../../../../src/agent/index.ts';
import type { LlmRequest } from '../../../../src/llm/index.ts';
import { turnMachine } from '../../../../src/tokens/index.ts';
import { withResults } from '../edited-results.ts';
import { mutant } from './mutant.ts';

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

/** The mutants of this theme. */
export const callMutants: readonly Mutant[] = [
  mutant('AGENT-04', 'runs-cut-calls', 'It runs a call that the output limit cut.', () => ({
    parts: runsCutCalls(),
  })),
  mutant('AGENT-05', 'runs-twice', 'It runs each call twice.', () => ({ parts: runsTwice() })),
  mutant(
    'AGENT-05',
    'runs-broken',
    'It runs the calls of an answer that broke off with those of the next one.',
    () => ({
      parts: runsBroken(),
    }),
  ),
  mutant('AGENT-09', 'forgets-denied', 'It does not tell the model of a denied call.', () => ({
    parts: { request: forgetsDenied },
  })),
  mutant('AGENT-61', 'says-done', 'It tells the model "done" in the place of the output of a tool.', () => ({
    parts: { request: withResults(() => 'done') },
  })),
  mutant('AGENT-61', 'cuts-outputs', 'It tells the model the first word of an output.', () => ({
    parts: { request: withResults((content) => content.replace(/^(quick) .*/, '$1')) },
  })),
  mutant(
    'LLM-C08',
    'leaves-calls-open',
    'It leaves a cancelled call in the conversation without a result.',
    () => ({
      parts: { request: leavesOpen },
    }),
  ),
];
