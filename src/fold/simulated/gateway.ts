/**
 * The gateway as a simulated peer: accepts agents, answers their registrations by its options, and then sends the
 * messages of its commands. It judges nothing.
 */
import type { PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import { parseDirective } from '../directive.ts';
import type { AgentMessage, ServerMessage, Welcome } from '../messages.ts';
import { StepOutputs } from '../step-outputs.ts';

/** Refuses registrations: the first `times`, or all within `for_ms` (ms) of the first. */
export interface Refusal {
  readonly by: 'already_exists' | 'registration_error';
  readonly times?: number;
  readonly for_ms?: number;
  readonly suggested_id?: string;
}

/** The options of a simulated gateway. */
export interface ScriptedGatewayOptions {
  /** The delay of the Welcome (ms). */
  readonly welcome_delay_ms?: number;
  /** The Welcome's agent_id; default the registered one. */
  readonly assign_id?: string;
  /** More fields of the Welcome. */
  readonly welcome?: Partial<Welcome>;
  readonly refuse?: Refusal;
  /**
   * Whether it answers by itself what an agent asks in its own words: it denies tools, and has no packs. A directive with
   * an approval or a pack call is left to the commands.
   */
  readonly answers?: boolean;
  /** How long a command may take to decide about a tool before the gateway denies it by itself (ms). Default 0. */
  readonly deny_after_ms?: number;
}

/** A command to the gateway, about the agent that opened its stream last. */
export type ScriptedGatewayCommand = PeerCommand<ServerMessage>;

/** An agent's stream. */
interface AgentStream {
  agentId: string | undefined;
  welcomed: boolean;
  /** The requests whose questions the commands answer. */
  readonly scripted: Map<string, ScriptedQuestions>;
}

/** The questions that a directive makes an agent ask. */
interface ScriptedQuestions {
  readonly approvals: boolean;
  readonly packs: boolean;
}

/** A question about a tool that no command has answered yet. */
interface OpenQuestion {
  readonly peer: string;
  readonly request: string;
  readonly tool: string;
}

/** The gateway's state, which each step takes over. */
export interface ScriptedGatewayState {
  readonly streams: Map<string, AgentStream>;
  /** The open stream that opened last. */
  current: string | undefined;
  refusals: number;
  refusingSince: number | undefined;
  instances: number;
  /** By the id of the timer that answers it. */
  readonly questions: Map<string, OpenQuestion>;
  asked: number;
}

/** The simulated gateway as a role. */
export type ScriptedGatewayRole = Role<
  ScriptedGatewayState,
  AgentMessage,
  ServerMessage,
  ScriptedGatewayCommand
>;

type Outputs = StepOutputs<ScriptedGatewayState, ServerMessage>;

/** gRPC status codes. */
const invalidArgument = 3;
const alreadyExists = 6;

/**
 * Makes a simulated gateway.
 *
 * @example
 * scriptedGateway({ refuse: { by: 'registration_error', times: 1, suggested_id: 'other' } });
 */
export function scriptedGateway(options: ScriptedGatewayOptions = {}): ScriptedGatewayRole {
  return {
    name: 'fold/gateway',
    start: () => ({
      streams: new Map(),
      current: undefined,
      refusals: 0,
      refusingSince: undefined,
      instances: 0,
      questions: new Map(),
      asked: 0,
    }),
    step(state, input, now) {
      const out: Outputs = new StepOutputs(state, now);
      react(out, input, options);
      return { state, outputs: out.outputs };
    },
  };
}

function react(
  out: Outputs,
  input: RoleInput<AgentMessage, ScriptedGatewayCommand>,
  options: ScriptedGatewayOptions,
): void {
  const { state } = out;
  switch (input.type) {
    case 'opened':
      state.streams.set(input.peer, { agentId: undefined, welcomed: false, scripted: new Map() });
      state.current = input.peer;
      return out.headers(input.peer);
    case 'message':
      return onMessage(out, input.peer, input.message, options);
    case 'undecodable':
      if (state.streams.get(input.peer)?.agentId === undefined)
        close(out, input.peer, invalidArgument, input.reason);
      return;
    case 'half_close':
      return close(out, input.peer, 0, '');
    case 'left':
      return forget(state, input.peer);
    case 'timer':
      return state.questions.has(input.id) ? deny(out, input.id) : welcome(out, input.id, options);
    case 'command':
      return obey(out, input.command);
    case 'started':
    case 'headers':
    case 'full':
    case 'drained':
    case 'effect':
      return;
    default:
      input satisfies never;
  }
}

function forget(state: ScriptedGatewayState, peer: string): void {
  state.streams.delete(peer);
  for (const [id, question] of state.questions) if (question.peer === peer) state.questions.delete(id);
  if (state.current === peer) state.current = [...state.streams.keys()].at(-1);
}

function close(out: Outputs, peer: string, code: number, message: string): void {
  forget(out.state, peer);
  out.close(peer, code, message);
}

function onMessage(out: Outputs, peer: string, m: AgentMessage, options: ScriptedGatewayOptions): void {
  const stream = out.state.streams.get(peer);
  if (stream === undefined) return;
  if (stream.agentId !== undefined) {
    if (options.answers === true) answer(out, peer, stream, m, options.deny_after_ms ?? 0);
    return;
  }
  if (m.register === undefined) return close(out, peer, invalidArgument, 'first message must be register');
  const id = m.register.agent_id ?? '';
  if (id === '') return close(out, peer, invalidArgument, 'agent_id is required');
  const { refuse: refusal, welcome_delay_ms: delay } = options;
  if (refusal !== undefined && refuses(out, refusal)) return refuse(out, peer, id, refusal);
  stream.agentId = id;
  if (delay === undefined) return welcome(out, peer, options);
  out.startTimer(peer, delay);
}

function refuses({ state, now }: Outputs, refusal: Refusal): boolean {
  state.refusingSince ??= now;
  state.refusals++;
  if (refusal.for_ms !== undefined) return now - state.refusingSince < refusal.for_ms;
  return state.refusals <= (refusal.times ?? 1);
}

function refuse(out: Outputs, peer: string, id: string, refusal: Refusal): void {
  const reason = `agent ${id} already registered`;
  if (refusal.by === 'already_exists') return close(out, peer, alreadyExists, reason);
  const suggested = refusal.suggested_id === undefined ? {} : { suggested_id: refusal.suggested_id };
  out.send(peer, { registration_error: { reason, ...suggested } });
  close(out, peer, 0, '');
}

function welcome(out: Outputs, peer: string, options: ScriptedGatewayOptions): void {
  const stream = out.state.streams.get(peer);
  if (stream?.agentId === undefined || stream.welcomed) return;
  stream.welcomed = true;
  const given: Welcome = {
    server_id: 'wireproof',
    agent_id: options.assign_id ?? stream.agentId,
    instance_id: `instance-${++out.state.instances}`,
    principal_id: 'anonymous',
    ...options.welcome,
  };
  out.send(peer, { welcome: given });
}

/** Answers a question that no command will answer, so that the agent does not wait for it in vain. */
function answer(
  out: Outputs,
  peer: string,
  { scripted }: AgentStream,
  m: AgentMessage,
  denyAfter: number,
): void {
  const { request_id: id = '', tool_approval_request: asked, done, error, cancelled } = m.response ?? {};
  if (asked !== undefined && scripted.get(id)?.approvals !== true)
    question(out, { peer, request: id, tool: asked.id ?? '' }, denyAfter);
  if ((done ?? error ?? cancelled) !== undefined) {
    scripted.delete(id);
    forgetQuestions(out, ({ request }) => request === id);
  }
  const call = m.execute_pack_tool;
  if (call === undefined || [...scripted.values()].some(({ packs }) => packs)) return;
  const refusal = `there is no tool ${call.tool_name ?? ''}`;
  out.send(peer, { pack_tool_result: { request_id: call.request_id ?? '', error: refusal } });
}

/** The most questions that wait for a command. */
const mostQuestions = 1024;

function question(out: Outputs, open: OpenQuestion, denyAfter: number): void {
  const { state } = out;
  const id = `question ${state.asked++}`;
  state.questions.set(id, open);
  if (denyAfter === 0 || state.questions.size > mostQuestions) deny(out, id);
  else out.startTimer(id, denyAfter);
}

function deny(out: Outputs, id: string): void {
  const open = out.state.questions.get(id);
  out.state.questions.delete(id);
  if (open !== undefined) out.send(open.peer, { tool_approval: { id: open.tool, approved: false } });
}

/** Forgets the questions that are answered, or that nobody asks any more. */
function forgetQuestions(out: Outputs, isOver: (question: OpenQuestion) => boolean): void {
  for (const [id, open] of out.state.questions) {
    if (!isOver(open)) continue;
    out.state.questions.delete(id);
    out.stopTimer(id);
  }
}

/** Notes the questions that the directive of a request makes the agent ask. */
function noteQuestions(stream: AgentStream | undefined, { send_message: sent }: ServerMessage): void {
  const steps = parseDirective(sent?.content ?? '');
  if (sent === undefined || !steps.ok || steps.value === undefined) return;
  const approvals = steps.value.some((step) => 'tool' in step && step.tool.approval === true);
  const packs = steps.value.some((step) => 'pack_tool' in step);
  if (approvals || packs) stream?.scripted.set(sent.request_id ?? '', { approvals, packs });
}

function obey(out: Outputs, command: ScriptedGatewayCommand): void {
  const peer = out.state.current;
  if (peer === undefined) return out.unsent(command.do);
  if (command.do === 'send') {
    const { tool_approval: decision } = command.message;
    noteQuestions(out.state.streams.get(peer), command.message);
    if (decision !== undefined) forgetQuestions(out, ({ tool }) => tool === decision.id);
    out.send(peer, command.message);
  } else if (command.do === 'raw') out.outputs.push({ type: 'send_raw', peer, bytes: command.bytes });
  else if (command.do === 'end') close(out, peer, command.status.code, command.status.message);
  else out.send(peer, { shutdown: { reason: command.reason ?? '' } });
}
