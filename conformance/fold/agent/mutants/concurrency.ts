/** Agents that mix up requests, or stop reading while a request runs: FOLD-A18 to A20. */
import { directive, parseDirective } from '../../../../src/fold/index.ts';
import type { SendMessage, ServerMessage } from '../../../../src/fold/index.ts';
import { editIncoming, editRequests, editResponses } from './mutant.ts';
import type { AgentFault, FaultContext, AgentFaults } from './mutant.ts';

/** Sends a directive's text under the id of another active request. */
const mixesIds = (): AgentFault => {
  const mixed = new Set<string>();
  return editResponses((r, { state }) => {
    const { request_id = '', text } = r;
    if (r.done !== undefined && mixed.has(request_id)) return [{ request_id, done: {} }];
    const says = state.requests.get(request_id)?.steps.some((step) => 'say' in step && step.say === text);
    const other = [...state.requests.keys()].find((id) => id !== request_id);
    if (text === undefined || says !== true || other === undefined) return [r];
    mixed.add(request_id).add(other);
    return [{ request_id: other, text }];
  });
};

/** Runs the second request of a thread 100 ms after the first. The delay lets a cancel still find it. */
function sideBySide(message: SendMessage, context: FaultContext): SendMessage {
  const { thread_id = '' } = message;
  const busy = thread_id !== '' && [...context.state.requests.values()].some((r) => r.thread === thread_id);
  const steps = parseDirective(message.content ?? '');
  if (!busy || !steps.ok || steps.value === undefined) return message;
  return { ...message, thread_id: '', content: directive([{ wait_ms: 100 }, ...steps.value]) };
}

/** Reads messages of one kind 12 s late while a request runs. */
const readsLate =
  (kind: 'tool_approval' | 'inject_context' | 'cancel_request') =>
  (m: ServerMessage, context: FaultContext): readonly ServerMessage[] => {
    if (m[kind] === undefined || context.state.requests.size === 0) return [m];
    context.later(12_000, (then) => then.tell(m));
    return [];
  };

/** Gives all messages in plain words that run at the same time one answer. */
const mergesAnswers = (): AgentFault => {
  const running = new Map<string, string>();
  return {
    ...editRequests((message) => {
      const { request_id = '', content = '' } = message;
      if (content.includes('"wireproof"')) return message;
      running.set(request_id, content);
      return { ...message, content: directive([{ wait_ms: 300 }, { say: content }]) };
    })(),
    ...editResponses((r) => {
      const { request_id = '', text } = r;
      if (!running.has(request_id)) return [r];
      if (r.done !== undefined) running.delete(request_id);
      if (r.done !== undefined) return [{ request_id, done: {} }];
      return text === undefined ? [r] : [{ request_id, text: [...running.values()].join('; ') }];
    }),
  };
};

/** Mutants of this theme. */
export const concurrencyFaults: AgentFaults = {
  'mixes-ids': mixesIds,
  'merges-answers': mergesAnswers,
  'threads-side-by-side': editRequests(sideBySide),
  'decisions-wait': () => editIncoming(readsLate('tool_approval')),
  'decisions-unread': () => editIncoming((m) => (m.tool_approval === undefined ? [m] : [])),
};
