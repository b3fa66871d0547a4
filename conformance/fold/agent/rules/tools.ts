/** FOLD-A23 to A31: tools, their ids and their states. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import { finalStates } from '../../../../src/fold/index.ts';
import type { Tool, ToolState } from '../../../../src/fold/index.ts';
import type { FoldView } from '../view.ts';
import { responseOf, toolOf } from '../view.ts';

const aboutTools = ['response.tool_state', 'response.tool_result', 'response.tool_approval_request'];

const toolId = rule({
  requirement: 'FOLD-A23',
  listens: ['response.tool_use'],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    if (request === undefined) return undefined;
    const id = responseOf(event).tool_use?.id ?? '';
    if (id === '') return violated(event, 'expected a non-empty tool_use.id; it is empty');
    const before = request.tools.get(id);
    return before === undefined
      ? exercised(event)
      : violated(event, `expected tool_use.id to be unique in its request; ${id} was used before`, [
          before.seq,
        ]);
  },
});

const inputJson = rule({
  requirement: 'FOLD-A24',
  listens: ['response.tool_use', 'response.tool_approval_request'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const { tool_use, tool_approval_request } = responseOf(event);
    const input = (tool_use ?? tool_approval_request)?.input_json ?? '';
    try {
      JSON.parse(input);
      return exercised(event);
    } catch {
      return violated(
        event,
        `expected valid JSON in input_json; came ${input === '' ? 'nothing' : JSON.stringify(input.slice(0, 80))}`,
      );
    }
  },
});

const knownTool = rule({
  requirement: 'FOLD-A25',
  listens: aboutTools,
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    const r = responseOf(event);
    const id = (r.tool_state ?? r.tool_result ?? r.tool_approval_request)?.id ?? '';
    if (request === undefined) return undefined;
    if (request.tools.has(id)) return exercised(event);
    return violated(
      event,
      `expected the id of an earlier tool_use of request ${request.id}; came "${id}", known are ${[...request.tools.keys()].join(', ') || 'none'}`,
    );
  },
});

const rank = (state: ToolState): number =>
  ['TOOL_STATE_PENDING', 'TOOL_STATE_AWAITING_APPROVAL', 'TOOL_STATE_RUNNING'].indexOf(String(state)) + 1 ||
  (finalStates.has(state) ? 4 : 0);

const forward = rule({
  requirement: 'FOLD-A26',
  listens: ['response.tool_state'],
  start: () => null,
  step(_, event, view: FoldView) {
    const tool = toolOf(view, event);
    const before = tool?.state;
    if (tool === undefined || tool.ended !== undefined) return undefined;
    const state = responseOf(event).tool_state?.state ?? 'TOOL_STATE_UNSPECIFIED';
    if (rank(state) === 0) return undefined;
    // All other states may be skipped: a final state alone is a whole course.
    if (before === undefined) return finalStates.has(state) ? exercised(event) : undefined;
    if (rank(state) >= rank(before)) return exercised(event);
    return violated(
      event,
      `expected tool ${tool.id} to move forward from ${String(before)}; it went back to ${String(state)}`,
      [tool.seq],
    );
  },
});

const finality = rule({
  requirement: 'FOLD-A27',
  listens: ['response.tool_state', 'response.tool_result'],
  start: () => null,
  step(_, event, view: FoldView) {
    const tool = toolOf(view, event);
    if (tool === undefined) return undefined;
    const state = responseOf(event).tool_state?.state;
    if (state !== undefined && tool.ended !== undefined) {
      return violated(
        event,
        `expected no state for tool ${tool.id} after ${String(tool.ended.state)}; came ${String(state)}`,
        [tool.ended.seq],
      );
    }
    if (state === undefined && responseOf(event).tool_result !== undefined) {
      return tool.result === undefined
        ? exercised(event)
        : violated(event, `expected at most one tool_result for tool ${tool.id}; a second came`, [
            tool.result.seq,
          ]);
    }
    return state !== undefined && finalStates.has(state) ? exercised(event) : undefined;
  },
});

const specified = rule({
  requirement: 'FOLD-A28',
  listens: ['response.tool_state'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const state = responseOf(event).tool_state?.state ?? 'TOOL_STATE_UNSPECIFIED';
    return state === 'TOOL_STATE_UNSPECIFIED'
      ? violated(event, 'expected a state in tool_state; it is TOOL_STATE_UNSPECIFIED')
      : exercised(event);
  },
});

const errorOf: { readonly [state: string]: boolean } = {
  TOOL_STATE_COMPLETED: false,
  TOOL_STATE_FAILED: true,
  TOOL_STATE_TIMEOUT: true,
};

const outcome = rule({
  requirement: 'FOLD-A29',
  listens: ['response.tool_state', 'response.tool_result'],
  start: () => null,
  step(_, event, view: FoldView) {
    const tool = toolOf(view, event);
    const r = responseOf(event);
    const state = r.tool_result === undefined ? r.tool_state?.state : tool?.ended?.state;
    const isError = r.tool_result === undefined ? tool?.result?.isError : (r.tool_result.is_error ?? false);
    const expected = errorOf[String(state)];
    if (tool === undefined || expected === undefined || isError === undefined) return undefined;
    if (isError === expected) return exercised(event);
    return violated(
      event,
      `expected is_error=${expected} for tool ${tool.id}, whose state is ${String(state)}; it is ${isError}`,
      [tool.ended?.seq ?? tool.seq],
    );
  },
});

const reachesFinal = rule({
  requirement: 'FOLD-A30',
  listens: ['response.done', 'response.error', 'response.cancelled'],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    if (request === undefined || view.stream?.session.shutdown !== undefined) return undefined;
    const withState = [...request.tools.values()].filter((tool) => tool.state !== undefined);
    const open = withState.find((tool) => tool.ended === undefined);
    // FOLD-A47 judges tools that a cancel leaves open.
    if (open !== undefined && responseOf(event).cancelled !== undefined) return undefined;
    if (open !== undefined)
      return violated(
        event,
        `expected tool ${open.id} in a final state before the request ends; it is ${String(open.state)}`,
        [open.seq],
      );
    return withState.length > 0 ? exercised(event) : undefined;
  },
});

/** Whether a tool must have a result. A denied, cancelled or undecided tool need not. */
function owesResult(tool: Tool): boolean {
  const state = tool.ended?.state;
  if (state === 'TOOL_STATE_DENIED' || state === 'TOOL_STATE_CANCELLED') return false;
  return tool.asked === undefined || tool.decided?.approved === true;
}

const withoutStates = rule({
  requirement: 'FOLD-A31',
  listens: ['response.done'],
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    if (request === undefined) return undefined;
    const owing = [...request.tools.values()].filter(owesResult);
    const bare = owing.find((tool) => tool.result === undefined);
    if (bare !== undefined)
      return violated(
        event,
        `expected a tool_result for tool ${bare.id}, for peers that ignore tool_state; the request ended without`,
        [bare.seq],
      );
    return owing.length > 0 ? exercised(event) : undefined;
  },
});

export const toolRules: readonly Rule<FoldView>[] = [
  toolId,
  inputJson,
  knownTool,
  forward,
  finality,
  specified,
  outcome,
  reachesFinal,
  withoutStates,
];
