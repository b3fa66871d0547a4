/**
 * A pack (tool provider) as a simulated peer: registers its tools, and answers the calls it is sent only when its
 * commander says so. Each message opens a stream of its own: a manifest a Register stream, a result a call.
 */
import type { Metadata, PeerCommand, Role, RoleInput, RoleOutput } from '../../kit/base/index.ts';
import type { ToolDefinition } from '../messages.ts';
import { packRegisterPath, packResultPath } from '../stream-codecs.ts';
import type { PackMessage, PackOrder } from '../stream-codecs.ts';

/** How a scripted pack comes. */
export interface ScriptedPackOptions {
  readonly pack_id: string;
  readonly version?: string;
  readonly tools?: readonly ToolDefinition[];
  /** Register at the start; else the first `manifest` that is sent does. Default true. */
  readonly dial?: boolean;
  /** Metadata of a stream, such as credentials. */
  readonly metadata?: () => Metadata;
}

/** The state of a scripted pack; handed over at each step. */
export interface ScriptedPackState {
  streams: number;
  /** The Register stream that was opened last; empty: none. */
  registered: string;
  /** What streams that are being opened begin with. */
  readonly first: Map<string, PackMessage>;
}

/** A scripted pack as a role. */
export type ScriptedPackRole = Role<ScriptedPackState, PackOrder, PackMessage, PeerCommand<PackMessage>>;

type Outputs = RoleOutput<PackMessage>[];

/**
 * Makes a scripted pack.
 *
 * @example
 * const role = scriptedPack({ pack_id: 'weather', tools: [{ name: 'forecast' }] });
 * role.step(role.start(), { type: 'started' }, 0).outputs[0]?.type; // 'dial'
 */
export function scriptedPack(options: ScriptedPackOptions): ScriptedPackRole {
  const { pack_id, version = '1', tools = [], metadata } = options;
  const given = (): Metadata => metadata?.() ?? {};
  return {
    name: 'fold/pack',
    start: () => ({ streams: 0, registered: '', first: new Map() }),
    step(state, input) {
      const outputs: Outputs = [];
      if (input.type !== 'started') react(state, input, given, outputs);
      else if (options.dial !== false)
        open(state, { manifest: { pack_id, version, tools } }, given(), outputs);
      return { state, outputs };
    },
  };
}

function react(
  state: ScriptedPackState,
  input: RoleInput<PackOrder, PeerCommand<PackMessage>>,
  given: () => Metadata,
  out: Outputs,
): void {
  if (input.type === 'command') obey(state, input.command, given, out);
  else if (input.type === 'opened') {
    const first = state.first.get(input.peer);
    if (first === undefined) return;
    state.first.delete(input.peer);
    // The request of a unary or server-streaming call: one message, and no more.
    out.push({ type: 'send', peer: input.peer, message: first });
    out.push({ type: 'half_close', peer: input.peer });
  } else if (input.type === 'left' && input.peer === state.registered) state.registered = '';
}

function open(state: ScriptedPackState, message: PackMessage, metadata: Metadata, out: Outputs): void {
  const registers = 'manifest' in message;
  const peer = `pack-${++state.streams}`;
  if (registers) state.registered = peer;
  state.first.set(peer, message);
  const path = registers ? packRegisterPath : packResultPath;
  out.push({ type: 'dial', peer, metadata: { ':path': path, ...metadata } });
}

function obey(
  state: ScriptedPackState,
  command: PeerCommand<PackMessage>,
  given: () => Metadata,
  out: Outputs,
): void {
  if (command.do === 'send') return open(state, command.message, given(), out);
  const peer = state.registered;
  if (peer === '') return;
  if (command.do === 'raw') out.push({ type: 'send_raw', peer, bytes: command.bytes });
  else {
    state.registered = '';
    out.push({ type: 'close', peer, status: { code: 1, message: 'cancelled' } });
  }
}
