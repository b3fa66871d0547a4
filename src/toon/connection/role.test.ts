/** What both reference roles do on a connection, whatever their side: "Session" and the TOON rows of spec/toon/README.md. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Role, RoleOutput } from '../../kit/base/index.ts';
import { replayableRole, totalRole } from '../../kit/laws/index.ts';
import { inShort, orchestratorStage, subagentStage, todo } from './stage.test-helper.ts';
import type { ToonStage } from './stage.test-helper.ts';
import { inputsFrom } from '../machine/machine.test-helper.ts';
import type { Side, ToonMessage, ScriptedCommand } from '../messages.ts';
import { orchestrator } from '../orchestrator/orchestrator.ts';
import { subagent } from '../subagent/subagent.ts';

const runs = { seed: 7, numRuns: 400 };

type AnyRole = Role<unknown, ToonMessage, ToonMessage, ScriptedCommand>;

const tools = { a: { success: true, data: 1, duration: 30 }, b: { success: false, error: 'no' } };
const instructions = ['one', 'two', 'three'];
const roles = [
  ['a subagent', subagent({ idle: 2000, heartbeat: 700 }), inputsFrom('orchestrator')],
  [
    'an orchestrator',
    orchestrator({ instructions, tools, stay: true, idle: 2000, heartbeat: 700 }),
    inputsFrom('subagent'),
  ],
  [
    'an orchestrator that leaves',
    orchestrator({ instructions, hold: ['a'], heartbeat: 700 }),
    inputsFrom('subagent'),
  ],
] as const;

describe('the laws of roles', () => {
  it.each(roles)('hold for %s', (_, role, inputs) => {
    fc.assert(replayableRole(role as AnyRole, inputs), runs);
    fc.assert(totalRole(role as AnyRole, inputs), runs);
  });

  it.each(roles)('let %s do nothing on a link that is closed', (_, role, inputs) => {
    fc.assert(
      fc.property(inputs, (all) => {
        let state: unknown = role.start();
        const open = new Set<string>();
        for (const { input, now } of all) {
          if (input.type === 'opened') open.add(input.peer);
          const stepped = (role as AnyRole).step(state, input, now);
          state = stepped.state;
          for (const output of stepped.outputs) {
            if (!('peer' in output)) continue;
            expect(open).toContain(output.peer);
            if (output.type === 'close') open.delete(output.peer);
          }
          if (input.type === 'left') open.delete(input.peer);
        }
      }),
      runs,
    );
  });

  it.each(roles)('are shown on much that %s may do', (_, role, inputs) => {
    const seen = new Set<string>();
    for (const all of fc.sample(inputs, runs)) {
      let state: unknown = role.start();
      for (const { input, now } of all) {
        const stepped = (role as AnyRole).step(state, input, now);
        state = stepped.state;
        for (const output of stepped.outputs) seen.add(inShort(output).split(' ')[0] ?? '');
      }
    }
    const common = [
      'ERROR',
      'HEARTBEAT',
      'close',
      '(bad-frame)',
      '(wrong-direction)',
      '(duplicate)',
      '(gap)',
    ];
    const own =
      role.name === 'toon/subagent' ? ['STATUS', 'CALL', 'ASK'] : ['INSTRUCTION', 'RESULT', 'CONTEXT'];
    expect([...common, ...own].filter((what) => !seen.has(what))).toEqual([]);
  });
});

/** Each role with a connection on which it will stay, and what was said so far forgotten. */
const both: readonly (readonly [Side, (options?: object) => ToonStage<unknown>])[] = [
  ['subagent', (options = {}) => quiet(subagentStage(options) as ToonStage<never>)],
  [
    'orchestrator',
    (options = {}) => quiet(orchestratorStage({ instructions: ['x'], ...options }) as ToonStage<never>),
  ],
];

function quiet(stage: ToonStage<never>): ToonStage<unknown> {
  stage.take();
  return stage;
}

