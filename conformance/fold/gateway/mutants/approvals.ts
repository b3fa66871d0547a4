/** Gateways that violate FOLD-G32 and G33 for operators' decisions. */
import { allFaults, member } from '../../../../src/kit/suite/index.ts';
import type { OperatorRequest, ServerMessage } from '../../../../src/fold/index.ts';
import { agentOn, fromOperators, toAgents, toOperators } from './faults.ts';
import type { GatewayFault, MessageEdit } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

type Approval = NonNullable<ServerMessage['tool_approval']>;

const decides = (edit: MessageEdit<Approval>) => (): GatewayFault => toAgents(member('tool_approval', edit));

type Approve = NonNullable<OperatorRequest['approve']>;

/** Sends a decision to the agent even if no tool waits for it. */
const forwards = (fits: (approve: Approve, asked: ReadonlySet<string>) => boolean) => (): GatewayFault => {
  const asked = new Set<string>();
  return allFaults(
    toOperators(member('tool_approval', ({ id }) => void asked.add(id))),
    fromOperators(
      member('approve', (approve, context) => {
        const { agent_id, tool_id: id, approved, approve_all = false } = approve;
        const agent = agentOn(context, context.state.agents.get(agent_id) ?? '');
        if (agent === undefined || agent.approvals.has(id) || !fits(approve, asked)) return;
        context.send({ tool_approval: { id, approved, approve_all } }, agent.peer);
      }),
    ),
  );
};

/** Denies at the end of a request all tools that needed approval, decided or not. */
const deniesAtTheEnd = (): GatewayFault => {
  const asked = new Map<string, string>();
  return toOperators((m, context, peer) => {
    if (m.tool_approval !== undefined) asked.set(peer, m.tool_approval.id);
    const id = m.done === undefined ? undefined : asked.get(peer);
    if (id === undefined) return;
    for (const agent of context.state.agents.values())
      context.send({ tool_approval: { id, approved: false, approve_all: false } }, agent);
  });
};

export const approvalFaults: GatewayFaults = {
  'decision-lost': decides(() => []),
  'denial-as-approval': decides((d) => [{ ...d, approved: true }]),
  'approve-all-lost': decides(({ id = '', approved = false }) => [{ id, approved }]),
  'decision-by-request': decides((d, context, peer) => [
    { ...d, id: [...(agentOn(context, peer)?.requests ?? [])][0] ?? '' },
  ]),
  'decision-late': decides((tool_approval, context, peer) => {
    context.later(12_000, (then) => then.send({ tool_approval }, peer));
    return [];
  }),
  'decides-unasked': forwards(({ tool_id }, asked) => !asked.has(tool_id)),
  'decides-again': forwards(({ tool_id }, asked) => asked.has(tool_id)),
  'decision-twice': decides((d) => [d, d]),
  'decision-to-all': decides((d, context, peer) => {
    for (const other of context.state.agents.values())
      if (other !== peer) context.later(5, (then) => then.send({ tool_approval: d }, other));
  }),
  'denies-at-the-end': deniesAtTheEnd,
};
