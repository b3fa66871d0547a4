/** Gateways that serve packs' tools otherwise than FOLD-G48 to G51 say. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type {
  AgentMessage,
  ExecutePackTool,
  PackToolResult,
  ServerMessage,
} from '../../../../src/fold/index.ts';
import { agentsSay, packsSay, toAgents } from './faults.ts';
import type { GatewayFault, FaultContext, Input } from './faults.ts';
import { wrong } from './mutant.ts';

/** What an agent is sent instead of a result. */
const results =
  (edit: (result: PackToolResult, hand: FaultContext, peer: string) => readonly PackToolResult[]) =>
  (): GatewayFault =>
    toAgents((m, hand, peer): readonly ServerMessage[] =>
      m.pack_tool_result === undefined
        ? [m]
        : edit(m.pack_tool_result, hand, peer).map((pack_tool_result) => ({ pack_tool_result })),
    );

/** The same, of those that say this error; of an empty pattern: of those with output. */
const failures = (
  says: RegExp,
  edit: (result: PackToolResult, hand: FaultContext, peer: string) => readonly PackToolResult[],
): (() => GatewayFault) =>
  results((r, hand, peer) => (r.error !== undefined && says.test(r.error) ? edit(r, hand, peer) : [r]));

const outputs = (edit: (result: PackToolResult) => readonly PackToolResult[]): (() => GatewayFault) =>
  results((r) => (r.output_json === undefined ? [r] : edit(r)));

const asOutput = ({ request_id = '' }: PackToolResult): readonly PackToolResult[] => [
  { request_id, output_json: 'null' },
];

/** A result that comes late reaches the agent as well. */
const lateToo = (): GatewayFault =>
  packsSay((m, hand) => {
    const { request_id: id = '', output_json = '' } = 'tool_response' in m ? m.tool_response : {};
    const { agent, request_id = '' } = hand.gateway.late.get(id) ?? {};
    if (agent !== undefined) hand.send(agent, { pack_tool_result: { request_id, output_json } });
    return [m];
  });

/** The timers of calls are not started. */
const neverTimesOut = (): GatewayFault => ({
  output: (output) => (output.type === 'start_timer' && output.id.startsWith('pack:') ? [] : [output]),
});

const isOut = (hand: FaultContext, peer: string): boolean => (hand.agentOn(peer)?.calls.size ?? 0) > 0;

/** How often what was held back is looked at (ms). */
const often = 20;

/** What comes while a call is out waits for its result. */
function holdsBack(fits: (input: Input, hand: FaultContext) => string | undefined): GatewayFault {
  const held = new Map<string, Input[]>();
  const look =
    (agent: string) =>
    (then: FaultContext): void => {
      if (isOut(then, agent)) return then.later(often, look(agent));
      for (const input of held.get(agent) ?? []) then.tell(input);
      held.delete(agent);
    };
  return {
    input(input, hand) {
      const agent = fits(input, hand);
      if (agent === undefined || !isOut(hand, agent)) return [input];
      const before = held.get(agent);
      if (before !== undefined) before.push(input);
      else {
        held.set(agent, [input]);
        hand.later(often, look(agent));
      }
      return [];
    },
  };
}

const ofAgent = (input: Input, hand: FaultContext): string | undefined =>
  input.type === 'message' && hand.kindOf(input.peer) === 'agent' ? input.peer : undefined;

const forAgent = (input: Input, hand: FaultContext): string | undefined => {
  if (input.type !== 'message' || !('send' in input.message)) return undefined;
  return hand.gateway.agents.get(input.message.send?.agent_id ?? '');
};

type Act = (call: ExecutePackTool, hand: FaultContext, peer: string) => readonly AgentMessage[];

/** What becomes of a call of an agent that lacks a capability. */
const lacking = (act: Act) => (): GatewayFault =>
  agentsSay((m, hand, peer) => {
    const call = m.execute_pack_tool;
    const needs = hand.gateway.tools.get(call?.tool_name ?? '')?.definition.required_capabilities ?? [];
    const has = hand.agentOn(peer)?.listing?.capabilities ?? [];
    return call === undefined || needs.every((name) => has.includes(name)) ? [m] : act(call, hand, peer);
  });

/** The agent is taken to have whatever is needed. */
const unchecked: Act = (call, hand, peer) => {
  const agent = hand.agentOn(peer);
  const needs = hand.gateway.tools.get(call.tool_name ?? '')?.definition.required_capabilities ?? [];
  if (agent?.listing !== undefined) agent.listing = { ...agent.listing, capabilities: needs };
  return [{ execute_pack_tool: call }];
};

