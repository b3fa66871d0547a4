/** Each law holds for a sound codec, machine or role, and fails for one that is broken in the way it forbids. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok, refuse } from '../base/index.ts';
import type { Codec, Machine, Role } from '../base/index.ts';
import {
  closedStaysClosed,
  mutated,
  replayable,
  replayableRole,
  roundTrip,
  total,
  totalMachine,
  totalRole,
} from './index.ts';
import type { Timed } from './index.ts';

interface Note {
  readonly text?: string;
}

const broken = (message: string): ReturnType<Codec<Note>['decode']> =>
  refuse({ code: 'no-note', path: '', message });
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A text after its length in one byte; the empty text is absent. */
const sound: Codec<Note> = {
  name: 'note',
  encode({ text = '' }) {
    const bytes = new TextEncoder().encode(text);
    return new Uint8Array([bytes.length, ...bytes]);
  },
  decode(bytes) {
    if (bytes[0] !== bytes.length - 1) return broken('expected the length of the rest in the first byte');
    try {
      const text = strict.decode(bytes.subarray(1));
      return ok({ message: text === '' ? {} : { text } });
    } catch {
      return broken('expected UTF-8');
    }
  },
};

const notes = fc.string({ unit: 'binary', maxLength: 20 }).map((text): Note => (text === '' ? {} : { text }));
const holds = <T>(property: fc.IProperty<T>): void => fc.assert(property, { seed: 7, numRuns: 2000 });
const fails = (
  property: fc.IProperty<[unknown]> | fc.IProperty<[unknown, unknown, unknown]>,
  why: RegExp,
): void => {
  const { failed, errorInstance } = fc.check(property as fc.IProperty<unknown>, { seed: 7, numRuns: 2000 });
  expect(failed).toBe(true);
  expect(String(errorInstance)).toMatch(why);
};

describe('the laws of codecs', () => {
  const bytes = notes.map(sound.encode);

  it('hold for a sound codec', () => {
    holds(roundTrip(sound, notes));
    holds(total(sound));
    holds(total(sound, bytes));
  });

  it('round trip fails when something is lost, refused or noted', () => {
    const lossy: Codec<Note> = {
      ...sound,
      encode: ({ text = '' }) => sound.encode({ text: text.trimEnd() }),
    };
    const picky: Codec<Note> = {
      ...sound,
      decode: (b) => (b.length > 5 ? broken('too long') : sound.decode(b)),
    };
    const chatty: Codec<Note> = { ...sound, decode: () => ok({ message: {}, note: 'hm' }) };
    fails(roundTrip(lossy, notes), /round trip: expected .* came/);
    fails(roundTrip(picky, notes), /its own bytes were refused: too long/);
    fails(roundTrip(chatty, fc.constant({})), /a note: hm/);
  });

  it('total fails when decode throws on bytes that are no message', () => {
    const throwing: Codec<Note> = {
      ...sound,
      decode: (b) => ok({ message: { text: strict.decode(b.subarray(1)) } }),
    };
    fails(total(throwing), /not valid for encoding utf-8/);
    fails(total(throwing, bytes), /not valid for encoding utf-8/);
  });

  it('total fails when what was accepted does not come back', () => {
    const loose: Codec<Note> = { ...sound, decode: (b) => ok({ message: { text: String(b[0] ?? '') } }) };
    fails(total(loose), /decoded, encoded and decoded again/);
  });

  it('total fails when a refusal says nothing', () => {
    fails(
      total({ ...sound, decode: () => refuse({ code: '', path: '', message: '' }) }),
      /expected a code and a message/,
    );
  });

  it('total fails when decode writes into its input', () => {
    fails(total({ ...sound, decode: (b) => (b.fill(0), broken('zeroed')) }), /decode changed its input/);
  });

  it('mutated bytes are valid ones, shorter ones, longer ones and changed ones', () => {
    const original = new Uint8Array([1, 2, 3, 4]);
    const seen = fc.sample(mutated(fc.constant(original)), { seed: 7, numRuns: 300 });
    expect(seen.some((b) => b.length < 4)).toBe(true);
    expect(seen.some((b) => b.length > 4)).toBe(true);
    expect(seen.some((b) => b.length === 4 && b.join() !== original.join())).toBe(true);
    expect(seen.some((b) => b.join() === original.join())).toBe(true);
    expect(original).toEqual(new Uint8Array([1, 2, 3, 4]));
  });
});

type Door = 'push' | 'slam';

