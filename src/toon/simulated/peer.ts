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
}

/** The state of a simulated peer; handed over at each step. */
export interface ScriptedPeerState {
  /** The open link that opened last. */
  peer: string | undefined;
  /** The sequence id of the next message without one. */
  nextId: number;
  /** Commands that wait for a link. */
  readonly waiting: ScriptedCommand[];
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
  scriptedPeer('orchestrator', options, options.answer === false ? () => undefined : answerTo);

/** One step of a simulated peer. */
interface PeerStep {
  readonly state: ScriptedPeerState;
  readonly options: ScriptedPeerOptions;
  readonly now: number;
  readonly outputs: RoleOutput<ToonMessage>[];
}

function scriptedPeer(side: Side, options: ScriptedPeerOptions, reply: Reply): ScriptedPeerRole {
  return {
    name: `toon/${side}`,
    start: () => ({ peer: undefined, nextId: firstIdOf(options), waiting: [] }),
    step(state, input, now) {
      const step: PeerStep = { state, options, now, outputs: [] };
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
    if (draft !== undefined) send(step, input.peer, draft);
  } else if (input.type === 'half_close') close(step, input.peer, normalEnd);
  else if (input.type === 'left') state.peer = undefined;
}

/** A link has opened. The commands that waited for it are obeyed, up to the one that closes it. */
function open(step: PeerStep, peer: string): void {
  const { state } = step;
  state.peer = peer;
  state.nextId = firstIdOf(step.options);
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
    // A command to close waits only behind others: without them there is nothing to close.
    const closes = command.do === 'end' || command.do === 'shutdown';
    if (waiting.length < maxWaiting && !(closes && waiting.length === 0)) waiting.push(command);
  } else if (command.do === 'send') send(step, peer, command.message);
  else if (command.do === 'raw') step.outputs.push({ type: 'send_raw', peer, bytes: command.bytes });
  else close(step, peer, command.do === 'end' ? command.status : normalEnd);
}

function close({ state, outputs }: PeerStep, peer: string, status: Status): void {
  state.peer = undefined;
  outputs.push({ type: 'close', peer, status });
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
