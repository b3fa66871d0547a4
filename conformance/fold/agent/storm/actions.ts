/** The actions of a storm's gateway and network. The choice of ids always has an unknown one. */
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { action, actions, memberAt, place } from '../../../../src/kit/storm/index.ts';
import type { Act } from '../../../../src/kit/storm/index.ts';
import { InjectionPriorityNames, directive } from '../../../../src/fold/index.ts';
import type { Session } from '../../../../src/fold/index.ts';
import { isUndecided } from '../expected.ts';
import { stepsOf } from './steps.ts';

/** A world with an agent. All but `disturb` do nothing while the agent has no session that takes messages. */
export interface StormedAgent {
  /** Sends the message that `make` gives for the session, and some bytes after it. `n` is a new number. */
  talk(make: (session: Session, n: string) => JsonObject, bytes?: string): void;
  /** Sends the last injection again. */
  again(): void;
  /** Ends the stream with a gRPC status. */
  end(code: number): void;
  /** Sends a message of these bytes. */
  raw(hex: string): void;
  /** A fault of the network. After a long cut, connections are refused for `ms`. In a slow one, a full window takes `ms`. */
  disturb(kind: 'cut' | 'stall' | 'slow', ms: number): void;
}

/** Fields that the schema does not know (varint, fixed64, bytes, fixed32), an empty text, and an invalid field. */
const unknownFields = fc.constantFrom(
  '',
  'f80105',
  'f9010102030405060708',
  'fa01026869',
  'fd0101020304',
  '0aff',
);

/** The ids of tools that wait for a decision. */
export const waitingToolIds = ({ active }: Session): string[] =>
  [...active.values()].flatMap(({ tools }) =>
    [...tools.values()].flatMap((t) => (isUndecided(t) ? t.id : [])),
  );

/** An action that sends a message to a session. Some messages get a field that the schema does not know. */
const sent = <T>(
  name: string,
  values: fc.Arbitrary<T>,
  make: (values: T, session: Session, n: string) => JsonObject,
): fc.Arbitrary<Act<StormedAgent>> =>
  action(
    name,
    fc.record({ of: values, unknown: fc.option(unknownFields, { freq: 12, nil: undefined }) }),
    (storm: StormedAgent, { of, unknown }) => storm.talk((session, n) => make(of, session, n), unknown),
  );

const attached: JsonObject = { attachments: [{ filename: 'a.txt', mime_type: 'text/plain', data: 'aGk=' }] };

/** The numbers of the steps of a directive; undefined for a text in plain words. */
const directiveSteps = fc.option(
  fc.array(fc.nat(stepsOf('').length - 1), { minLength: 1, maxLength: 6, size: 'max' }),
  { freq: 4, nil: undefined },
);

const request = sent(
  'request',
  fc.record({
    steps: directiveSteps,
    echoes: fc.boolean(),
    attaches: fc.boolean(),
    thread: fc.constantFrom('', 't1', 't2'),
  }),
  ({ steps, echoes, attaches, thread }, _, n) => {
    const todo = steps?.map((step, i) => memberAt(stepsOf(`r${n} ${i}`), step)) ?? [];
    const content = steps ? directive(echoes ? [{ echo_injections: true }, ...todo] : todo) : `hello r${n}`;
    const more = steps && attaches ? attached : {};
    return { send_message: { request_id: `r${n}`, thread_id: thread, content, ...more } };
  },
);

const inject = sent(
  'inject',
  fc.record({
    release: fc.nat(2).map((n) => n === 0),
    priority: fc.constantFrom(...InjectionPriorityNames, 9),
  }),
  ({ release, priority }, _, n) => {
    const content = release ? 'release' : `injection ${n}`;
    return { inject_context: { injection_id: `i${n}`, content, priority, source: 'storm' } };
  },
);

const decide = sent(
  'decide',
  fc.record({ tool: place, approved: fc.nat(2).map((n) => n > 0), approve_all: fc.boolean() }),
  ({ tool, approved, approve_all }, session) => {
    const ids = waitingToolIds(session);
    const id = tool % 5 === 0 || ids.length === 0 ? 'none' : memberAt(ids, tool);
    return { tool_approval: { id, approved, approve_all } };
  },
);

const cancel = sent(
  'cancel',
  fc.record({ request: place, reason: fc.constantFrom({}, { reason: 'user_requested' }) }),
  ({ request: at, reason }, { active, requests }) => {
    const seen = memberAt([...requests.keys(), 'none'], at);
    return { cancel_request: { request_id: memberAt([...active.keys(), seen], at), ...reason } };
  },
);

const answerPackCall = sent(
  'answer a pack call',
  fc.record({
    call: place,
    answer: fc.constantFrom<JsonObject>({ output_json: '{}' }, { error: 'no such tool' }),
  }),
  ({ call, answer }, { packCalls }) => ({
    pack_tool_result: { request_id: memberAt([...packCalls.keys(), 'none'], call), ...answer },
  }),
);

const sayNothing = sent('an empty message', fc.constant(undefined), () => ({}));
const stop = sent('shutdown', fc.constant(undefined), () => ({ shutdown: { reason: 'maintenance' } }));
const again = action('the last injection again', fc.constant(undefined), (storm: StormedAgent) =>
  storm.again(),
);
const end = action('end the stream', fc.nat(16), (storm: StormedAgent, code) => storm.end(code));
const raw = action('raw bytes', unknownFields, (storm: StormedAgent, hex) => storm.raw(hex));

/** Cuts, stalls or slows the network. A longer cut also refuses connections for a while. */
const disturb = action(
  'disturb',
  fc.record({
    kind: fc.constantFrom('stall', 'slow', 'cut', 'cut'),
    ms: fc.integer({ min: 200, max: 1999 }),
  }),
  (storm: StormedAgent, { kind, ms }) => storm.disturb(kind, ms),
);

export const agentActions: fc.Arbitrary<Act<StormedAgent>> = actions(
  [76, request],
  [42, inject],
  [40, decide],
  [7, cancel],
  [6, answerPackCall],
  [5, sayNothing],
  [2, stop],
  [13, again],
  [6, end],
  [13, raw],
  [17, disturb],
);
