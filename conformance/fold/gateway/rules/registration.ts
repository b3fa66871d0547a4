/** FOLD-G02 to G04 and G10: how a gateway accepts registrations. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import {
  deadline,
  exercised,
  forgetOldest,
  momentOf,
  rule,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Rule, WaitOutcome } from '../../../../src/kit/judge/index.ts';
import type { RegisterAgent } from '../../../../src/fold/index.ts';
import { protocolFeatures } from '../../../../src/fold/index.ts';
import type { GatewayView, StreamView } from '../model.ts';
import { agentIdOf, membersOf } from '../model.ts';
import { serverTopics } from '../topics.ts';
import { isSaidToTarget } from '../events.ts';
import { agentMessage, rivalOf, serverMessage } from '../view.ts';
import { endText, endsStream } from '../waiting.ts';
import type { StreamWait } from '../waiting.ts';

/** The first register of a live stream; undefined for every other event. */
export function registers(event: TraceEvent, view: GatewayView): RegisterAgent | undefined {
  if (!isSaidToTarget(event)) return undefined;
  const { agentStream: stream } = view;
  const { register } = agentMessage(event);
  if (register === undefined || stream?.spoke !== undefined || stream?.ended !== undefined) return undefined;
  return stream === undefined || stream.disturbed || view.stop !== undefined ? undefined : register;
}

const known: ReadonlySet<string> = new Set(protocolFeatures);

/** Whether a register has unknown features, or no features; undefined when all its features are known. */
export const oddFeatures = ({
  protocol_features: features = [],
}: RegisterAgent): 'unknown' | 'none' | undefined =>
  features.length === 0 ? 'none' : features.every((name) => known.has(name)) ? undefined : 'unknown';

/** The end of the last stream of an id; undefined when the id had no earlier stream. */
export function lastEnd(
  view: GatewayView,
  id: string,
): { readonly seq: number; readonly at: number } | undefined {
  let last: StreamView['ended'];
  for (const stream of view.streams.values()) {
    const { ended, session } = stream;
    if (ended === undefined || ended.seq <= (last?.seq ?? -1)) continue;
    // The gateway may have accepted an agent that left before the answer.
    const asked = ended.by === 'target' ? undefined : session.register?.message.agent_id;
    if ((agentIdOf(stream) ?? asked) === id) last = ended;
  }
  return last;
}

/** A wait for the Welcome of a valid registration. */
export interface Registration extends StreamWait {
  readonly register: RegisterAgent;
  /** The row that a refusal violates. */
  readonly row: string;
}

/** The valid registration of an event: it has valid credentials and a free agent_id. */
export function valid(event: TraceEvent, view: GatewayView): Registration | undefined {
  const register = registers(event, view);
  const { stream } = view;
  const id = register?.agent_id ?? '';
  if (register === undefined || stream === undefined || id === '') return undefined;
  if (stream.credentials !== 'valid' || taken(view, stream, id)) return undefined;
  const odd = oddFeatures(register);
  const row = lastEnd(view, id) !== undefined ? 'FOLD-G10' : odd === undefined ? 'FOLD-G02' : 'FOLD-G16';
  const expected = `Welcome for ${id}, whose registration is valid`;
  return { ...momentOf(event), key: event.stream, stream: event.stream, expected, register, row };
}

/** Whether another stream has an id, or had it after the event `since`. */
function taken(view: GatewayView, stream: StreamView, id: string, since: number = Infinity): boolean {
  for (const other of view.streams.values()) {
    const { session, ended } = other;
    if (other === stream || (ended !== undefined && ended.seq < since)) continue;
    // An agent with an assigned id may still hold the id that it asked for.
    if (agentIdOf(other) === id || session.register?.message.agent_id === id) return true;
  }
  return false;
}

/** The outcome of a wait for a Welcome. A refusal is judged by the row that it violates. */
export function welcomed(wait: Registration, event: TraceEvent, view: GatewayView, row: string): WaitOutcome {
  if (event.stream !== wait.stream) return undefined;
  const { stream } = view;
  if (stream?.disturbed === true || view.stop !== undefined) return 'dropped';
  if (event.from !== 'target')
    return endsStream(event, wait.stream) || event.kind === 'half_close' ? 'dropped' : undefined;
  if (event.data['welcome'] !== undefined) return 'exercised';
  const refused = event.data['registration_error'] !== undefined;
  if (!refused && !endsStream(event, wait.stream)) return undefined;
  if (stream !== undefined && taken(view, stream, wait.register.agent_id ?? '', wait.seq)) return 'dropped';
  return wait.row === row ? { came: refused ? 'a RegistrationError' : endText(event) } : 'dropped';
}

const welcome = deadline<Registration, GatewayView>({
  requirement: 'FOLD-G02',
  begins: valid,
  settles: (wait, event, view) => welcomed(wait, event, view, 'FOLD-G02'),
  within: (view) => view.timeouts.handshake,
  overdue: (wait) =>
    oddFeatures(wait.register) === 'unknown' && wait.row === 'FOLD-G16' ? 'dropped' : 'violated',
});

