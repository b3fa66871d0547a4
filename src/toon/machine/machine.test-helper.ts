/** Generators of sessions for the laws of the machine and of the roles, and a connection to talk on by hand. */
import fc from 'fast-check';
import type { Json, RoleInput } from '../../kit/base/index.ts';
import type { Timed } from '../../kit/laws/index.ts';
import { directive } from '../directive.ts';
import type { Step } from '../directive.ts';
import { toonMachine } from './machine.ts';
import type { ToonInput, ToonSession } from './machine.ts';
import { messageNames } from '../messages.ts';
import type { MessageName, Side, ToonMessage, Draft, ScriptedCommand } from '../messages.ts';

/** A message with any payload, whether its type allows it or not. */
export const messageOf = (type: MessageName, payload: Json, sequenceId: number = 1): ToonMessage =>
  ({ type, sequenceId, timestamp: '1700000000000', payload }) as ToonMessage;

const word = fc.constantFrom('a', 'b', 'completed', '', 'é𝄞');
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
const ids = fc.option(fc.constantFrom<Json>('q1', 'q2', 3, null), { nil: undefined, freq: 3 });
const progress = fc.option(fc.constantFrom<Json>(0, 0.2, 0.5, 0.8, 1, 45, 'half'), {
  nil: undefined,
  freq: 7,
});

/** Without the keys that are undefined. */
const kept = (payload: { readonly [key: string]: Json | undefined }): Json =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)) as Json;

const tool = fc.record({ name: word, args: fc.constant({ a: 1 }) }, { requiredKeys: ['name'] });

/** Any step of the directive grammar. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ status: fc.record({ status: word, progress: fc.constant(0.5) }) }),
  fc.record({ say: word }),
  fc.record({ pad: fc.record({ text: fc.constantFrom('x', 'é𝄞'), bytes: fc.nat(3000) }) }),
  fc.record({ tool }),
  fc.record({ tools: fc.array(tool, { minLength: 1, maxLength: 3 }) }),
  fc.record({ context: fc.record({ type: word, path: word }) }),
  fc.record({ heartbeat: fc.constant<true>(true) }),
  fc.record({ wait_ms: fc.nat(500) }),
  fc.record({ fail: fc.record({ code: word, message: word }) }),
  fc.record({ hold: fc.constant<true>(true) }),
);

const instruction = fc.oneof(
  word,
  fc.array(anyStep, { maxLength: 4 }).map(directive),
  fc.constantFrom('{"wireproof":{"do":[{"dance":true}]}}', '{"wireproof":1}', '"wireproof"'),
);

const payloads: { readonly [N in MessageName]: fc.Arbitrary<Json> } = {
  INSTRUCTION: fc.record({ instruction }),
  TOOL_CALL: fc
    .tuple(word, ids)
    .map(([toolName, requestId]) => kept({ toolName, args: { path: 'x' }, requestId })),
  TOOL_RESULT: fc
    .tuple(fc.boolean(), json, ids)
    .map(([success, data, requestId]) => kept({ success, data, duration: 1, requestId })),
  STATUS: fc.tuple(word, progress).map(([status, p]) => kept({ status, progress: p })),
  ERROR: fc.record({ code: fc.constantFrom('BAD_FRAME', 'WRONG_DIRECTION', 'X'), message: word }),
  HEARTBEAT: fc.constant({}),
  CONTEXT_REQUEST: ids.map((requestId) => kept({ type: 'file', path: 'p', requestId })),
  CONTEXT_RESPONSE: ids.map((requestId) => kept({ type: 'file', path: 'p', content: 'c', requestId })),
};

const messagesOf = (names: readonly MessageName[]): fc.Arbitrary<ToonMessage> =>
  fc.oneof(...names.map((name) => payloads[name].map((payload) => messageOf(name, payload))));

/** What each side says when it talks sense. */
const sense: { readonly [S in Side]: fc.Arbitrary<ToonMessage> } = {
  orchestrator: messagesOf([
    'INSTRUCTION',
    'INSTRUCTION',
    'TOOL_RESULT',
    'CONTEXT_RESPONSE',
    'ERROR',
    'HEARTBEAT',
  ]),
  subagent: messagesOf([
    'STATUS',
    'STATUS',
    'STATUS',
    'STATUS',
    'TOOL_CALL',
    'CONTEXT_REQUEST',
    'ERROR',
    'HEARTBEAT',
  ]),
};

