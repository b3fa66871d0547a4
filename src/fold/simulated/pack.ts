/**
 * A pack (tool provider) as a simulated peer: registers its tools, and answers calls on command, or all with one output. Each of its
 * messages opens a stream: a manifest a Register stream, a result a ToolResult call.
 */
import type { Metadata, PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import type { ToolDefinition } from '../messages.ts';
import { StepOutputs } from '../step-outputs.ts';
import { packRegisterPath, packResultPath } from '../stream-codecs.ts';
import type { PackMessage, PackOrder } from '../stream-codecs.ts';
import { dialCall, sendCall } from './calls.ts';
import type { CallingState } from './calls.ts';

/** The options of a scripted pack. */
export interface ScriptedPackOptions {
  readonly pack_id: string;
  readonly version?: string;
  readonly tools?: readonly ToolDefinition[];
  /** Whether it registers at the start; default true. False: the first sent `manifest` registers it. */
  readonly dial?: boolean;
  /** The output_json with which it answers every call at once; absent: it answers only on command. */
  readonly answers?: string;
  /** The metadata of a stream, such as credentials. */
  readonly metadata?: () => Metadata;
}

/** The state of a scripted pack, which each step takes over. */
export interface ScriptedPackState extends CallingState<PackMessage> {
  /** The Register stream that was opened last; empty without one. */
  registered: string;
}

/** A scripted pack as a role. */
export type ScriptedPackRole = Role<ScriptedPackState, PackOrder, PackMessage, PeerCommand<PackMessage>>;

type Outputs = StepOutputs<ScriptedPackState, PackMessage>;

/**
 * Makes a scripted pack.
 *
 * @example
 * const role = scriptedPack({ pack_id: 'weather', tools: [{ name: 'forecast' }] });
 * role.step(role.start(), { type: 'started' }, 0).outputs[0]?.type; // 'dial'
 */
export function scriptedPack(options: ScriptedPackOptions): ScriptedPackRole {
  return {
    name: 'fold/pack',
    start: () => ({ streams: 0, registered: '', first: new Map() }),
    step(state, input, now) {
      const out: Outputs = new StepOutputs(state, now);
      react(out, input, options);
      return { state, outputs: out.outputs };
    },
  };
}

function react(
  out: Outputs,
  input: RoleInput<PackOrder, PeerCommand<PackMessage>>,
  options: ScriptedPackOptions,
): void {
  const { state } = out;
  if (input.type === 'started') {
    const { pack_id, version = '1', tools = [] } = options;
    if (options.dial !== false) open(out, { manifest: { pack_id, version, tools } }, options);
  } else if (input.type === 'command') obey(out, input.command, options);
  else if (input.type === 'opened') sendCall(out, input.peer);
  else if (input.type === 'message') answer(out, input.message, options);
  else if (input.type === 'left' && input.peer === state.registered) state.registered = '';
}

function open(out: Outputs, message: PackMessage, { metadata }: ScriptedPackOptions): void {
  const registers = 'manifest' in message;
  const path = registers ? packRegisterPath : packResultPath;
  const peer = dialCall(out, 'pack', message, { ':path': path, ...metadata?.() });
  if (registers) out.state.registered = peer;
}

/** Answers a call, if the pack answers by itself. */
function answer(out: Outputs, order: PackOrder, options: ScriptedPackOptions): void {
  const { answers: output_json } = options;
  if (output_json === undefined || !('execute_tool' in order)) return;
  const { request_id = '' } = order.execute_tool;
  open(out, { tool_response: { request_id, output_json } }, options);
}

function obey(out: Outputs, command: PeerCommand<PackMessage>, options: ScriptedPackOptions): void {
  const { state } = out;
  const peer = state.registered;
  if (command.do === 'send') open(out, command.message, options);
  else if (peer === '') return;
  else if (command.do === 'raw') out.outputs.push({ type: 'send_raw', peer, bytes: command.bytes });
  else {
    state.registered = '';
    out.close(peer, 1, 'cancelled');
  }
}