/** The pack is called, and the agent hears that it may not. */
const callsAnyway: Act = (call, hand, peer) => {
  const { tool_name = '', input_json = '' } = call;
  const { pack = '' } = hand.gateway.tools.get(tool_name) ?? {};
  hand.send(pack, { execute_tool: { tool_name, input_json, request_id: 'call-1' } });
  hand.later(often, (then) => then.tell({ type: 'message', peer, message: { execute_pack_tool: call } }));
  return [];
};

/** Mutants of FOLD-G48 and G49. */
export const packCallMutants: readonly Mutant[] = [
  wrong(
    'FOLD-G48',
    'result-lost',
    'It sends no result to the agent.',
    outputs(() => []),
  ),
  wrong(
    'FOLD-G48',
    'result-twice-to-the-agent',
    'It sends every result twice.',
    outputs((r) => [r, r]),
  ),
  wrong(
    'FOLD-G48',
    'result-by-another-id',
    'It sends a result under an id of its own.',
    outputs((r) => [{ ...r, request_id: `call ${r.request_id ?? ''}` }]),
  ),
  wrong(
    'FOLD-G48',
    'output-quoted',
    'It sends the output as a JSON string of itself.',
    outputs(({ request_id = '', output_json = '' }) => [
      { request_id, output_json: JSON.stringify(output_json) },
    ]),
  ),
  wrong(
    'FOLD-G48',
    'failure-lost',
    "It sends no result where the pack's is an error.",
    failures(/^it rained$/, () => []),
  ),
  wrong('FOLD-G48', 'late-result-too', 'It sends the result of a call that timed out as well.', lateToo),
  wrong(
    'FOLD-G49',
    'unknown-tool-unanswered',
    'It never answers a call of a tool that it does not know.',
    failures(/^unknown tool/, () => []),
  ),
  wrong(
    'FOLD-G49',
    'unknown-tool-as-output',
    'It answers a call of a tool that it does not know with output.',
    failures(/^unknown tool/, asOutput),
  ),
  wrong(
    'FOLD-G49',
    'unknown-tool-closes',
    'It ends the stream at a call of a tool that it does not know.',
    failures(/^unknown tool/, (_, hand, peer) => {
      hand.close(peer, 5, 'unknown tool');
      return [];
    }),
  ),
  wrong(
    'FOLD-G49',
    'bad-input-as-output',
    'It answers a call whose input is no JSON with output.',
    failures(/^input_json /, asOutput),
  ),
  wrong(
    'FOLD-G49',
    'bad-input-closes',
    'It ends the stream after a call whose input is no JSON.',
    failures(/^input_json /, (r, hand, peer) => {
      hand.later(50, (then) => then.close(peer, 3, 'bad input'));
      return [r];
    }),
  ),
  wrong('FOLD-G49', 'never-times-out', 'It waits for ever for a pack.', neverTimesOut),
  wrong(
    'FOLD-G49',
    'timeout-as-output',
    'It answers a call that timed out with output.',
    failures(/^timeout/, asOutput),
  ),
  wrong(
    'FOLD-G49',
    'pack-gone-unanswered',
    'It never answers a call whose pack is gone.',
    failures(/ is gone$/, () => []),
  ),
];

/** Mutants of FOLD-G50 and G51. */
export const packTrafficMutants: readonly Mutant[] = [
  wrong('FOLD-G50', 'agent-waits-for-pack', 'It hears nothing of an agent while its call is out.', () =>
    holdsBack(ofAgent),
  ),
  wrong('FOLD-G50', 'sends-wait-for-pack', 'It hands an agent no request while its call is out.', () =>
    holdsBack(forAgent),
  ),
  wrong('FOLD-G51', 'capability-unchecked', 'It calls any tool for any agent.', lacking(unchecked)),
  wrong(
    'FOLD-G51',
    'refuses-after-calling',
    'It calls the tool, and then tells the agent that it may not.',
    lacking(callsAnyway),
  ),
  wrong(
    'FOLD-G51',
    'lacking-as-output',
    'It answers an agent that lacks a capability with output.',
    failures(/^capability /, asOutput),
  ),
  wrong(
    'FOLD-G51',
    'lacking-unanswered',
    'It never answers an agent that lacks a capability.',
    failures(/^capability /, () => []),
  ),
];
