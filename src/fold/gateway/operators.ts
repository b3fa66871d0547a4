/**
 * What operators ask: one row a call. What came on their streams was made by an edge of ours, but whoever can
 * reach the gateway can be one: so each call is checked, and refused with a status that says why.
 */
import { isObject } from '../../kit/base/index.ts';
import { decide } from './approvals.ts';
import { hangUp } from './flow.ts';
import { priorities, push } from './injections.ts';
import { code, gatewayLimits } from './options.ts';
import { begin, cancel } from './requests.ts';
import { agentOn } from './state.ts';
import type { ActiveRequest, AgentLink, OperatorLink, StepOutputs, Question, SendCall } from './state.ts';
import { stop } from './stop.ts';
import { totalOf } from './ledger.ts';
import type { LedgerEffect } from './ledger.ts';
import type { OperatorReply, OperatorVerb, RequestUsage, UsageStats } from '../operator.ts';

/** What a call says, unchecked. */
type Body = Readonly<Record<string, unknown>>;

const verbs: { readonly [V in OperatorVerb]: (pen: StepOutputs, link: OperatorLink, body: Body) => void } = {
  send,
  cancel: stopRequests,
  inject,
  approve,
  agents: (pen, link) => answer(pen, link, { agents: listings(pen) }),
  thread_usage(pen, link, body) {
    const thread_id = textAt(body, 'thread_id');
    if (thread_id === '') return refuse(pen, link, 'thread_id is required');
    consult(pen, { about: 'thread', operator: link.peer, thread_id }, { ledger: 'thread', thread_id });
  },
  stats: (pen, link) => consult(pen, { about: 'stats', operator: link.peer }, { ledger: 'stats' }),
  events(pen, link) {
    pen.state.watchers.add(link.peer);
  },
  shutdown(pen, link, body) {
    answer(pen, link, { ok: {} });
    stop(pen, textAt(body, 'reason'));
  },
};

const isVerb = (name: string): name is OperatorVerb => Object.hasOwn(verbs, name);

/** An operator says what it wants; once. */
export function called(pen: StepOutputs, link: OperatorLink, message: object): void {
  if (link.asked) return pen.tell('ignored', `a second call on ${link.peer}`);
  link.asked = true;
  const members: [string, unknown][] = Object.entries(message);
  const [name = '', body] = members.find(([key]) => isVerb(key)) ?? [];
  if (!isVerb(name)) return refuse(pen, link, `expected one of ${Object.keys(verbs).join(', ')}`);
  if (!isObject(body)) return refuse(pen, link, `expected {"${name}": {…}}`);
  verbs[name](pen, link, body);
}

/** An operator will ask no more: nothing, if it has asked. */
export function askedAll(pen: StepOutputs, link: OperatorLink): void {
  if (!link.asked) refuse(pen, link, 'expected a call; the stream ended before it');
}

const refuse = (pen: StepOutputs, link: OperatorLink, message: string, status: number = code.invalid): void =>
  hangUp(pen, link, status, message);

function answer(pen: StepOutputs, link: OperatorLink, reply: OperatorReply): void {
  pen.send(link.peer, reply);
  hangUp(pen, link, code.ok);
}

