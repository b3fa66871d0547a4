/**
 * The machine of a connection: the laws of machines, and what "Session" of spec/toon/README.md and the document's
 * "Message Types" say of it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedStaysClosed, replayable, totalMachine } from '../../kit/laws/index.ts';
import { directive } from '../directive.ts';
import { sessionFaults, toonMachine } from './machine.ts';
import type { ToonSession } from './machine.ts';
import { closing, messageOf, sessions, Wire, working } from './machine.test-helper.ts';
import { messageNames, senders } from '../messages.ts';
import type { MessageName, Side } from '../messages.ts';

const runs = { seed: 7, numRuns: 500 };

describe('the laws of machines', () => {
  it('hold', () => {
    fc.assert(replayable(toonMachine, sessions), runs);
    fc.assert(totalMachine(toonMachine, sessions), runs);
  });

  it('hold for what is closed', () => {
    const closed = (session: ToonSession): boolean => session.phase === 'closed';
    fc.assert(closedStaysClosed(toonMachine, closed, { before: sessions, closing, after: sessions }), runs);
  });

  it('are shown on every word for a fault', () => {
    const seen = new Set<string>();
    for (const inputs of fc.sample(sessions, runs)) {
      let state = toonMachine.start();
      for (const input of inputs) {
        const stepped = toonMachine.step(state, input);
        state = stepped.state;
        for (const { code } of stepped.violations) seen.add(code);
      }
    }
    expect([...seen].sort()).toEqual(Object.keys(sessionFaults).sort());
  });
});

describe('direction (TOON-34)', () => {
  const sound: { readonly [N in MessageName]?: object } = {
    INSTRUCTION: { instruction: 'x' },
    TOOL_CALL: { toolName: 'x', args: {} },
    TOOL_RESULT: { success: true },
    STATUS: { status: 'x' },
    ERROR: { message: 'x' },
  };
  const pairs = messageNames.flatMap((name) =>
    (['orchestrator', 'subagent'] as const).map((side) => [side, name] as const),
  );

  // The document's table "Message Types", column Direction.
  it.each(pairs)('the %s sends %s only if the document says so', (side: Side, name: MessageName) => {
    const wire = working();
    wire.call();
    wire.hear('CONTEXT_REQUEST');
    const codes = wire.say(side, name, (sound[name] ?? {}) as { [key: string]: string });
    expect(codes).toEqual(senders[name].includes(side) ? [] : ['wrong-direction']);
  });

  it('is not acted on when it is wrong', () => {
    const wire = new Wire();
    expect(wire.say('subagent', 'INSTRUCTION', { instruction: 'x' })).toEqual(['wrong-direction']);
    expect(wire.session.active).toBeUndefined();
    expect(wire.say('orchestrator', 'TOOL_CALL', { toolName: 'x', args: {} })).toEqual(['wrong-direction']);
    expect(wire.session.calls).toEqual([]);
  });
});

describe('payloads (TOON-35)', () => {
  it.each([
    ['orchestrator', 'INSTRUCTION', {}],
    ['orchestrator', 'INSTRUCTION', { instruction: 7 }],
    ['subagent', 'TOOL_CALL', { toolName: 'x' }],
    ['subagent', 'TOOL_CALL', { args: {} }],
    ['orchestrator', 'TOOL_RESULT', { data: 1 }],
    ['subagent', 'STATUS', { progress: 1 }],
    ['subagent', 'ERROR', { code: 'X' }],
    ['subagent', 'STATUS', 'completed'],
  ] as const)('of the %s’s %s without what it needs are refused: %j', (side, type, payload) => {
    const wire = working();
    expect(wire.say(side, type, payload)).toEqual(['bad-payload']);
  });

  it('of types that need nothing should still be objects (TOON-13)', () => {
    expect(working().hear('CONTEXT_REQUEST', [1])).toEqual(['not-object']);
    expect(working().hear('HEARTBEAT', null)).toEqual(['not-object']);
  });

  it('may have keys that nobody knows (TOON-37)', () => {
    expect(working().status('working', { mood: 'good' })).toEqual([]);
  });
});

describe('sequence ids (TOON-30, 31)', () => {
  const ids = (...all: readonly number[]): string[] => {
    const wire = new Wire();
    return all.flatMap((id) => wire.say('orchestrator', 'HEARTBEAT', {}, id));
  };

  it.each([
    ['rise by one', [1, 2, 3]],
    ['begin anywhere', [4000, 4001]],
    ['may leave some out: they must rise, and no more', [1, 5, 6]],
    ['go on with 0 after the highest', [4294967294, 4294967295, 0, 1]],
  ])('%s', (_, all) => {
    expect(ids(...all)).toEqual([]);
  });

  it.each([
    ['the same again', [3, 3], 'sequence-not-rising'],
    ['one that was there before', [3, 4, 2], 'sequence-not-rising'],
    ['the same again and again at the highest', [4294967295, 4294967295], 'no-wrap'],
    ['1 after the highest', [4294967295, 1], 'no-wrap'],
    ['one that 32 bits cannot hold', [4294967296], 'sequence-range'],
  ])('are broken by %s', (_, all, code) => {
    expect(ids(...all)).toEqual([code]);
  });

  it('count for each sender by itself', () => {
    const wire = new Wire();
    expect(wire.say('orchestrator', 'HEARTBEAT', {}, 9)).toEqual([]);
    expect(wire.say('subagent', 'HEARTBEAT', {}, 2)).toEqual([]);
  });

  it('are told apart for who reports them (TOON-33)', () => {
    const wire = new Wire();
    const order = [1, 2, 6, 6, 3].map((id) => {
      wire.say('subagent', 'HEARTBEAT', {}, id);
      const { order, missing } = wire.session.subagent;
      return [order, missing];
    });
    expect(order).toEqual([
      ['first', 0],
      ['next', 0],
      ['gap', 3],
      ['duplicate', 0],
      ['reordered', 0],
    ]);
  });

  it('may go past 0 with a bad frame: it had an id of its own', () => {
    const wire = new Wire();
    wire.say('subagent', 'HEARTBEAT', {}, 4294967295);
    wire.bad('subagent');
    expect(wire.say('subagent', 'HEARTBEAT', {}, 1)).toEqual([]);
  });

  it('may not go past 0 because of a bad frame long ago', () => {
    const wire = new Wire();
    wire.bad('subagent');
    wire.say('subagent', 'HEARTBEAT', {}, 4294967295);
    expect(wire.say('subagent', 'HEARTBEAT', {}, 1)).toEqual(['no-wrap']);
  });

  // TOON-29: the timestamp says nothing about the order.
  it('are the only order: timestamps may fall', () => {
    const { step, start } = toonMachine;
    const late = { ...messageOf('HEARTBEAT', {}, 1), timestamp: '2000' };
    const early = { ...messageOf('HEARTBEAT', {}, 2), timestamp: '1000' };
    const session = step(start(), { from: 'subagent', message: late, seq: 0, at: 0 }).state;
    expect(step(session, { from: 'subagent', message: early, seq: 1, at: 1 }).violations).toEqual([]);
  });
});

describe('an instruction', () => {
  it.each([['STATUS'], ['TOOL_CALL'], ['CONTEXT_REQUEST']] as const)(
    'must be there before a %s (TOON-52)',
    (type) => {
      const payload = { status: 'x', toolName: 'x', args: {} };
      expect(new Wire().hear(type, payload)).toEqual(['no-instruction']);
      const wire = working();
      wire.status('completed');
      expect(wire.hear(type, payload), 'and none may come after its end (TOON-50)').toEqual(['after-end']);
    },
  );

  it('ends with STATUS completed', () => {
    const wire = working();
    expect(wire.session.active).toMatchObject({ index: 0, at: 0, signCount: 1, lastSign: { at: 1 } });
    wire.status('completed', { progress: 1 });
    expect(wire.session.active).toBeUndefined();
    expect(wire.session.ended).toEqual({ seq: 2, at: 2, index: 0, by: 'completed' });
  });

  it('ends with an ERROR of the subagent’s, and not with one of the orchestrator’s', () => {
    const wire = working();
    wire.tell('ERROR', { message: 'oh' });
    expect(wire.session.active?.index).toBe(0);
    wire.hear('ERROR', { message: 'no' });
    expect(wire.session.ended?.by).toBe('error');
  });

  it('is worked on alone: others wait for their turn, in order', () => {
    const wire = working();
    wire.instruct();
    wire.instruct();
    expect([wire.session.active?.index, wire.session.waiting.map(({ index }) => index)]).toEqual([0, [1, 2]]);
    expect(wire.status('completed')).toEqual([]);
    expect([wire.session.active?.index, wire.session.active?.activeSince.at]).toEqual([1, 4]);
    wire.hear('ERROR', { message: 'no' });
    expect(wire.status('completed')).toEqual([]);
    expect(wire.status()).toEqual(['after-end']);
  });

  it('is known as a directive', () => {
    const wire = new Wire();
    wire.instruct(directive([{ hold: true }]));
    expect(wire.session.active?.directive).toEqual({ ok: true, value: [{ hold: true }] });
  });

  it.each([
    [0, []],
    [0.45, []],
    [1, []],
    [45, ['progress-range']],
    [-0.1, ['progress-range']],
    ['0.5', ['progress-range']],
    [null, ['progress-range']],
  ])('has progress from 0 to 1 (TOON-36): %j', (progress, codes) => {
    const wire = working();
    expect(wire.status('working', { progress })).toEqual(codes);
    expect(wire.session.active?.progress).toBe(codes.length === 0 ? progress : undefined);
  });
});

describe('progress', () => {
  it('does not fall within an instruction, and begins again with the next (TOON-36)', () => {
    const wire = working();
    const codes = [0.5, 0.5, undefined, 0.4, 0.9].map((progress) =>
      wire.status('working', progress === undefined ? {} : { progress }),
    );
    expect(codes).toEqual([[], [], [], ['progress-falls'], []]);
    wire.status('completed');
    wire.instruct('next');
    expect(wire.status('working', { progress: 0.1 })).toEqual([]);
  });
});

describe('a connection', () => {
  it('that is over carries nothing', () => {
    const wire = working();
    expect(wire.end()).toEqual([]);
    expect(wire.status()).toEqual(['closed']);
    expect(wire.bad('subagent')).toEqual(['closed']);
    expect(wire.end()).toEqual(['closed']);
  });
});