/** The other half: nothing before it, and no second. */
export const welcomeFirst: Rule<GatewayView> = rule({
  requirement: 'FOLD-G02',
  listens: serverTopics,
  start: () => null,
  step(_, event, view: GatewayView) {
    const { agentStream: stream } = view;
    if (stream === undefined || event.from !== 'target' || stream.disturbed) return undefined;
    const { session } = stream;
    const isWelcome = event.data['welcome'] !== undefined;
    if (session.welcome !== undefined) {
      if (!isWelcome || stream.secondRegister !== undefined) return undefined; // FOLD-G09 judges it
      return violated(event, 'expected exactly one Welcome; a second came', [session.welcome.seq]);
    }
    if (isWelcome && session.register === undefined && stream.spoke === undefined)
      return violated(
        event,
        'expected Welcome after register; it came before the first message of the agent',
      );
    if (isWelcome || session.phase !== 'registered') return undefined;
    if (event.data['registration_error'] !== undefined) return undefined;
    const came = Object.keys(event.data)[0] ?? 'an empty ServerMessage';
    return violated(event, `expected Welcome before any other message; came ${came}`);
  },
});

const echoesId = rule({
  requirement: 'FOLD-G03',
  listens: ['welcome', 'op'],
  start: () => null,
  step(_, event, view: GatewayView) {
    if (event.wire === 'operator') return listed(event, view);
    const { agentStream: stream } = view;
    const { agent_id: id = '' } = serverMessage(event).welcome ?? {};
    if (stream?.session.register === undefined || stream.session.welcome !== undefined) return undefined;
    if (id === '') return violated(event, 'expected a non-empty agent_id in Welcome; it is empty');
    const asked = stream.session.register.message.agent_id ?? '';
    if (id === asked) return exercised(event);
    const other = rivalOf(view, stream, id);
    if (other === undefined) return undefined; // the gateway assigned a new id
    return violated(
      event,
      `expected the agent_id that was asked for (${asked}), or a new one; came ${id}, which another agent has`,
      [stream.session.register.seq],
    );
  },
});

/** The violation of a list of agents that still has the id an agent asked for, although Welcome assigned another. */
function listed(event: TraceEvent, view: GatewayView): ReturnType<typeof violated> | undefined {
  const { agents } = event.data;
  if (event.from !== 'target' || !Array.isArray(agents)) return undefined;
  const ids = new Set(agents.map((agent) => membersOf(agent)['id']));
  for (const { session, ended } of view.streams.values()) {
    const { welcome, register } = session;
    const asked = register?.message.agent_id ?? '';
    if (welcome === undefined || ended !== undefined || welcome.agentId === asked) continue;
    if (!ids.has(asked) || ids.has(welcome.agentId)) continue;
    return violated(
      event,
      `expected Welcome to echo the agent_id ${asked}, for the agent goes by it; it said ${welcome.agentId}`,
      [welcome.seq],
    );
  }
  return undefined;
}

/** The most instance_ids that are kept. */
const instancesKept = 4096;

const instance = rule({
  requirement: 'FOLD-G04',
  listens: ['welcome'],
  start: () => new Map<string, { readonly seq: number; readonly stream: string }>(),
  step(seen, event, _view: GatewayView) {
    const { server_id: server = '', instance_id: id = '' } = serverMessage(event).welcome ?? {};
    const empty = [server === '' ? 'server_id' : '', id === '' ? 'instance_id' : ''].filter(
      (name) => name !== '',
    );
    if (empty.length > 0)
      return violated(event, `expected server_id and instance_id in Welcome; empty: ${empty.join(', ')}`);
    const before = seen.get(id);
    if (before !== undefined && before.stream !== event.stream)
      return violated(event, `expected a new instance_id for each connection; ${id} was another's`, [
        before.seq,
      ]);
    seen.set(id, { seq: event.seq, stream: event.stream });
    forgetOldest(seen, instancesKept);
    return exercised(event);
  },
});

const reusable = deadline<Registration & { readonly freedAt: number }, GatewayView>({
  requirement: 'FOLD-G10',
  begins(event, view) {
    const wait = valid(event, view);
    const freed = wait === undefined ? undefined : lastEnd(view, wait.register.agent_id ?? '');
    return wait === undefined || freed === undefined ? undefined : { ...wait, freedAt: freed.at };
  },
  settles(wait, event, view) {
    const settled = welcomed(wait, event, view, 'FOLD-G10');
    const early = wait.at - wait.freedAt <= view.timeouts.prompt;
    return typeof settled === 'object' && early ? 'dropped' : settled;
  },
  within: (view) => view.timeouts.handshake,
  overdue: () => 'dropped', // FOLD-G02's
});

export const registrationRules: readonly Rule<GatewayView>[] = [
  welcome,
  welcomeFirst,
  echoesId,
  instance,
  reusable,
];