describe.each(both)('the reference %s', (side, stageOf) => {
  const wrong = side === 'subagent' ? 'STATUS' : 'INSTRUCTION';
  const wrongPayload = { status: 'completed', instruction: 'x' };

  it('answers messages of the wrong direction, and does not act on them (TOON-34)', () => {
    const stage = stageOf();
    expect(stage.say(wrong, wrongPayload).did()).toEqual(['(wrong-direction)', 'ERROR WRONG_DIRECTION']);
  });

  it('answers bad frames, and goes on (TOON-41, 39)', () => {
    const stage = stageOf();
    for (const code of ['bad-json', 'bad-version', 'bad-type', 'truncated']) stage.garble(code);
    expect(stage.said()).toEqual(Array.from({ length: 4 }, () => 'ERROR BAD_FRAME'));
    expect(stage.state.open.size).toBe(1);
  });

  it('answers a frame over the cap, and closes (TOON-39)', () => {
    expect(stageOf().garble('too-large').said()).toEqual(['ERROR BAD_FRAME', 'close 8']);
  });

  it('does not answer heartbeats', () => {
    expect(stageOf().say('HEARTBEAT').did()).toEqual([]);
    expect(stageOf().say('HEARTBEAT', { mood: 'good' }).did(), 'with keys that nobody knows').toEqual([]);
  });

  it('never answers an ERROR: two of them would never stop', () => {
    expect(stageOf().say('ERROR', { code: 'BAD_FRAME', message: 'x' }).said()).toEqual([]);
  });

  it('tells of gaps, duplicates and reordered messages, and takes them (TOON-33)', () => {
    const stage = stageOf();
    const told = [10, 11, 14, 14, 12, 15].map((id) => stage.say('HEARTBEAT', {}, id).told());
    expect(told).toEqual([[], [], ['gap'], ['duplicate'], ['reordered'], []]);
  });

  it('numbers what it sends by one, and goes on with 0 after the highest (TOON-30, 31)', () => {
    const stage = stageOf({ firstSequenceId: 4294967294 });
    for (let i = 0; i < 4; i++) stage.garble();
    const first = side === 'subagent' ? [4294967294] : [];
    const ids = stage.sent().map(({ sequenceId }) => sequenceId);
    expect(ids.slice(0, 3)).toEqual([...first, 4294967295, 0, 1].slice(0, 3));
  });

  it('stamps what it sends with Unix milliseconds', () => {
    const stage = stageOf({ epoch: 1700000000000 });
    stage.pass(12.7);
    expect(stage.garble().sent()[0]?.timestamp).toBe('1700000000012');
  });

  it('leaves compression to the codec, unless told', () => {
    expect(stageOf().garble().sent()[0]).not.toHaveProperty('compress');
    expect(stageOf({ compress: false }).garble().sent()[0]).toHaveProperty('compress', false);
  });

  it('closes when nothing came for as long as the idle limit, by default 30 s', () => {
    const stage = stageOf({ heartbeat: 0 });
    stage.pass(29_999);
    expect(stage.did()).toEqual([]);
    stage.pass(1);
    expect(stage.did()).toEqual(['(silent)', 'close 4']);
    expect(stage.nextTimer(), 'and leaves no timer').toBeUndefined();
  });

  it.each([
    ['a heartbeat', (stage: ToonStage<unknown>) => stage.say('HEARTBEAT')],
    ['a bad frame', (stage: ToonStage<unknown>) => stage.garble()],
  ])('takes %s as a sign of life', (_, sign) => {
    const stage = stageOf({ heartbeat: 0, idle: 1000 });
    stage.pass(900);
    sign(stage);
    stage.take();
    stage.pass(999);
    expect(stage.did()).toEqual([]);
    stage.pass(1);
    expect(stage.did()).toEqual(['(silent)', 'close 4']);
  });

  it('comes to an end of waiting, whatever fractions of a millisecond its clock has', () => {
    for (let i = 1; i < 1000; i++) {
      const stage = stageOf({ heartbeat: 300, idle: 1000 });
      stage.pass((i * 0.137) % 5);
      stage.give({ type: 'opened', peer: 's1', metadata: {} });
      stage.pass((i * 7.131) % 100);
      stage.say('HEARTBEAT');
      for (let fired = 0; fired < 20 && stage.state.open.size > 0; fired++) stage.fire(2000);
      expect(stage.state.open.size).toBe(0);
    }
  });

  it('never takes a peer for dead with an idle limit of 0', () => {
    const stage = stageOf({ heartbeat: 0, idle: 0 });
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('sends `{}` as heartbeat where it had nothing to say for a while (TOON-47)', () => {
    const stage = stageOf({ heartbeat: 100, idle: 0 });
    stage.pass(60);
    stage.garble();
    stage.take();
    stage.pass(99);
    expect(stage.did()).toEqual([]);
    stage.pass(101);
    expect(stage.sent().map(({ type, payload }) => [type, payload])).toEqual([
      ['HEARTBEAT', {}],
      ['HEARTBEAT', {}],
    ]);
  });

  it('says nothing to who reads nothing', () => {
    const stage = stageOf({ heartbeat: 100 });
    stage.link('full');
    for (let i = 0; i < 100; i++) stage.garble();
    stage.pass(1000);
    expect(stage.sent()).toEqual([]);
    stage.link('drained').garble();
    expect(stage.said()).toContain('ERROR BAD_FRAME');
  });

  it('takes a payload that its type does not allow for a bad frame (TOON-35)', () => {
    const type = side === 'subagent' ? 'INSTRUCTION' : 'TOOL_CALL';
    expect(stageOf().say(type, { args: {} }).did()).toEqual(['(bad-payload)', 'ERROR BAD_FRAME']);
  });

  it('forgets a connection that is lost, with its timers', () => {
    const stage = stageOf();
    stage.link('left');
    expect(stage.state.open.size).toBe(0);
    expect(stage.nextTimer()).toBeUndefined();
    expect(stage.said()).toEqual([]);
  });

  it('closes all its connections when it is told to stop', () => {
    const stage = stageOf();
    stage.give({ type: 'opened', peer: 's2', metadata: {} });
    stage.take();
    stage.give({ type: 'command', command: { do: 'shutdown' } });
    expect(stage.did()).toEqual(['close 0', 'close 0']);
    expect(stage.state.open.size).toBe(0);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('says nothing on a link that it does not know', () => {
    const stage = stageOf();
    stage.give({ type: 'undecodable', peer: 'other', reason: 'x' });
    stage.give({ type: 'left', peer: 'other' });
    stage.give({ type: 'timer', id: 'idle:other' });
    stage.give({ type: 'timer', id: 'idle' });
    expect(stage.did()).toEqual([]);
  });

  it('treats each connection by itself', () => {
    const stage = stageOf();
    stage.give({ type: 'opened', peer: 's2', metadata: {} });
    stage.take();
    stage.say('HEARTBEAT', {}, 50);
    stage.give({ type: 'undecodable', peer: 's2', reason: 'x' });
    const to = stage.take().flatMap((o: RoleOutput<ToonMessage>) => (o.type === 'send' ? [o.peer] : []));
    expect(to).toEqual(['s2']);
    stage.link('left');
    expect([...stage.state.open.keys()]).toEqual(['s2']);
  });

  it('does nothing at a timer that it has stopped', () => {
    const stage = stageOf({ idle: 0, heartbeat: 0 });
    if (side === 'subagent') stage.say('INSTRUCTION', todo({ hold: true }));
    for (const name of ['idle', 'heartbeat', 'turn', 'time', 'doubt', 'call-1'])
      stage.give({ type: 'timer', id: `${name}:s1` });
    expect(stage.did()).toEqual([]);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('begins anew on a link that opens again under the same name', () => {
    const stage = stageOf({ firstSequenceId: 7 });
    stage.garble();
    stage.take();
    stage.give({ type: 'opened', peer: 's1', metadata: {} });
    stage.garble();
    expect(stage.sent()[0]?.sequenceId).toBe(7);
  });
});

it('a link that opens again under the same name has none of the timers that were', () => {
  const stage = subagentStage({ idle: 0, heartbeat: 0 }).say('INSTRUCTION', todo({ wait_ms: 10 }));
  expect(stage.nextTimer()).toBe(10);
  stage.give({ type: 'opened', peer: 's1', metadata: {} });
  expect(stage.nextTimer()).toBeUndefined();
});

it('two reference roles that misread each other do not talk for ever', () => {
  const agent = subagentStage();
  agent.say('INSTRUCTION', todo({ hold: true })).take();
  agent.say('STATUS', { status: 'x' });
  const boss = orchestratorStage({ instructions: ['x'] });
  boss.take();
  for (const m of agent.sent()) boss.say(m.type, m.payload);
  expect(boss.said()).toEqual([]);
});