/** A door that opens and shuts when pushed, until it is slammed. */
const door: Machine<{ open: boolean; slammed: boolean; seen: Map<string, number> }, Door> = {
  start: () => ({ open: false, slammed: false, seen: new Map() }),
  step(state, input) {
    if (state.slammed)
      return { state, violations: [{ code: 'closed', path: '', message: 'the door is slammed' }] };
    state.seen.set(input, (state.seen.get(input) ?? 0) + 1);
    if (input === 'slam') state.slammed = true;
    else state.open = !state.open;
    return { state, violations: [] };
  },
};

describe('the laws of machines', () => {
  const doors = fc.array(fc.constantFrom<Door>('push', 'slam'), { maxLength: 20 });
  const closing = { before: doors, closing: fc.constant<Door>('slam'), after: doors };
  const slammed = (s: { readonly slammed: boolean }): boolean => s.slammed;

  it('hold for a sound machine', () => {
    holds(replayable(door, doors));
    holds(totalMachine(door, doors));
    holds(closedStaysClosed(door, slammed, closing));
  });

  it('replayable fails when something outside the state is remembered', () => {
    let steps = 0;
    const counting: typeof door = { ...door, step: (s, i) => (s.seen.set('all', ++steps), door.step(s, i)) };
    fails(replayable(counting, doors), /of the second run/);
  });

  it('replayable fails when an input is changed', () => {
    const eating: Machine<null, string[]> = {
      start: () => null,
      step: (state, i) => (i.pop(), { state, violations: [] }),
    };
    fails(replayable(eating, fc.array(fc.array(fc.string(), { minLength: 1 }))), /the inputs after a run/);
  });

  it('total fails when a step throws, or a violation says nothing', () => {
    const throwing: typeof door = {
      ...door,
      step: (s, i) => {
        if (s.slammed) throw new Error('ouch');
        return door.step(s, i);
      },
    };
    const mute: typeof door = {
      ...door,
      step: (state) => ({ state, violations: [{ code: 'Not Kebab', path: '', message: 'x' }] }),
    };
    fails(totalMachine(throwing, doors), /ouch/);
    fails(totalMachine(mute, doors), /kebab-case/);
  });

  it('closed stays closed fails when it opens again, or never closes', () => {
    const bouncing: typeof door = {
      ...door,
      step: (s, i) => (s.slammed ? { state: door.start(), violations: [] } : door.step(s, i)),
    };
    fails(closedStaysClosed(bouncing, slammed, { ...closing, before: fc.constant([]) }), /opened it/);
    fails(
      closedStaysClosed(door, slammed, {
        ...closing,
        before: fc.constant([]),
        closing: fc.constant<Door>('push'),
      }),
      /to close the machine/,
    );
  });
});

/** Says when it was asked. */
const clerk: Role<{ said: number }, string, string, never> = {
  name: 'clerk',
  start: () => ({ said: 0 }),
  step(state, input, now) {
    if (input.type !== 'message') return { state, outputs: [] };
    state.said++;
    return {
      state,
      outputs: [
        { type: 'start_timer', id: 'x', ms: now },
        { type: 'send', peer: input.peer, message: `${state.said}` },
      ],
    };
  },
};

describe('the laws of roles', () => {
  const inputs: fc.Arbitrary<readonly Timed<string, never>[]> = fc.array(
    fc.record({
      input: fc.oneof(
        fc.constant({ type: 'started' } as const),
        fc.string().map((message) => ({ type: 'message', peer: 'p', message }) as const),
      ),
      now: fc.nat(1000),
    }),
  );

  it('hold for a sound role', () => {
    holds(replayableRole(clerk, inputs));
    holds(totalRole(clerk, inputs));
  });

  it('replayable fails when outputs depend on anything else', () => {
    let n = 0;
    const drifting: typeof clerk = { ...clerk, step: (s, i, now) => clerk.step(s, i, now + n++) };
    fails(replayableRole(drifting, inputs), /of the second run/);
  });

  it('total fails when a step throws, or a timer has no time', () => {
    const throwing: typeof clerk = {
      ...clerk,
      step: (s, i, now) => {
        if (i.type === 'started') throw new Error('ouch');
        return clerk.step(s, i, now);
      },
    };
    fails(totalRole(throwing, inputs), /ouch/);
    fails(
      totalRole({ ...clerk, step: (s, i) => clerk.step(s, i, NaN) }, inputs),
      /expected a timer of 0 ms or more; came NaN/,
    );
  });
});
