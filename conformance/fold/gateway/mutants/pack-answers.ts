/** Gateways that violate FOLD-G48: a good call does not get the answer of its pack. */
import { bothFaults } from '../../../../src/kit/suite/index.ts';
import type { PackToolResult } from '../../../../src/fold/index.ts';
import { fromAgents, fromPacks, toAgents } from './faults.ts';
import type { GatewayFault } from './faults.ts';
import { failures, outputs } from './pack-calls.ts';
import type { GatewayFaults } from './mutant.ts';

/** Sends a result to the agent that used its request_id last. */
const byLastUser = (): GatewayFault => {
  const users = new Map<string, string>();
  const calls = fromAgents((m, _, peer) => {
    if (m.execute_pack_tool !== undefined) users.set(m.execute_pack_tool.request_id ?? '', peer);
    return [m];
  });
  const sent = toAgents((m, context, peer) => {
    const user = users.get(m.pack_tool_result?.request_id ?? '') ?? peer;
    if (m.pack_tool_result === undefined || user === peer) return [m];
    context.send(m, user);
    return [];
  });
  return bothFaults(calls, sent);
};

/** Exchanges the results of two calls that are out at the same time. */
const crosses = (): GatewayFault => {
  const out = new Set<string>();
  let held: { readonly peer: string; readonly result: PackToolResult } | undefined;
  const calls = fromAgents((m, _, peer) => {
    if (m.execute_pack_tool !== undefined) out.add(`${peer} ${m.execute_pack_tool.request_id ?? ''}`);
    return [m];
  });
  const sent = toAgents((m, context, peer) => {
    const result = m.pack_tool_result;
    if (result === undefined) return [m];
    out.delete(`${peer} ${result.request_id ?? ''}`);
    const { request_id = '' } = result;
    if (held === undefined) {
      if (out.size > 0) held = { peer, result };
      return out.size > 0 ? [] : [m];
    }
    const { request_id: first = '' } = held.result;
    context.send({ pack_tool_result: { ...result, request_id: first } }, held.peer);
    const crossed = { ...held.result, request_id };
    held = undefined;
    return [{ pack_tool_result: crossed }];
  });
  return bothFaults(calls, sent);
};

/** Loses answers of packs that have such a member: their calls time out. */
const loses = (member: 'error' | 'output_json') => (): GatewayFault =>
  fromPacks((m) => ('tool_response' in m && m.tool_response[member] !== undefined ? [] : [m]));

export const packAnswerFaults: GatewayFaults = {
  'good-call-as-error': outputs(({ request_id = '' }) => [
    { request_id, error: 'the tool cannot be called' },
  ]),
  'good-call-refused': () =>
    fromAgents((m, context, peer) => {
      const { request_id = '', tool_name = '', input_json = '' } = m.execute_pack_tool ?? {};
      const tool = context.state.tools.get(tool_name)?.definition;
      if (tool === undefined || tool.required_capabilities !== undefined || input_json === '{not json')
        return [m];
      context.send({ pack_tool_result: { request_id, error: 'the tool cannot be called' } }, peer);
      return [];
    }),
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
