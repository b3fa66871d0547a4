/** Gateways that violate FOLD-G48 to G51 when they serve calls of pack tools. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type {
  AgentMessage,
  ExecutePackTool,
  PackToolResult,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { agentOn, fromAgents, fromPacks, kindOf, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext, Input } from './faults.ts';
import { mutant } from './mutant.ts';

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
export const packCallMutants: readonly Mutant[] = [
  mutant(
    'FOLD-G48',
    'result-lost',
    'It sends no result to the agent.',
    outputs(() => []),
  ),
  mutant(
    'FOLD-G48',
    'result-twice-to-the-agent',
    'It sends every result twice.',
    outputs((r) => [r, r]),
  ),
  mutant(
    'FOLD-G48',
    'result-by-another-id',
    'It sends a result under an id of its own.',
    outputs((r) => [{ ...r, request_id: `call ${r.request_id ?? ''}` }]),
  ),
  mutant(
    'FOLD-G48',
    'output-quoted',
    'It sends the output as a JSON string of itself.',
    outputs(({ request_id = '', output_json = '' }) => [
      { request_id, output_json: JSON.stringify(output_json) },
    ]),
  ),
  mutant(
    'FOLD-G48',
    'failure-lost',
    "It sends no result where the pack's is an error.",
    failures(/^it rained$/, () => []),
  ),
  mutant('FOLD-G48', 'late-result-too', 'It sends the result of a call that timed out as well.', lateToo),
  mutant(
    'FOLD-G49',
    'unknown-tool-unanswered',
    'It never answers a call of a tool that it does not know.',
    failures(/^unknown tool/, () => []),
  ),
  mutant(
    'FOLD-G49',
    'unknown-tool-as-output',
    'It answers a call of a tool that it does not know with output.',
    failures(/^unknown tool/, asOutput),
  ),
  mutant(
    'FOLD-G49',
    'unknown-tool-closes',
    'It ends the stream at a call of a tool that it does not know.',
    failures(/^unknown tool/, (_, context, peer) => {
      context.close(5, 'unknown tool', peer);
      return [];
    }),
  ),
  mutant(
    'FOLD-G49',
    'bad-input-as-output',
    'It answers a call whose input is no JSON with output.',
    failures(/^input_json /, asOutput),
  ),
  mutant(
    'FOLD-G49',
    'bad-input-forwarded',
    'It calls the pack with an input that is no JSON, as a string.',
    forwardsBadInput,
  ),
  mutant(
    'FOLD-G49',
    'bad-input-closes',
    'It ends the stream after a call whose input is no JSON.',
    failures(/^input_json /, (r, context, peer) => {
      context.later(50, (then) => then.close(3, 'bad input', peer));
      return [r];
    }),
  ),
  mutant('FOLD-G49', 'never-times-out', 'It waits for ever for a pack.', neverTimesOut),
  mutant(
    'FOLD-G49',
    'timeout-as-output',
    'It answers a call that timed out with output.',
    failures(/^timeout/, asOutput),
  ),
  mutant(
    'FOLD-G49',
    'pack-gone-unanswered',
    'It never answers a call whose pack is gone.',
    failures(/ is gone$/, () => []),
  ),
];

/** Mutants of FOLD-G50 and G51. */
export const packTrafficMutants: readonly Mutant[] = [
  mutant('FOLD-G50', 'agent-waits-for-pack', 'It hears nothing of an agent while its call is out.', () =>
    holdsBack(ofAgent),
  ),
  mutant('FOLD-G50', 'sends-wait-for-pack', 'It hands an agent no request while its call is out.', () =>
    holdsBack(forAgent),
  ),
  mutant('FOLD-G51', 'capability-unchecked', 'It calls any tool for any agent.', lacking(unchecked)),
  mutant(
    'FOLD-G51',
    'refuses-after-calling',
    'It calls the tool, and then tells the agent that it may not.',
    lacking(callsAnyway),
  ),
  mutant(
    'FOLD-G51',
    'lacking-as-output',
    'It answers an agent that lacks a capability with output.',
    failures(/^capability /, asOutput),
  ),
  mutant(
    'FOLD-G51',
    'lacking-unanswered',
    'It never answers an agent that lacks a capability.',
    failures(/^capability /, () => []),
  ),
];
