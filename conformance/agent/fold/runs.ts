/** The runs of tools, as an agent shows them to its gateway. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { GatewayRequest, ShownTool } from './records.ts';
import { showsRun } from './responses.ts';
import { responseOf } from './view.ts';

/** The tools of a request that have run. */
export const ranTools = ({ tools }: GatewayRequest): readonly ShownTool[] =>
  [...tools.values()].filter(({ ran }) => ran !== undefined);

export function firstRun(request: GatewayRequest, event: TraceEvent): ShownTool | undefined {
  const response = responseOf(event);
  const tool = showsRun(response)
    ? request.tools.get(response.tool_state?.id ?? response.tool_result?.id ?? '')
    : undefined;
  return tool?.ran === undefined ? tool : undefined;
}