/** Any type with any payload, and types that there are not. */
const nonsense: fc.Arbitrary<ToonMessage> = fc
  .tuple(fc.constantFrom(...messageNames, 'OTHER' as MessageName, 'toString' as MessageName), json)
  .map(([type, payload]) => messageOf(type, payload));

/** What a side may be heard to say: mostly sense. */
export const talkOf = (side: Side): fc.Arbitrary<ToonMessage> =>
  fc.oneof({ weight: 10, arbitrary: sense[side] }, { weight: 1, arbitrary: nonsense });

/** How far each sequence id is from the one before: mostly by one. */
const advance = fc.oneof(
  { weight: 20, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constantFrom(0, 2, -1, 2 ** 31, 0xff_ff_ff_fe, 0.5) },
);

/** Numbers messages as they come, each side by itself. */
const numbered = (): ((side: Side, message: ToonMessage, by: number) => ToonMessage) => {
  const last = { orchestrator: 0, subagent: 0xff_ff_ff_fa };
  return (side, message, by) => {
    const sequenceId = Number.isInteger(by) ? (last[side] + by) >>> 0 : -1;
    if (sequenceId >= 0) last[side] = sequenceId;
    return { ...message, sequenceId };
  };
};

const sides = fc.constantFrom<Side>('orchestrator', 'subagent');
const crossing = fc.oneof(
  {
    weight: 30,
    arbitrary: sides.chain((from) => fc.record({ from: fc.constant(from), message: talkOf(from) })),
  },
  { weight: 2, arbitrary: fc.record({ from: sides, undecodable: fc.constantFrom('bad-json', 'too-short') }) },
  { weight: 1, arbitrary: fc.constant({ ended: true as const }) },
);

/** Inputs of the machine, in order of time; some with an end in their midst. */
export const sessions: fc.Arbitrary<readonly ToonInput[]> = fc
  .array(fc.tuple(crossing, advance), { maxLength: 60 })
  .map((all) => {
    const number = numbered();
    return all.map(([input, by], i) => {
      const now = { seq: i, at: i };
      if (!('message' in input)) return { ...input, ...now };
      return { from: input.from, message: number(input.from, input.message, by), ...now };
    });
  });

/** The end of a connection. */
export const closing: fc.Arbitrary<ToonInput> = fc.constant({ ended: true, seq: 1000, at: 1000 });

const link = fc.constantFrom('s1', 's2', 'elsewhere');
const timerNames = fc.constantFrom('idle', 'heartbeat', 'turn', 'time', 'doubt', 'call-1', 'nobody');

/** What befalls any role, on the links that it knows and on others. */
const carrier: fc.Arbitrary<RoleInput<ToonMessage, never>> = fc.oneof(
  fc.constant({ type: 'started' }),
  fc.record({ type: fc.constantFrom('opened', 'headers'), peer: link, metadata: fc.constant({}) }),
  fc.record({
    type: fc.constant('undecodable'),
    peer: link,
    reason: word,
    code: fc.constantFrom('bad-json', 'bad-json', 'bad-json', 'too-large'),
  }),
  fc.record({ type: fc.constantFrom('half_close', 'full', 'drained', 'drained'), peer: link }),
  fc.record({ type: fc.constant('left'), peer: link }),
  fc
    .tuple(timerNames, link)
    .map(([name, peer]) => ({ type: 'timer', id: name === 'nobody' ? name : `${name}:${peer}` }) as const),
  fc.constant({ type: 'effect', id: 'x', result: null }),
);

