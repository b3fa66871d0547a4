/** Agents that mix up requests, or stop reading while a request runs: FOLD-A18 to A20. */
import { allFaults, member, onReceive } from '../../../../src/kit/suite/index.ts';
import { directive, parseDirective } from '../../../../src/fold/index.ts';
import { onRequest, onResponse } from './mutant.ts';
import type { AgentFault, AgentFaults } from './mutant.ts';

/** Sends a directive's text under the id of another active request. */
const mixesIds = (): AgentFault => {
  const mixed = new Set<string>();
  return onResponse((r, { state }) => {
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
const sideBySide = (): AgentFault =>
  onRequest((message, context) => {
    const { thread_id = '', content = '' } = message;
    const busy = thread_id !== '' && [...context.state.requests.values()].some((r) => r.thread === thread_id);
    const steps = parseDirective(content);
    if (!busy || !steps.ok || steps.value === undefined) return;
    return [{ ...message, thread_id: '', content: directive([{ wait_ms: 100 }, ...steps.value]) }];
  });

/** Reads decisions 12 s late while a request runs. */
const decidesLate = (): AgentFault =>
  onReceive(
    member('tool_approval', (tool_approval, context) => {
      if (context.state.requests.size === 0) return;
      context.later(12_000, (then) => then.tell({ tool_approval }));
      return [];
    }),
  );

/** Gives all messages in plain words that run at the same time one answer. */
const mergesAnswers = (): AgentFault => {
  const running = new Map<string, string>();
  return allFaults(
    onRequest((message) => {
      const { request_id = '', content = '' } = message;
      if (content.includes('"wireproof"')) return;
      running.set(request_id, content);
      return [{ ...message, content: directive([{ wait_ms: 300 }, { say: content }]) }];
    }),
    onResponse(({ request_id = '', text, done }) => {
      if (!running.has(request_id)) return;
      if (done !== undefined) running.delete(request_id);
      if (done !== undefined) return [{ request_id, done: {} }];
      return text === undefined ? undefined : [{ request_id, text: [...running.values()].join('; ') }];
    }),
  );
};

export const concurrencyFaults: AgentFaults = {
  'mixes-ids': mixesIds,
  'merges-answers': mergesAnswers,
  'threads-side-by-side': sideBySide,
  'decisions-wait': decidesLate,
  'decisions-unread': () => onReceive(member('tool_approval', () => [])),
};
