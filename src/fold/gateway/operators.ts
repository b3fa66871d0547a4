/**
 * Operators' calls: one row for each call. A call may come from any program that reaches the gateway, so its arguments
 * are checked here, and an invalid one is refused with a status and a reason.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Status } from '../../kit/base/index.ts';
import { textOf } from '../json.ts';
import type { OperatorReply, OperatorVerb, RequestUsage, UsageStats } from '../operator.ts';
import { alertBudget } from './alerts.ts';
import { sendDecision } from './approvals.ts';
import { endCall } from './flow.ts';
import { injectionPriorities, sendInjection } from './injections.ts';
import { totalOf } from './ledger.ts';
import { code, gatewayLimits } from './options.ts';
import { queryLedger } from './query.ts';
import { cancelRequest, startRequest } from './requests.ts';
import { agentNamed, agentOn } from './state.ts';
import type { AgentLink, OperatorLink, SendCall } from './state.ts';
import type { Outputs } from './step-outputs.ts';
import { planShutdown } from './stop.ts';

/** The arguments of a call, unchecked. */
type Body = Readonly<Record<string, unknown>>;

/** Handles a call. @returns the status that refuses it; undefined when it was answered, or will be */
type Handler = (out: Outputs, link: OperatorLink, body: Body) => Status | undefined;

const verbs: { readonly [V in OperatorVerb]: Handler } = {
  send,
  cancel: cancelRequests,
  inject,
  approve,
  agents: (out, link) => answer(out, link, { agents: listings(out) }),
  thread_usage(out, link, body) {
    const thread_id = textOf(body, 'thread_id');
    if (thread_id === '') return refusal('thread_id is required');
    return queryLedger(out, { about: 'thread', operator: link.peer, thread_id });
  },
  stats: (out, link) => queryLedger(out, { about: 'stats', operator: link.peer }),
  events(out, link) {
    out.state.watchers.add(link.peer);
    return undefined;
  },
  shutdown(out, link, body) {
    const { after_ms: after = 0 } = body;
    if (typeof after !== 'number' || !Number.isFinite(after) || after < 0)
      return refusal('expected after_ms: a number of milliseconds');
    answer(out, link, { ok: {} });
    planShutdown(out, textOf(body, 'reason'), Math.min(after, gatewayLimits.plan));
    return undefined;
  },
};

const isVerb = (name: string): name is OperatorVerb => Object.hasOwn(verbs, name);

/** An operator's call came. Each stream has one. */
export function onOperatorCall(out: Outputs, link: OperatorLink, message: object): void {
  if (link.called) return out.tell('ignored', `a second call on ${link.peer}`);
  link.called = true;
  const members: [string, unknown][] = Object.entries(message);
  const [name = '', body] = members.find(([key]) => isVerb(key)) ?? [];
  if (!isVerb(name)) return refuse(out, link, refusal(`expected one of ${Object.keys(verbs).join(', ')}`));
  if (!isObject(body)) return refuse(out, link, refusal(`expected {"${name}": {…}}`));
  refuse(out, link, verbs[name](out, link, body));
}

/** The operator half-closed: an error only before its call. */
export function onOperatorHalfClose(out: Outputs, link: OperatorLink): void {
  if (!link.called) refuse(out, link, refusal('expected a call; the stream ended before it'));
}

const refusal = (message: string, status: number = code.invalid): Status => ({ code: status, message });

/** Ends a call with the status that refuses it, if there is one. */
function refuse(out: Outputs, link: OperatorLink, status: Status | undefined): void {
  if (status !== undefined) endCall(out, link, status.code, status.message);
}

function answer(out: Outputs, link: OperatorLink, reply: OperatorReply): undefined {
  out.send(link.peer, reply);
  endCall(out, link, code.ok);
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function send(out: Outputs, link: OperatorLink, body: Body): Status | undefined {
  const content = textOf(body, 'content');
  if (content === '') return refusal('content is required');
  const attachments = filesOf(body['attachments'] ?? []);
  if (attachments === undefined)
    return refusal('expected attachments: [{filename, mime_type, data: base64}]');
  const [sender, thread_id] = [textOf(body, 'sender'), textOf(body, 'thread_id')];
  const call: SendCall = { content, sender, thread_id, agent_id: textOf(body, 'agent_id'), attachments };
  const size = sizeOf(call);
  if (size > gatewayLimits.message)
    return refusal(`a message holds ${gatewayLimits.message} bytes; came ${size}`, code.exhausted);
  if (out.settings.budget === undefined || thread_id === '') return startRequest(out, link, call);
  return queryLedger(out, { about: 'budget', operator: link.peer, call });
}

/** The approximate size of a call's SendMessage (bytes). */
function sizeOf({ content, sender, thread_id, attachments }: SendCall): number {
  const files = attachments.map(
    ({ filename, mime_type, data }) => bytesOf(filename + mime_type) + Math.ceil(data.length * 0.75),
  );
  return files.reduce((sum, bytes) => sum + bytes, bytesOf(content + sender + thread_id));
}

function filesOf(value: unknown): SendCall['attachments'] | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return undefined;
  return value.map((file) => ({
    filename: textOf(file, 'filename'),
    mime_type: textOf(file, 'mime_type'),
    data: textOf(file, 'data'),
  }));
}