/** A text of a call; empty when it is absent or none. */
const textAt = (body: Body, key: string): string => {
  const value = body[key];
  return typeof value === 'string' ? value : '';
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function send(pen: StepOutputs, link: OperatorLink, body: Body): void {
  const content = textAt(body, 'content');
  if (content === '') return refuse(pen, link, 'content is required');
  const attachments = filesOf(body['attachments'] ?? []);
  if (attachments === undefined)
    return refuse(pen, link, 'expected attachments: [{filename, mime_type, data: base64}]');
  const [sender, thread_id] = [textAt(body, 'sender'), textAt(body, 'thread_id')];
  const call: SendCall = { content, sender, thread_id, agent_id: textAt(body, 'agent_id'), attachments };
  const size = sizeOf(call);
  if (size > gatewayLimits.message)
    return refuse(pen, link, `a message holds ${gatewayLimits.message} bytes; came ${size}`, code.exhausted);
  if (pen.settings.budget === undefined || thread_id === '') return begin(pen, link, call);
  consult(pen, { about: 'budget', operator: link.peer, call }, { ledger: 'thread', thread_id });
}

/** About the bytes of a call on an agent's wire. */
function sizeOf({ content, sender, thread_id, attachments }: SendCall): number {
  const files = attachments.map(
    ({ filename, mime_type, data }) => bytesOf(filename + mime_type) + Math.ceil(data.length * 0.75),
  );
  return files.reduce((sum, bytes) => sum + bytes, bytesOf(content + sender + thread_id));
}

function filesOf(value: unknown): SendCall['attachments'] | undefined {
  if (!Array.isArray(value)) return undefined;
  const files: unknown[] = value;
  const read = files.map((file) =>
    isObject(file)
      ? {
          filename: textAt(file, 'filename'),
          mime_type: textAt(file, 'mime_type'),
          data: textAt(file, 'data'),
        }
      : undefined,
  );
  const all = read.filter((file) => file !== undefined);
  return all.length === read.length ? all : undefined;
}

/** `cancel`: one request, or all of a thread. */
function stopRequests(pen: StepOutputs, link: OperatorLink, body: Body): void {
  const { requests, finished } = pen.state;
  const [id, thread] = [textAt(body, 'request_id'), textAt(body, 'thread_id')];
  if (id === '' && thread === '') return refuse(pen, link, 'request_id or thread_id is required');
  const hit = (request: ActiveRequest): boolean =>
    id === '' ? request.thread_id === thread : request.id === id;
  const found = (id === '' ? [...requests.values()] : [requests.get(id)]).filter(
    (request) => request !== undefined && hit(request),
  );
  if (found.length === 0) {
    const what = id === '' ? `thread ${thread} has no running request` : `unknown request ${id}`;
    return refuse(pen, link, finished.has(id) ? `request ${id} has finished` : what, code.unknown);
  }
  const reason = typeof body['reason'] === 'string' ? body['reason'] : undefined;
  answer(pen, link, { ok: {} });
  for (const request of found) if (request !== undefined) cancel(pen, request, reason);
}

/** The agent that a call names; or undefined, refused. */
function named(pen: StepOutputs, link: OperatorLink, body: Body): AgentLink | undefined {
  const id = textAt(body, 'agent_id');
  const agent = agentOn(pen.state, pen.state.agents.get(id));
  if (id === '') refuse(pen, link, 'agent_id is required');
  else if (agent === undefined && pen.state.known.has(id))
    refuse(pen, link, `agent ${id} is offline`, code.unavailable);
  else if (agent === undefined) refuse(pen, link, `unknown agent ${id}`, code.unknown);
  return agent;
}

function inject(pen: StepOutputs, link: OperatorLink, body: Body): void {
  const content = textAt(body, 'content');
  if (content === '') return refuse(pen, link, 'content is required');
  const given = body['priority'] ?? 'normal';
  const name = typeof given === 'string' && Object.hasOwn(priorities, given) ? given : '';
  const priority = priorities[name];
  if (priority === undefined)
    return refuse(pen, link, `priority is one of ${Object.keys(priorities).join(', ')}`);
  const agent = named(pen, link, body);
  if (agent === undefined) return;
  if (!agent.features.has('injection'))
    return refuse(pen, link, 'the agent takes no injections', code.precondition);
  if (agent.full) return refuse(pen, link, 'the agent can take no more for now; try again', code.exhausted);
  const source = textAt(body, 'source');
  const context = { content, priority, ...(source === '' ? {} : { source }) };
  answer(pen, link, { injected: { injection_id: push(pen, agent, context) } });
}

function approve(pen: StepOutputs, link: OperatorLink, body: Body): void {
  const [agent_id, id] = [textAt(body, 'agent_id'), textAt(body, 'tool_id')];
  const { approved } = body;
  if (agent_id === '' || id === '' || typeof approved !== 'boolean')
    return refuse(pen, link, 'agent_id, tool_id and approved (a boolean) are required');
  const agent = agentOn(pen.state, pen.state.agents.get(agent_id));
  const decision = { id, approved, approve_all: body['approve_all'] === true };
  if (agent === undefined || !decide(pen, agent, decision))
    return refuse(pen, link, `agent ${agent_id} does not wait for a decision about ${id}`, code.unknown);
  answer(pen, link, { ok: {} });
}

const listings = ({ state }: StepOutputs): NonNullable<OperatorReply['agents']> =>
  [...state.agents.values()].flatMap((peer) => agentOn(state, peer)?.listing ?? []);

/** Asks the ledger; {@link consulted} is its answer. */
function consult(pen: StepOutputs, question: Question, effect: LedgerEffect): void {
  const id = `ledger:${++pen.state.serial}`;
  pen.state.questions.set(id, question);
  pen.effect(id, effect);
}

/** The ledger answers; or says that it could not. */
export function consulted(pen: StepOutputs, id: string, result: unknown): void {
  const { state } = pen;
  const question = state.questions.get(id);
  const failed = isObject(result) && result['error'] !== undefined;
  if (failed) pen.tell('ledger failed', `${id}: ${String(result['error'])}`);
  const link = state.links.get(question?.operator ?? '');
  if (question === undefined || link?.kind !== 'operator') return;
  state.questions.delete(id);
  if (failed || !isObject(result) === (question.about === 'stats'))
    return refuse(pen, link, 'the ledger could not be read', code.internal);
  // The ledger is the host's own, and what it answers is known by what was asked.
  if (question.about === 'stats') return answer(pen, link, { stats: result as UsageStats });
  const usage = result as readonly RequestUsage[];
  if (question.about === 'budget') return afford(pen, link, question.call, usage);
  answer(pen, link, { thread_usage: { thread_id: question.thread_id, usage } });
}

/** A send, if its thread's budget is not used up. */
function afford(pen: StepOutputs, link: OperatorLink, call: SendCall, usage: readonly RequestUsage[]): void {
  const used = usage.reduce((sum, request) => sum + totalOf(request), 0);
  const { budget = Infinity } = pen.settings;
  if (used < budget) return begin(pen, link, call);
  refuse(pen, link, `thread ${call.thread_id} has used ${used} of ${budget} tokens`, code.exhausted);
}