const draft: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({ type: fc.constant('INSTRUCTION'), payload: fc.record({ instruction }) }),
  fc.record(
    {
      type: fc.constantFrom(...messageNames),
      payload: json,
      sequenceId: fc.constantFrom(0, 7, 0xff_ff_ff_ff),
    },
    { requiredKeys: ['type'] },
  ),
);

const command: fc.Arbitrary<ScriptedCommand> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('send'), message: draft }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('raw'), bytes: fc.uint8Array({ maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'end', status: { code: 0, message: '' } }) },
  { weight: 1, arbitrary: fc.constant({ do: 'shutdown' }) },
);

type Input = RoleInput<ToonMessage, ScriptedCommand>;

/** Inputs of a role, reference or scripted, that hears from this side; it has a link from the beginning. */
export function inputsFrom(side: Side): fc.Arbitrary<readonly Timed<ToonMessage, ScriptedCommand>[]> {
  const said = fc
    .tuple(link, talkOf(side), fc.nat(4))
    .map(([peer, message, n]): Input => ({ type: 'message', peer, message: { ...message, sequenceId: n } }));
  const input = fc.oneof<fc.MaybeWeightedArbitrary<Input>[]>(
    { weight: 12, arbitrary: said },
    { weight: 2, arbitrary: carrier },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('command'), command }) },
  );
  const rest = fc.array(fc.record({ input, after: fc.nat(900) }), { maxLength: 50 });
  return rest.map((all) => {
    let now = 0;
    const first = [{ input: { type: 'opened', peer: 's1', metadata: {} } as const, now: 0 }];
    return [...first, ...all.map(({ input, after }) => ({ input, now: (now += after) }))];
  });
}

/** A connection that is told what crosses it, one message a millisecond, each numbered as it should be. */
export class Wire {
  session: ToonSession = toonMachine.start();
  readonly #next = { orchestrator: 1, subagent: 1 };
  #seq = 0;

  /** A message; its sequence id is the next one unless given. @returns the codes of what it breaks */
  say(from: Side, type: MessageName, payload: Json = {}, sequenceId: number = this.#next[from]): string[] {
    this.#next[from] = (sequenceId + 1) >>> 0;
    return this.#step({ from, message: messageOf(type, payload, sequenceId) });
  }

  /** The orchestrator says something. */
  tell(type: MessageName, payload: Json = {}): string[] {
    return this.say('orchestrator', type, payload);
  }

  /** The subagent says something. */
  hear(type: MessageName, payload: Json = {}): string[] {
    return this.say('subagent', type, payload);
  }

  instruct(instruction: string = 'work'): string[] {
    return this.tell('INSTRUCTION', { instruction });
  }

  status(status: string = 'working', more: { readonly [key: string]: Json } = {}): string[] {
    return this.hear('STATUS', { status, ...more });
  }

  /** The subagent calls a tool. */
  call(more: { readonly [key: string]: Json } = {}): string[] {
    return this.hear('TOOL_CALL', { toolName: 'clock', args: {}, ...more });
  }

  /** The orchestrator answers. @returns the codes, or the number of the call that was answered */
  result(more: { readonly [key: string]: Json } = {}): string[] | number {
    const codes = this.tell('TOOL_RESULT', { success: true, ...more });
    return this.session.answered?.index ?? codes;
  }

  bad(from: Side): string[] {
    return this.#step({ from, undecodable: 'bad-json' });
  }

  end(): string[] {
    return this.#step({ ended: true });
  }

  #step(
    input: { from: Side; message: ToonMessage } | { from: Side; undecodable: string } | { ended: true },
  ): string[] {
    const seq = this.#seq++;
    const { state, violations } = toonMachine.step(this.session, { ...input, seq, at: seq });
    this.session = state;
    return violations.map(({ code }) => code);
  }
}

/** A wire on which an instruction is worked on. */
export function working(): Wire {
  const wire = new Wire();
  wire.instruct();
  wire.status();
  return wire;
}