/** `cancel`: one request, or all requests of a thread. */
function cancelRequests(out: Outputs, link: OperatorLink, body: Body): Status | undefined {
  const { requests, finished } = out.state;
  const [id, thread] = [textOf(body, 'request_id'), textOf(body, 'thread_id')];
  if (id === '' && thread === '') return refusal('request_id or thread_id is required');
  if (textOf(body, 'force_at') !== '') return forceCancel(out, link, body);
  const found = [...requests.values()].filter((one) =>
    id === '' ? one.thread_id === thread : one.id === id,
  );
  if (found.length === 0) {
    const unknown = id === '' ? `thread ${thread} has no running request` : `unknown request ${id}`;
    return refusal(finished.has(id) ? `request ${id} has finished` : unknown, code.unknown);
  }
  const reason = typeof body['reason'] === 'string' ? body['reason'] : undefined;
  answer(out, link, { ok: {} });
  for (const request of found) cancelRequest(out, request, reason);
  return undefined;
}

/** Sends a CancelRequest for any id, so that an agent's treatment of a wrong one can be seen (FOLD-A49). */
function forceCancel(out: Outputs, link: OperatorLink, body: Body): Status | undefined {
  const agent = namedAgent(out, { agent_id: body['force_at'] });
  if ('code' in agent) return agent;
  if (!agent.features.has('cancellation'))
    return refusal('the agent takes no cancel requests', code.precondition);
  const reason = typeof body['reason'] === 'string' ? { reason: body['reason'] } : {};
  out.toAgent(agent, { cancel_request: { request_id: textOf(body, 'request_id'), ...reason } });
  return answer(out, link, { ok: {} });
}

/** The agent that a call names, or the status that refuses the call. */
function namedAgent({ state }: Outputs, body: Body): AgentLink | Status {
  const id = textOf(body, 'agent_id');
  if (id === '') return refusal('agent_id is required');
  const agent = agentNamed(state, id);
  if (agent !== undefined) return agent;
  return state.known.has(id)
    ? refusal(`agent ${id} is offline`, code.unavailable)
    : refusal(`unknown agent ${id}`, code.unknown);
}

function inject(out: Outputs, link: OperatorLink, body: Body): Status | undefined {
  const content = textOf(body, 'content');
  if (content === '') return refusal('content is required');
  const name = body['priority'] ?? 'normal';
  const known = typeof name === 'string' && Object.hasOwn(injectionPriorities, name);
  const priority = known ? injectionPriorities[name] : undefined;
  if (priority === undefined)
    return refusal(`priority is one of ${Object.keys(injectionPriorities).join(', ')}`);
  const agent = namedAgent(out, body);
  if ('code' in agent) return agent;
  if (!agent.features.has('injection')) return refusal('the agent takes no injections', code.precondition);
  if (agent.full) return refusal('the agent can take no more for now; try again', code.exhausted);
  const source = textOf(body, 'source');
  const context = { content, priority, ...(source === '' ? {} : { source }) };
  return answer(out, link, { injected: { injection_id: sendInjection(out, agent, context) } });
}

function approve(out: Outputs, link: OperatorLink, body: Body): Status | undefined {
  const [agent_id, id] = [textOf(body, 'agent_id'), textOf(body, 'tool_id')];
  const { approved } = body;
  if (agent_id === '' || id === '' || typeof approved !== 'boolean')
    return refusal('agent_id, tool_id and approved (a boolean) are required');
  const agent = agentNamed(out.state, agent_id);
  const decision = { id, approved, approve_all: body['approve_all'] === true };
  if (agent === undefined || !sendDecision(out, agent, decision))
    return refusal(`agent ${agent_id} does not wait for a decision about ${id}`, code.unknown);
  return answer(out, link, { ok: {} });
}

const listings = ({ state }: Outputs): NonNullable<OperatorReply['agents']> =>
  [...state.agents.values()].flatMap((peer) => agentOn(state, peer)?.listing ?? []);

/** The ledger's result, or its error, came. */
export function onLedgerResult(out: Outputs, id: string, result: unknown): void {
  const { questions, links } = out.state;
  const question = questions.get(id);
  const failed = isObject(result) && result['error'] !== undefined;
  if (failed) out.tell('ledger failed', `${id}: ${String(result['error'])}`);
  if (question?.about === 'alert') {
    questions.delete(id);
    // The ledger is the host's own: its result has the type of the question.
    if (!failed && Array.isArray(result))
      alertBudget(out, question, usedBy(result as readonly RequestUsage[]));
    return;
  }
  const link = links.get(question?.operator ?? '');
  if (question === undefined || link?.kind !== 'operator') return;
  questions.delete(id);
  if (failed || !isObject(result) === (question.about === 'stats'))
    return refuse(out, link, refusal('the ledger could not be read', code.internal));
  // The ledger is the host's own: its result has the type of the question.
  if (question.about === 'stats') return answer(out, link, { stats: result as UsageStats });
  const usage = result as readonly RequestUsage[];
  if (question.about === 'budget') refuse(out, link, startWithinBudget(out, link, question.call, usage));
  else answer(out, link, { thread_usage: { thread_id: question.thread_id, usage } });
}

/** The tokens of a thread. */
const usedBy = (usage: readonly RequestUsage[]): number =>
  usage.reduce((sum, request) => sum + totalOf(request), 0);

/** Starts a request if its thread has budget left. */
function startWithinBudget(
  out: Outputs,
  link: OperatorLink,
  call: SendCall,
  usage: readonly RequestUsage[],
): Status | undefined {
  const used = usedBy(usage);
  const { budget = Infinity } = out.settings;
  if (used < budget) return startRequest(out, link, call);
  return refusal(`thread ${call.thread_id} has used ${used} of ${budget} tokens`, code.exhausted);
}
