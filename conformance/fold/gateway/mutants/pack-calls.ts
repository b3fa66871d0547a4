/** Gateways that violate FOLD-G48 to G51 when they serve calls of pack tools. */
import type {
  AgentMessage,
  ExecutePackTool,
  PackToolResult,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, fromPacks, kindOf, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext, Input } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

/** Edits the result to an agent. */
const results =
  (edit: (result: PackToolResult, context: FaultContext, peer: string) => readonly PackToolResult[]) =>
  (): GatewayFault =>
    toAgents((m, context, peer): readonly ServerMessage[] =>
      m.pack_tool_result === undefined
        ? [m]
        : edit(m.pack_tool_result, context, peer).map((pack_tool_result) => ({ pack_tool_result })),
    );

/** Edits the results whose error fits. */
export const failures = (
  says: RegExp,
  edit: (result: PackToolResult, context: FaultContext, peer: string) => readonly PackToolResult[],
): (() => GatewayFault) =>
  results((r, context, peer) => (r.error !== undefined && says.test(r.error) ? edit(r, context, peer) : [r]));

/** Edits the results with output. */
export const outputs = (edit: (result: PackToolResult) => readonly PackToolResult[]): (() => GatewayFault) =>
  results((r) => (r.output_json === undefined ? [r] : edit(r)));

const asOutput = ({ request_id = '' }: PackToolResult): readonly PackToolResult[] => [
  { request_id, output_json: 'null' },
];

/** Also sends a late result to the agent. */
const lateToo = (): GatewayFault =>
  fromPacks((m, context) => {
    const { request_id: id = '', output_json = '' } = 'tool_response' in m ? m.tool_response : {};
    const { agent, request_id = '' } = context.state.late.get(id) ?? {};
    if (agent !== undefined) context.send({ pack_tool_result: { request_id, output_json } }, agent);
    return [m];
  });

/** Does not start the timers of calls. */
const neverTimesOut = (): GatewayFault => ({
  output: (output) => (output.type === 'start_timer' && output.id.startsWith('pack:') ? [] : [output]),
});

const isOut = (context: FaultContext, peer: string): boolean => (agentOn(context, peer)?.calls.size ?? 0) > 0;

/** The interval at which held inputs are checked (ms). */
const often = 20;

/** Holds inputs back while a call is pending. */
function holdsBack(fits: (input: Input, context: FaultContext) => string | undefined): GatewayFault {
  const held = new Map<string, Input[]>();
  const look =
    (agent: string) =>
    (then: FaultContext): void => {
      if (isOut(then, agent)) return then.later(often, look(agent));
      for (const input of held.get(agent) ?? []) then.tellInput(input);
      held.delete(agent);
    };
  return {
    input(input, context) {
      const agent = fits(input, context);
      if (agent === undefined || !isOut(context, agent)) return [input];
      const before = held.get(agent);
      if (before !== undefined) before.push(input);
      else {
        held.set(agent, [input]);
        context.later(often, look(agent));
      }
      return [];
    },
  };
}

const ofAgent = (input: Input, context: FaultContext): string | undefined =>
  input.type === 'message' && kindOf(context, input.peer) === 'agent' ? input.peer : undefined;

const forAgent = (input: Input, context: FaultContext): string | undefined => {
  if (input.type !== 'message' || !('send' in input.message)) return undefined;
  return context.state.agents.get(input.message.send?.agent_id ?? '');
};

type Act = (call: ExecutePackTool, context: FaultContext, peer: string) => readonly AgentMessage[];

/** Edits the handling of a call by an agent without a required capability. */
const lacking = (act: Act) => (): GatewayFault =>
  fromAgents((m, context, peer) => {
    const call = m.execute_pack_tool;
    const needs = context.state.tools.get(call?.tool_name ?? '')?.definition.required_capabilities ?? [];
    const has = agentOn(context, peer)?.listing?.capabilities ?? [];
    return call === undefined || needs.every((name) => has.includes(name)) ? [m] : act(call, context, peer);
  });

/** Assumes that the agent has all capabilities. */
const unchecked: Act = (call, context, peer) => {
  const agent = agentOn(context, peer);
  const needs = context.state.tools.get(call.tool_name ?? '')?.definition.required_capabilities ?? [];
  if (agent?.listing !== undefined) agent.listing = { ...agent.listing, capabilities: needs };
  return [{ execute_pack_tool: call }];
};

/** Calls the pack, and refuses the agent's call. */
const callsAnyway: Act = (call, context, peer) => {
  const { tool_name = '', input_json = '' } = call;
  const { pack = '' } = context.state.tools.get(tool_name) ?? {};
  context.send({ execute_tool: { tool_name, input_json, request_id: 'call-1' } }, pack);
  context.later(often, (then) => then.tell({ execute_pack_tool: call }, peer));
  return [];
};

/** Forwards a call whose input is no JSON, with the input as a JSON string. */
const forwardsBadInput = (): GatewayFault =>
  fromAgents((m) => {
    const call = m.execute_pack_tool;
    if (call?.input_json !== '{not json') return [m];
    return [{ execute_pack_tool: { ...call, input_json: JSON.stringify(call.input_json) } }];
  });

/** Mutants of FOLD-G48 and G49. */
export const packCallFaults: GatewayFaults = {
  'result-lost': outputs(() => []),
  'result-twice-to-the-agent': outputs((r) => [r, r]),
  'result-by-another-id': outputs((r) => [{ ...r, request_id: `call ${r.request_id ?? ''}` }]),
  'output-quoted': outputs(({ request_id = '', output_json = '' }) => [
    { request_id, output_json: JSON.stringify(output_json) },
  ]),
  'failure-lost': failures(/^it rained$/, () => []),
  'late-result-too': lateToo,
  'unknown-tool-unanswered': failures(/^unknown tool/, () => []),
  'unknown-tool-as-output': failures(/^unknown tool/, asOutput),
  'unknown-tool-closes': failures(/^unknown tool/, (_, context, peer) => {
    context.close(5, 'unknown tool', peer);
    return [];
  }),
  'bad-input-as-output': failures(/^input_json /, asOutput),
  'bad-input-forwarded': forwardsBadInput,
  'bad-input-closes': failures(/^input_json /, (r, context, peer) => {
    context.later(50, (then) => then.close(3, 'bad input', peer));
    return [r];
  }),
  'never-times-out': neverTimesOut,
  'timeout-as-output': failures(/^timeout/, asOutput),
  'pack-gone-unanswered': failures(/ is gone$/, () => []),
};

/** Mutants of FOLD-G50 and G51. */
export const packTrafficFaults: GatewayFaults = {
  'agent-waits-for-pack': () => holdsBack(ofAgent),
  'sends-wait-for-pack': () => holdsBack(forAgent),
  'capability-unchecked': lacking(unchecked),
  'refuses-after-calling': lacking(callsAnyway),
  'lacking-as-output': failures(/^capability /, asOutput),
  'lacking-unanswered': failures(/^capability /, () => []),
};
