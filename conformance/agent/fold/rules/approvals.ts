/** FOLD-A32 over both wires: each run of a tool that needs an approval was asked for, or comes after approve_all. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { named } from '../calls.ts';
import type { BothView } from '../records.ts';
import { firstRun, ranTools } from '../runs.ts';
import { requestOfResponse } from '../view.ts';

/** Comes in addition to Fold's own rule, which judges the runs that the agent asked for: only a scenario knows of the others. */
const asksForEach: Rule<BothView> = rule({
  requirement: 'FOLD-A32',
  listens: ['response.tool_state', 'response.tool_result'],
  start: () => null,
  step(_, event, view: BothView): Findings {
    const request = requestOfResponse(view, event);
    const tool = request && firstRun(request, event);
    if (request === undefined || tool === undefined || !view.gated.has(tool.name)) return undefined;
    const { name, id } = tool;
    const runs = named(ranTools(request), name) + 1;
    const asks = [...request.asks.values()].filter((asked) => asked === name).length;
    if (runs <= asks) return exercised(event);
    if (request.approvesAll) return undefined;
    return violated(
      event,
      `expected a tool_approval_request before each run of ${name}, which needs an approval; ${id} is its run ${runs} in this request, after ${asks} requests`,
    );
  },
});

export const approvalRules: readonly Rule<BothView>[] = [asksForEach];
