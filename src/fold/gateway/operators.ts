/**
 * Operators' calls: one row for each call. A call may come from any program that reaches the gateway, so its arguments
 * are checked here, and an invalid one is refused with a status and a reason.
 */
import { isObject } from '../../kit/base/index.ts';
import { sendDecision } from './approvals.ts';
import { endCall } from './flow.ts';
import { injectionPriorities, sendInjection } from './injections.ts';
import { code, gatewayLimits } from './options.ts';
import { startRequest, cancelRequest } from './requests.ts';
import { agentNamed, agentOn } from './state.ts';
import type { AgentLink, OperatorLink, Question, SendCall } from './state.ts';
import type { StepOutputs } from './step-outputs.ts';
import { beginShutdown } from './stop.ts';
import { totalOf } from './ledger.ts';
import type { LedgerEffect } from './ledger.ts';
import type { OperatorReply, OperatorVerb, RequestUsage, UsageStats } from '../operator.ts';

/** The arguments of a call, unchecked. */
type Body = Readonly<Record<string, unknown>>;

const verbs: { readonly [V in OperatorVerb]: (out: StepOutputs, link: OperatorLink, body: Body) => void } = {
  send,
  cancel: cancelRequests,
  inject,
  approve,
  agents: (out, link) => answerCall(out, link, { agents: listings(out) }),
  thread_usage(out, link, body) {
    const thread_id = textAt(body, 'thread_id');
    if (thread_id === '') return refuseCall(out, link, 'thread_id is required');
    queryLedger(out, { about: 'thread', operator: link.peer, thread_id }, { ledger: 'thread', thread_id });
  },
  stats: (out, link) => queryLedger(out, { about: 'stats', operator: link.peer }, { ledger: 'stats' }),
  events(out, link) {
    out.state.watchers.add(link.peer);
  },
  shutdown(out, link, body) {
    answerCall(out, link, { ok: {} });
    beginShutdown(out, textAt(body, 'reason'));
  },
};

const isVerb = (name: string): name is OperatorVerb => Object.hasOwn(verbs, name);

/** An operator's call came. Each stream has one. */
export function onOperatorCall(out: StepOutputs, link: OperatorLink, message: object): void {
  if (link.called) return out.tell('ignored', `a second call on ${link.peer}`);
  link.called = true;
  const members: [string, unknown][] = Object.entries(message);
  const [name = '', body] = members.find(([key]) => isVerb(key)) ?? [];
  if (!isVerb(name)) return refuseCall(out, link, `expected one of ${Object.keys(verbs).join(', ')}`);
  if (!isObject(body)) return refuseCall(out, link, `expected {"${name}": {…}}`);
  verbs[name](out, link, body);
}

/** The operator half-closed: an error only before its call. */
export function onOperatorHalfClose(out: StepOutputs, link: OperatorLink): void {
  if (!link.called) refuseCall(out, link, 'expected a call; the stream ended before it');
}

const refuseCall = (
  out: StepOutputs,
  link: OperatorLink,
  message: string,
  status: number = code.invalid,
): void => endCall(out, link, status, message);

function answerCall(out: StepOutputs, link: OperatorLink, reply: OperatorReply): void {
  out.send(link.peer, reply);
  endCall(out, link, code.ok);
}

