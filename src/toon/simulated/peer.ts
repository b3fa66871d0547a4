/**
 * Simulated peers of TOON. They send the messages that a scenario orders, correct or not, and add the fields that the
 * scenario leaves out. They judge nothing.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Role, RoleInput, RoleOutput, Status } from '../../kit/base/index.ts';
import { nextSequenceId, serialCompare } from '../machine/sequence-ids.ts';
import { requestIdOf } from '../machine/state.ts';
import type { Draft, ScriptedCommand, Side, ToonMessage } from '../messages.ts';

/** How a simulated peer completes a message. */
export interface ScriptedPeerOptions {
  /** The default of `compress` in its messages. Default false. */
  readonly compress?: boolean;
  /** The first sequence id of a connection, 0 to 4294967295. Default 1. */
  readonly firstSequenceId?: number;
  /** Unix milliseconds at time 0 of the host's clock. Default 0. */
  readonly epoch?: number;
}

/** How a scripted subagent is set up. */
export type ScriptedSubagentOptions = ScriptedPeerOptions;

/** How a scripted orchestrator is set up. */
export interface ScriptedOrchestratorOptions extends ScriptedPeerOptions {
  /** Answer tool calls and context requests at once. Default true. */
  readonly answer?: boolean;
  /**
   * Tools whose calls the scenario answers. A TOOL_RESULT of the scenario belongs to the oldest such call, and repeats
   * its `requestId`. Until then, later calls without a `requestId` wait: their results would be taken for that result.
   */
  readonly hold?: readonly string[];
  /** Leave context requests to the scenario. Default false. */
  readonly holdContext?: boolean;
}

/** A tool call that has no result yet. */
interface HeldCall {
  readonly requestId: string | number | undefined;
  /** The result that waits for earlier ones; undefined: the scenario sends it. */
  readonly result: Draft | undefined;
}

/** The state of a simulated peer; handed over at each step. */
export interface ScriptedPeerState {
  /** The open link that opened last. */
  peer: string | undefined;
  /** The sequence id of the next message without one. */
  nextId: number;
  /** Commands that wait for a link. */
  readonly waiting: ScriptedCommand[];
  /** The tool calls of the open link without a result, in order. */
  held: HeldCall[];
}

/** A simulated peer as a role. */
export type ScriptedPeerRole = Role<ScriptedPeerState, ToonMessage, ToonMessage, ScriptedCommand>;

type Reply = (message: ToonMessage) => Draft | undefined;

/**
 * Makes a scripted subagent. It sends nothing by itself.
 *
 * @example
 * scriptedSubagent({ firstSequenceId: 4294967294 }).name; // 'toon/subagent'
 */
export const scriptedSubagent = (options: ScriptedSubagentOptions = {}): ScriptedPeerRole =>
  scriptedPeer('subagent', options, () => undefined);

/**
 * Makes a scripted orchestrator. It answers a call of the tool `x` with the data `ok:x`, and a context request for the
 * path `p` with the content `ok:p`.
 *
 * @example
 * scriptedOrchestrator({ answer: false }).name; // 'toon/orchestrator'
 */
export const scriptedOrchestrator = (options: ScriptedOrchestratorOptions = {}): ScriptedPeerRole =>
  scriptedPeer('orchestrator', options, replyOf(options), options.hold);

/** How a scripted orchestrator answers by itself. */
const replyOf = ({ answer, holdContext }: ScriptedOrchestratorOptions): Reply =>
  answer === false
    ? () => undefined
    : (message) =>
        holdContext === true && message.type === 'CONTEXT_REQUEST' ? undefined : answerTo(message);

/** One step of a simulated peer. */
interface PeerStep {
  readonly state: ScriptedPeerState;
  readonly options: ScriptedPeerOptions;
  readonly now: number;
  readonly outputs: RoleOutput<ToonMessage>[];
  /** The tools whose calls the scenario answers. */
  readonly hold: readonly string[];
}

function scriptedPeer(
  side: Side,
  options: ScriptedPeerOptions,
  reply: Reply,
  hold: readonly string[] = [],
): ScriptedPeerRole {
  return {
    name: `toon/${side}`,
    start: () => ({ peer: undefined, nextId: firstIdOf(options), waiting: [], held: [] }),
    step(state, input, now) {
      const step: PeerStep = { state, options, now, outputs: [], hold };
      react(step, input, reply);
      return { state, outputs: step.outputs };
    },
  };
}

const firstIdOf = ({ firstSequenceId = 1 }: ScriptedPeerOptions): number => firstSequenceId >>> 0;

