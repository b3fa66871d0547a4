/**
 * Injections of each priority at each point (fold.md, FOLD-A40 to A43; issue 17, "Injection": "IMMEDIATE stands in a model
 * request of its own Fold request, NORMAL in the next model request after its ack, DEFERRED in none of this Fold request
 * and in the first of the next; once in each history from there on, never twice, none lost; a rejected one in none").
 */
import { describe, expect, it } from 'vitest';
import { dialects, script } from '../llm/index.ts';
import type { ScriptBuilder } from '../llm/index.ts';
import { AgentWorld } from './world.test-helper.ts';
import type { WorldOptions } from './world.test-helper.ts';

const note = 'NOTE-7';

/** A point of a request at which an injection comes. The request makes a second model request only where `again`. */
interface Point {
  readonly name: string;
  readonly again: boolean;
  readonly script: () => ScriptBuilder;
  readonly options?: WorldOptions;
  readonly reach: (world: AgentWorld) => void;
  readonly leave?: (world: AgentWorld) => void;
}

const waits = (): ScriptBuilder =>
  script().text('I wait.').toolCall('wait', { ms: 500 }).turn().text('Waited.');

const points: readonly Point[] = [
  {
    name: 'before the first token',
    again: false,
    script: () => script().barrier('b').text('Hello.'),
    reach: (world) => world.untilAsked(1),
    leave: (world) => world.release('b'),
  },
  {
    name: 'during a stream',
    again: false,
    script: () => script().text('Hello. There.').barrier('b', { char: 6 }),
    reach: (world) => world.untilSaid('r', 'Hello.'),
    leave: (world) => world.release('b'),
  },
  {
    name: 'during a stream that calls a tool',
    again: true,
    script: () =>
      script().text('Hello.').barrier('b', { char: 3 }).toolCall('echo', { text: 'x' }).turn().text('Done.'),
    reach: (world) => world.untilSaid('r', 'Hel'),
    leave: (world) => world.release('b'),
  },
  { name: 'while a tool runs', again: true, script: waits, reach: (world) => world.until('r running') },
  {
    name: 'during an approval',
    again: true,
    script: waits,
    options: { gated: ['wait'] },
    reach: (world) => world.until('r awaiting_approval'),
    leave: (world) => world.decide(true),
  },
  {
    name: 'before another attempt',
    again: true,
    script: () =>
      script()
        .error({ type: 'overloaded', message: 'busy', status: 529, retryAfter: '3s' })
        .turn()
        .text('Here.'),
    reach: (world) => {
      world.untilAsked(1);
      world.pass(50);
    },
  },
];

/** Plays a request with an injection in it, then the next request of its thread. Returns the model requests of each. */
function play(
  point: Point,
  priority: 'IMMEDIATE' | 'NORMAL' | 'DEFERRED',
  dialect: (typeof dialects)[number],
) {
  const more = point.script().turn().text('Heard.').times('always');
  const world = new AgentWorld(more, { dialect, ...point.options });
  world.send('r', 'First', { thread_id: 't' });
  point.reach(world);
  const before = world.asked.length;
  world.inject('i', note, priority);
  point.leave?.(world);
  world.pass(20_000);
  const ofFirst = world.asked.length;
  expect(world.told('r').at(-1)).toMatch(/^r done /);
  world.send('s', 'Second', { thread_id: 't' });
  world.pass(5000);
  world.send('u', 'Third', { thread_id: 't' });
  world.pass(5000);
  expect(world.faults()).toEqual([]);
  const places = world.asked.map((_, n) => world.times(note, n));
  return { world, before, ofFirst, places };
}

describe.each(dialects)('with %s', (dialect) => {
  it.each(points)('an IMMEDIATE one $name reaches the model within its request', (point) => {
    const { before, ofFirst, places } = play(point, 'IMMEDIATE', dialect);
    expect(ofFirst).toBe(before + 1);
    expect(places).toEqual(places.map((_, n) => (n < before ? 0 : 1)));
  });

  it.each(points)('a NORMAL one $name reaches the model in its next request', (point) => {
    const { before, ofFirst, places } = play(point, 'NORMAL', dialect);
    expect(ofFirst).toBe(point.again ? before + 1 : before);
    expect(places).toEqual(places.map((_, n) => (n < before ? 0 : 1)));
  });

  it.each(points)('a DEFERRED one $name reaches the model in the first request of the next', (point) => {
    const { ofFirst, places } = play(point, 'DEFERRED', dialect);
    expect(places).toEqual(places.map((_, n) => (n < ofFirst ? 0 : 1)));
  });
});

