/** Gateways that violate FOLD-G48: a good call does not get the answer of its pack. */
import { allFaults, member } from '../../../../src/kit/suite/index.ts';
import type { PackToolResult } from '../../../../src/fold/index.ts';
import { fromAgents, fromPacks, toAgents } from './faults.ts';
import type { GatewayFault } from './faults.ts';
import { failures, outputs } from './pack-calls.ts';
import type { GatewayFaults } from './mutant.ts';

/** Sends a result to the agent that used its request_id last. */
const byLastUser = (): GatewayFault => {
  const users = new Map<string, string>();
  return allFaults(
    fromAgents(
      member('execute_pack_tool', ({ request_id = '' }, _, peer) => void users.set(request_id, peer)),
    ),
    toAgents(
      member('pack_tool_result', (result, context, peer) => {
        const user = users.get(result.request_id ?? '') ?? peer;
        if (user === peer) return;
        context.send({ pack_tool_result: result }, user);
        return [];
      }),
    ),
  );
};

/** Exchanges the results of two calls that are out at the same time. */
const crosses = (): GatewayFault => {
  const out = new Set<string>();
  let held: { readonly peer: string; readonly result: PackToolResult } | undefined;
  return allFaults(
    fromAgents(
      member('execute_pack_tool', ({ request_id = '' }, _, peer) => void out.add(`${peer} ${request_id}`)),
    ),
    toAgents(
      member('pack_tool_result', (result, context, peer) => {
        const { request_id = '' } = result;
        out.delete(`${peer} ${request_id}`);
        if (held === undefined) {
          if (out.size > 0) held = { peer, result };
          return out.size > 0 ? [] : undefined;
        }
        const { request_id: first = '' } = held.result;
        context.send({ pack_tool_result: { ...result, request_id: first } }, held.peer);
        const crossed = { ...held.result, request_id };
        held = undefined;
        return [crossed];
      }),
    ),
  );
};

/** Loses answers of packs that have such a member: their calls time out. */
const loses = (name: 'error' | 'output_json') => (): GatewayFault =>
  fromPacks(member('tool_response', (answer) => (answer[name] === undefined ? undefined : [])));

export const packAnswerFaults: GatewayFaults = {
  'good-call-as-error': outputs(({ request_id = '' }) => [
    { request_id, error: 'the tool cannot be called' },
  ]),
  'good-call-refused': () =>
    fromAgents(
      member('execute_pack_tool', ({ request_id = '', tool_name = '', input_json = '' }, context, peer) => {
        const tool = context.state.tools.get(tool_name)?.definition;
        if (tool === undefined || tool.required_capabilities !== undefined || input_json === '{not json')
          return;
        context.send({ pack_tool_result: { request_id, error: 'the tool cannot be called' } }, peer);
        return [];
      }),
    ),
  'pack-error-as-output': failures(/^it rained$/, ({ request_id = '', error = '' }) => [
    { request_id, output_json: JSON.stringify(error) },
  ]),
  'pack-output-as-error': outputs(({ request_id = '', output_json = '' }) => [
    { request_id, error: output_json },
  ]),
  'result-by-last-user': byLastUser,
  'pack-errors-time-out': loses('error'),
  'pack-outputs-time-out': loses('output_json'),
  'results-crossed': crosses,
};