/** A text argument; empty when it is absent or not a text. */
const textAt = (body: Body, key: string): string => {
  const value = body[key];
  return typeof value === 'string' ? value : '';
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function send(out: StepOutputs, link: OperatorLink, body: Body): void {
  const content = textAt(body, 'content');
  if (content === '') return refuseCall(out, link, 'content is required');
  const attachments = filesOf(body['attachments'] ?? []);
  if (attachments === undefined)
    return refuseCall(out, link, 'expected attachments: [{filename, mime_type, data: base64}]');
  const [sender, thread_id] = [textAt(body, 'sender'), textAt(body, 'thread_id')];
  const call: SendCall = { content, sender, thread_id, agent_id: textAt(body, 'agent_id'), attachments };
  const size = sizeOf(call);
  if (size > gatewayLimits.message)
    return refuseCall(
      out,
      link,
      `a message holds ${gatewayLimits.message} bytes; came ${size}`,
      code.exhausted,
    );
  if (out.settings.budget === undefined || thread_id === '') return startRequest(out, link, call);
  queryLedger(out, { about: 'budget', operator: link.peer, call }, { ledger: 'thread', thread_id });
}

/** The approximate size of a call's SendMessage (bytes). */
function sizeOf({ content, sender, thread_id, attachments }: SendCall): number {
  const files = attachments.map(
    ({ filename, mime_type, data }) => bytesOf(filename + mime_type) + Math.ceil(data.length * 0.75),
  );
  return files.reduce((sum, bytes) => sum + bytes, bytesOf(content + sender + thread_id));
}

function filesOf(value: unknown): SendCall['attachments'] | undefined {
  if (!Array.isArray(value)) return undefined;
  const files = value.filter(isObject).map((file) => ({
    filename: textAt(file, 'filename'),
    mime_type: textAt(file, 'mime_type'),
    data: textAt(file, 'data'),
  }));
  return files.length === value.length ? files : undefined;
}

/** `cancel`: one request, or all requests of a thread. */
function cancelRequests(out: StepOutputs, link: OperatorLink, body: Body): void {
  const { requests, finished } = out.state;
  const [id, thread] = [textAt(body, 'request_id'), textAt(body, 'thread_id')];
  if (id === '' && thread === '') return refuseCall(out, link, 'request_id or thread_id is required');
  const request = requests.get(id);
  const ofThread = [...requests.values()].filter(({ thread_id }) => thread_id === thread);
  const found = id === '' ? ofThread : request === undefined ? [] : [request];
  if (found.length === 0) {
    const unknown = id === '' ? `thread ${thread} has no running request` : `unknown request ${id}`;
    return refuseCall(out, link, finished.has(id) ? `request ${id} has finished` : unknown, code.unknown);
  }
  const reason = typeof body['reason'] === 'string' ? body['reason'] : undefined;
  answerCall(out, link, { ok: {} });
  for (const one of found) cancelRequest(out, one, reason);
}

/** The agent that a call names; undefined after a refusal. */
function namedAgent(out: StepOutputs, link: OperatorLink, body: Body): AgentLink | undefined {
  const id = textAt(body, 'agent_id');
  const agent = agentNamed(out.state, id);
  if (id === '') refuseCall(out, link, 'agent_id is required');
  else if (agent === undefined && out.state.known.has(id))
    refuseCall(out, link, `agent ${id} is offline`, code.unavailable);
  else if (agent === undefined) refuseCall(out, link, `unknown agent ${id}`, code.unknown);
  return agent;
}

function inject(out: StepOutputs, link: OperatorLink, body: Body): void {
  const content = textAt(body, 'content');
  if (content === '') return refuseCall(out, link, 'content is required');
  const name = body['priority'] ?? 'normal';
  const known = typeof name === 'string' && Object.hasOwn(injectionPriorities, name);
  const priority = known ? injectionPriorities[name] : undefined;
  if (priority === undefined)
    return refuseCall(out, link, `priority is one of ${Object.keys(injectionPriorities).join(', ')}`);
  const agent = namedAgent(out, link, body);
  if (agent === undefined) return;
  if (!agent.features.has('injection'))
    return refuseCall(out, link, 'the agent takes no injections', code.precondition);
  if (agent.full)
    return refuseCall(out, link, 'the agent can take no more for now; try again', code.exhausted);
  const source = textAt(body, 'source');
  const context = { content, priority, ...(source === '' ? {} : { source }) };
  answerCall(out, link, { injected: { injection_id: sendInjection(out, agent, context) } });
}

function approve(out: StepOutputs, link: OperatorLink, body: Body): void {
  const [agent_id, id] = [textAt(body, 'agent_id'), textAt(body, 'tool_id')];
  const { approved } = body;
  if (agent_id === '' || id === '' || typeof approved !== 'boolean')
    return refuseCall(out, link, 'agent_id, tool_id and approved (a boolean) are required');
  const agent = agentNamed(out.state, agent_id);
  const decision = { id, approved, approve_all: body['approve_all'] === true };
  if (agent === undefined || !sendDecision(out, agent, decision))
    return refuseCall(out, link, `agent ${agent_id} does not wait for a decision about ${id}`, code.unknown);
  answerCall(out, link, { ok: {} });
}

const listings = ({ state }: StepOutputs): NonNullable<OperatorReply['agents']> =>
  [...state.agents.values()].flatMap((peer) => agentOn(state, peer)?.listing ?? []);

/** Asks the ledger; {@link onLedgerResult} receives the result. */
function queryLedger(out: StepOutputs, question: Question, effect: LedgerEffect): void {
  const id = `ledger:${++out.state.serial}`;
  out.state.questions.set(id, question);
  out.effect(id, effect);
}

/** The ledger's result, or its error, came. */
export function onLedgerResult(out: StepOutputs, id: string, result: unknown): void {
  const { state } = out;
  const question = state.questions.get(id);
  const failed = isObject(result) && result['error'] !== undefined;
  if (failed) out.tell('ledger failed', `${id}: ${String(result['error'])}`);
  const link = state.links.get(question?.operator ?? '');
  if (question === undefined || link?.kind !== 'operator') return;
  state.questions.delete(id);
  if (failed || !isObject(result) === (question.about === 'stats'))
    return refuseCall(out, link, 'the ledger could not be read', code.internal);
  // The ledger is the host's own: its result has the type of the question.
  if (question.about === 'stats') return answerCall(out, link, { stats: result as UsageStats });
  const usage = result as readonly RequestUsage[];
  if (question.about === 'budget') return startWithinBudget(out, link, question.call, usage);
  answerCall(out, link, { thread_usage: { thread_id: question.thread_id, usage } });
}

/** Starts a request if its thread has budget left. */
function startWithinBudget(
  out: StepOutputs,
  link: OperatorLink,
  call: SendCall,
  usage: readonly RequestUsage[],
): void {
  const used = usage.reduce((sum, request) => sum + totalOf(request), 0);
  const { budget = Infinity } = out.settings;
  if (used < budget) return startRequest(out, link, call);
  refuseCall(out, link, `thread ${call.thread_id} has used ${used} of ${budget} tokens`, code.exhausted);
}