function react(step: PeerStep, input: RoleInput<ToonMessage, ScriptedCommand>, reply: Reply): void {
  const { state } = step;
  if (input.type === 'command') return obey(step, input.command);
  if (input.type === 'opened') return open(step, input.peer);
  if (!('peer' in input) || input.peer !== state.peer) return;
  if (input.type === 'message') {
    const draft = reply(input.message);
    if (draft !== undefined) answer(step, input.peer, input.message, draft);
  } else if (input.type === 'half_close') close(step, input.peer, normalEnd);
  else if (input.type === 'left') state.peer = undefined;
}

/** A link has opened. The commands that waited for it are obeyed, up to the one that closes it. */
function open(step: PeerStep, peer: string): void {
  const { state } = step;
  state.peer = peer;
  state.nextId = firstIdOf(step.options);
  state.held = [];
  while (state.peer !== undefined) {
    const command = state.waiting.shift();
    if (command === undefined) return;
    obey(step, command);
  }
}

const normalEnd: Status = { code: 0, message: '' };

/** Commands that may wait for a link; more are dropped. */
const maxWaiting = 4096;

/** Obeys a command. A command without a link waits for one. */
function obey(step: PeerStep, command: ScriptedCommand): void {
  const { peer, waiting } = step.state;
  if (peer === undefined) {
    // A command to close waits only after others: without them there is nothing to close.
    const closes = command.do === 'end' || command.do === 'shutdown';
    if (waiting.length < maxWaiting && !(closes && waiting.length === 0)) waiting.push(command);
  } else if (command.do === 'send') order(step, peer, command.message);
  else if (command.do === 'raw') step.outputs.push({ type: 'send_raw', peer, bytes: command.bytes });
  else close(step, peer, command.do === 'end' ? command.status : normalEnd);
}

function close({ state, outputs }: PeerStep, peer: string, status: Status): void {
  state.peer = undefined;
  outputs.push({ type: 'close', peer, status });
}

/** The most calls that wait for a result; older ones are dropped. */
const maxHeld = 4096;

/** Answers a call, or keeps it for the scenario, or until the result of an earlier call is sent. */
function answer(step: PeerStep, peer: string, message: ToonMessage, result: Draft): void {
  if (message.type !== 'TOOL_CALL') return send(step, peer, result);
  const { held } = step.state;
  const requestId = requestIdOf(message.payload);
  const isHeld = isObject(message.payload) && step.hold.includes(textOf(message.payload.toolName));
  if (!isHeld && (requestId !== undefined || held.every((call) => call.requestId !== undefined)))
    return send(step, peer, result);
  held.push({ requestId, result: isHeld ? undefined : result });
  if (held.length > maxHeld) held.shift();
}

/** Sends a message of the scenario. A TOOL_RESULT answers a held call; then the results that waited for it are sent. */
function order(step: PeerStep, peer: string, draft: Draft): void {
  const { held } = step.state;
  const asked = draft.type === 'TOOL_RESULT' ? requestIdOf(draft.payload) : undefined;
  const at =
    draft.type === 'TOOL_RESULT'
      ? held.findIndex((call) => call.result === undefined && (asked ?? call.requestId) === call.requestId)
      : -1;
  const [call] = at < 0 ? [] : held.splice(at, 1);
  const { payload } = draft;
  const id = call?.requestId === undefined ? {} : { requestId: call.requestId };
  send(step, peer, isObject(payload) ? { ...draft, payload: { ...payload, ...id } } : draft);
  for (let next = held[0]; next?.result !== undefined; next = held[0]) {
    held.shift();
    send(step, peer, next.result);
  }
}

/** Sends the message with all its fields. A sequence id of its own never sets the following ids back. */
function send({ state, options, now, outputs }: PeerStep, peer: string, draft: Draft): void {
  const { compress = false, epoch = 0 } = options;
  const { sequenceId = state.nextId, timestamp = String(Math.floor(epoch + now)) } = draft;
  const after = nextSequenceId(sequenceId);
  if (serialCompare(after, state.nextId) > 0) state.nextId = after;
  const message = { compress, payload: {}, ...draft, sequenceId, timestamp } as ToonMessage;
  outputs.push({ type: 'send', peer, message });
}

/** The answer to a tool call or to a context request. */
function answerTo({ type, payload }: ToonMessage): Draft | undefined {
  const requestId = requestIdOf(payload);
  const id = requestId === undefined ? {} : { requestId };
  const asked: { readonly [key: string]: unknown } = isObject(payload) ? payload : {};
  if (type === 'TOOL_CALL') {
    const data = `ok:${textOf(asked['toolName'])}`;
    return { type: 'TOOL_RESULT', payload: { success: true, data, duration: 1, ...id } };
  }
  if (type !== 'CONTEXT_REQUEST') return undefined;
  const path = textOf(asked['path']);
  const about = { type: textOf(asked['type']), path };
  return { type: 'CONTEXT_RESPONSE', payload: { ...about, content: `ok:${path}`, ...id } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
