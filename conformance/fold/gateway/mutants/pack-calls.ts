/** Gateways that violate FOLD-G48 to G51 when they serve calls of pack tools. */
import { member, onOutput } from '../../../../src/kit/suite/index.ts';
import type { ExecutePackTool, PackToolResult } from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, fromPacks, kindOf, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext, Input, MessageEdit } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

/** Edits the result to an agent. */
const results = (edit: MessageEdit<PackToolResult>) => (): GatewayFault =>
  toAgents(member('pack_tool_result', edit));

/** Edits the results whose error fits. */
export const failures = (says: RegExp, edit: MessageEdit<PackToolResult>): (() => GatewayFault) =>
  results((r, context, peer) =>
    r.error !== undefined && says.test(r.error) ? edit(r, context, peer) : undefined,
  );

export const outputs = (edit: (result: PackToolResult) => readonly PackToolResult[]): (() => GatewayFault) =>
  results((r) => (r.output_json === undefined ? undefined : edit(r)));

const asOutput = ({ request_id = '' }: PackToolResult): readonly PackToolResult[] => [
  { request_id, output_json: 'null' },
];

/** Also sends a late result to the agent. */
const lateToo = (): GatewayFault =>
  fromPacks(
    member('tool_response', ({ request_id: id = '', output_json = '' }, context) => {
      const { agent, request_id = '' } = context.state.late.get(id) ?? {};
      if (agent !== undefined) context.send({ pack_tool_result: { request_id, output_json } }, agent);
    }),
  );

/** Does not start the timers of calls. */
const neverTimesOut = (): GatewayFault =>
  onOutput('start_timer', ({ id }) => (id.startsWith('pack:') ? [] : undefined));

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

/** Edits the handling of a call by an agent without a required capability. */
const lacking = (edit: MessageEdit<ExecutePackTool>) => (): GatewayFault =>
  fromAgents(
    member('execute_pack_tool', (call, context, peer) => {
      const needs = context.state.tools.get(call.tool_name ?? '')?.definition.required_capabilities ?? [];
      const has = agentOn(context, peer)?.listing?.capabilities ?? [];
      return needs.every((name) => has.includes(name)) ? undefined : edit(call, context, peer);
    }),
  );

/** Assumes that the agent has all capabilities. */
const unchecked: MessageEdit<ExecutePackTool> = ({ tool_name = '' }, context, peer) => {
  const agent = agentOn(context, peer);
  const needs = context.state.tools.get(tool_name)?.definition.required_capabilities ?? [];
  if (agent?.listing !== undefined) agent.listing = { ...agent.listing, capabilities: needs };
};

/** Calls the pack, and refuses the agent's call. */
const callsAnyway: MessageEdit<ExecutePackTool> = (call, context, peer) => {
  const { tool_name = '', input_json = '' } = call;
  const { pack = '' } = context.state.tools.get(tool_name) ?? {};
  context.send({ execute_tool: { tool_name, input_json, request_id: 'call-1' } }, pack);
  context.later(often, (then) => then.tell({ execute_pack_tool: call }, peer));
  return [];
};

/** Forwards a call whose input is no JSON, with the input as a JSON string. */
const forwardsBadInput = (): GatewayFault =>
  fromAgents(
    member('execute_pack_tool', (call) =>
      call.input_json === '{not json'
        ? [{ ...call, input_json: JSON.stringify(call.input_json) }]
        : undefined,
    ),
  );

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
  'bad-input-closes': failures(/^input_json /, (_, context, peer) => {
    context.later(50, (then) => then.close(3, 'bad input', peer));
  }),
  'never-times-out': neverTimesOut,
  'timeout-as-output': failures(/^timeout/, asOutput),
  'pack-gone-unanswered': failures(/ is gone$/, () => []),
};

export const packTrafficFaults: GatewayFaults = {
  'agent-waits-for-pack': () => holdsBack(ofAgent),
  'sends-wait-for-pack': () => holdsBack(forAgent),
  'capability-unchecked': lacking(unchecked),
  'refuses-after-calling': lacking(callsAnyway),
  'lacking-as-output': failures(/^capability /, asOutput),
  'lacking-unanswered': failures(/^capability /, () => []),
};