describe.each(['IMMEDIATE', 'NORMAL', 'DEFERRED'] as const)('a %s injection', (priority) => {
  it('with nothing running starts no request (FOLD-A43), and is kept for the next', () => {
    const world = new AgentWorld(script().text('Yes.').times('always'));
    world.inject('i', note, priority);
    world.pass(5000);
    expect(world.askedBelow()).toBe(0);
    world.send('r', 'Well?', { thread_id: 't' });
    world.pass(1000);
    expect(world.messages(0)).toEqual([`user ${note}\n\nWell?`]);
    world.send('s', 'And?', { thread_id: 't' });
    world.pass(1000);
    expect(world.times(note, 1)).toBe(1);
  });

  // Decision 9: "Repeated injection_id: ack again, apply once"
  it('whose id comes again is acknowledged again, and stands once', () => {
    const world = new AgentWorld(waits());
    world.send('r');
    world.until('r running');
    world.inject('i', note, priority);
    world.inject('i', note, priority);
    world.pass(5000);
    world.send('s');
    world.pass(5000);
    expect(world.told().filter((line) => line === 'accept i')).toHaveLength(2);
    expect(
      world.asked
        .map((_, n) => world.times(note, n))
        .toSorted()
        .at(-1),
    ).toBe(1);
  });

  it.each(['cancel', 'error'])('that was not placed when its request ended by %s is not lost', (end) => {
    const failing = script()
      .text('Hello.')
      .barrier('b', { char: 3 })
      .error({ type: 'server', message: 'broken' });
    const world = new AgentWorld(failing.turn().text('Yes.'));
    world.send('r', 'First', { thread_id: 't' });
    world.untilSaid('r', 'Hel');
    world.inject('i', note, priority);
    if (end === 'cancel') world.cancel('r');
    else world.release('b');
    world.pass(2000);
    expect(world.told('r').at(-1)).toMatch(end === 'cancel' ? /cancelled/ : /error/);
    expect(world.times(note, 0)).toBe(0);
    world.send('s', 'Second', { thread_id: 't' });
    world.pass(1000);
    expect(world.times(note, 1)).toBe(1);
  });
});

it('belongs to the request that started first', () => {
  const world = new AgentWorld(
    script({ conversations: 'one' })
      .toolCall('wait', { ms: 5000 })
      .turn()
      .toolCall('wait', { ms: 100 })
      .turn()
      .text('B.')
      .turn()
      .text('A.'),
  );
  world.send('a', 'I am a');
  world.untilAsked(1);
  world.send('b', 'I am b');
  world.untilAsked(2);
  world.inject('i', note, 'IMMEDIATE');
  world.pass(20_000);
  expect(world.told('b').at(-1)).toBe('b done B.');
  const places = world.asked.flatMap(({ messages }, n) =>
    world.times(note, n) > 0 ? [messages[0]?.content] : [],
  );
  expect(places).toEqual(['I am a']);
});

it('a DEFERRED one waits while its request runs, also for a request that starts meanwhile', () => {
  const world = new AgentWorld(
    script({ conversations: 'one' }).toolCall('wait', { ms: 5000 }).turn().text('Short.').times('always'),
  );
  world.send('a', 'I am a');
  world.until('a running');
  world.inject('i', note, 'DEFERRED');
  world.send('b', 'I am b');
  world.until('b done Short.');
  world.until('a done Short.');
  expect(world.asked.map((_, n) => world.times(note, n))).toEqual([0, 0, 0]);
  world.send('c', 'I am c');
  world.until('c done Short.');
  expect(world.messages(3)).toEqual([`user ${note}\n\nI am c`]);
});

// FOLD-A41, and section 3: "Agent may reject injection (e.g., context too large, invalid format)."
it('that does not fit the window is rejected with its reason, and reaches no model', () => {
  const world = new AgentWorld(script().text('Yes.').times('always'), { window: 2000 });
  world.tell({ inject_context: { injection_id: 'i', content: `${note} ${'x'.repeat(9000)}` } });
  world.until('reject i context too large');
  world.send('r');
  world.pass(1000);
  expect(world.times(note, 0)).toBe(0);
  expect(world.told('r').at(-1)).toBe('r done Yes.');
});

// The calls of a turn and their results are never pruned (TOK-27, TOK-28), so that a large injection would end the request.
it('that does not fit beside the turn that runs is rejected, and the request goes on; DEFERRED, it is taken', () => {
  const world = new AgentWorld(waits().turn().text('Yes.').times('always'), { window: 2000 });
  world.send('r', 'x'.repeat(3200), { thread_id: 't' });
  world.until('r running');
  const content = `${note} ${'y'.repeat(3200)}`;
  const injection = { injection_id: 'i', content, priority: 'INJECTION_PRIORITY_IMMEDIATE' } as const;
  world.tell({ inject_context: injection });
  world.until('reject i context too large');
  const later = 'INJECTION_PRIORITY_DEFERRED' as const;
  world.tell({ inject_context: { ...injection, injection_id: 'j', priority: later } });
  world.until('accept j');
  world.until('r done I wait.Waited.');
  world.send('s', 'Next', { thread_id: 'u' });
  world.until('s done Yes.');
  expect(world.asked.map((_, n) => world.times(note, n))).toEqual([0, 0, 1]);
});

it('IMMEDIATE ones without end do not keep a request alive for ever', () => {
  const world = new AgentWorld(script().text('Yes.').barrier('b', { char: 1 }).times('always'));
  world.send('r');
  for (let i = 0; i < 40 && !world.told().some((line) => line.startsWith('r done')); i++) {
    world.pass(30);
    world.inject(`i${i}`, `note ${i}`, 'IMMEDIATE');
    world.release('b');
  }
  world.pass(1000);
  expect(world.told('r').at(-1)).toMatch(/^r done/);
  expect(world.askedBelow()).toBeLessThanOrEqual(17);
});
