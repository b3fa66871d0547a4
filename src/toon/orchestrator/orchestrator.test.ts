/** The reference orchestrator: "Session" of spec/toon/README.md, instruction by instruction. */
import { describe, expect, it } from 'vitest';
import { callOf, completion, givenStage, orchestratorStage } from '../connection/stage.test-helper.ts';
import { command } from '../../kit/base/role-stage.test-helper.ts';
import type { Draft, ScriptedCommand } from '../messages.ts';

describe('instructions', () => {
  it('are given one by one: the next after completed or ERROR; then the connection is closed', () => {
    const stage = orchestratorStage({ instructions: ['one', 'two', 'three'] });
    expect(stage.did()).toEqual(['INSTRUCTION one']);
    expect(stage.say('STATUS', { status: 'analyzing', progress: 0.45 }).did()).toEqual([]);
    expect(stage.say('STATUS', completion).did()).toEqual(['(completed)', 'INSTRUCTION two']);
    expect(stage.say('ERROR', { message: 'no' }).did()).toEqual(['(error)', '(failed)', 'INSTRUCTION three']);
    expect(stage.say('STATUS', completion).did()).toEqual(['(completed)', '(done)', 'close 0']);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('may be none', () => {
    expect(orchestratorStage().did()).toEqual(['(done)', 'close 0']);
  });

  it('that are all done leave the connection open, if it is to stay', () => {
    const stage = givenStage({ stay: true });
    expect(stage.say('STATUS', completion).did()).toEqual(['(completed)', '(done)']);
    expect(stage.say('TOOL_CALL', callOf('x')).said(), 'a call is owed its answer (TOON-48)').toHaveLength(1);
  });

  it('are given to each subagent that connects', () => {
    const stage = givenStage();
    stage.give({ type: 'opened', peer: 's2', metadata: {} });
    expect(stage.did()).toEqual(['INSTRUCTION x']);
  });

  it('that are larger than is allowed fail, and are not sent', () => {
    const stage = orchestratorStage({ instructions: ['x'.repeat(2000), 'y'], maxPayload: 1000 });
    expect(stage.did()).toEqual(['(failed)', 'INSTRUCTION y']);
  });

  it('end once: a second end is no end of the next', () => {
    const stage = orchestratorStage({ instructions: ['one', 'two'], stay: true });
    stage.say('STATUS', completion).say('STATUS', completion).take();
    expect(stage.say('STATUS', completion).did()).toEqual(['(after-end)']);
  });
});

describe('a command', () => {
  const more = (text: string): { type: 'command'; command: ScriptedCommand } =>
    command<Draft>({ do: 'send', message: { type: 'INSTRUCTION', payload: { instruction: text } } });

  it('adds an instruction, which is given in its turn', () => {
    const stage = givenStage({ stay: true });
    stage.give(more('two'));
    expect(stage.did()).toEqual([]);
    expect(stage.say('STATUS', completion).did()).toEqual(['(completed)', 'INSTRUCTION two']);
    expect(stage.say('STATUS', completion).did()).toEqual(['(completed)', '(done)']);
    stage.give(more('three'));
    expect(stage.did()).toEqual(['INSTRUCTION three']);
  });

  it('adds it to those of every subagent that is there', () => {
    const stage = orchestratorStage({ stay: true });
    stage.give({ type: 'opened', peer: 's2', metadata: {} });
    stage.take();
    stage.give(more('x'));
    expect(stage.take().flatMap((o) => ('peer' in o ? [o.peer] : []))).toEqual(['s1', 's2']);
  });

  it('to send anything else does nothing', () => {
    const stage = givenStage({ stay: true });
    stage.give(command<Draft>({ do: 'send', message: { type: 'STATUS', payload: { status: 'x' } } }));
    stage.give(command<Draft>({ do: 'send', message: { type: 'INSTRUCTION' } }));
    stage.give(command<Draft>({ do: 'raw', bytes: new Uint8Array(3) }));
    expect(stage.say('STATUS', completion).did()).toEqual(['(completed)', '(done)']);
  });
});

describe('an ERROR that says that a message was not taken', () => {
  const refused = { code: 'BAD_FRAME', message: 'what was that?' };

  it('is not the end, if something follows it', () => {
    const stage = givenStage();
    expect(stage.say('ERROR', refused).did()).toEqual(['(error)']);
    stage.say('STATUS', { status: 'working' });
    stage.pass(29_000);
    stage.say('HEARTBEAT').pass(10_000);
    expect(stage.did()).toEqual([]);
    expect(stage.say('STATUS', completion).did()).toEqual(['(completed)', '(done)', 'close 0']);
  });

  it('was the end if nothing follows for as long as the idle limit, heartbeats or not', () => {
    const stage = orchestratorStage({ instructions: ['one', 'two'], idle: 1000, heartbeat: 0 });
    stage.say('ERROR', refused).take();
    for (let i = 0; i < 5; i++) {
      stage.pass(200);
      stage.say('HEARTBEAT');
    }
    expect(stage.did()).toEqual(['(failed)', 'INSTRUCTION two']);
    expect(stage.say('STATUS', completion).did()).toEqual(['(completed)', '(done)', 'close 0']);
  });

  it('is not followed by a second end when it was the last', () => {
    const stage = givenStage({ idle: 1000, stay: true });
    for (let i = 0; i < 3; i++) stage.say('ERROR', refused).pass(900);
    stage.say('HEARTBEAT').pass(900);
    stage.say('ERROR', refused).pass(900);
    stage.say('HEARTBEAT').pass(900);
    expect(stage.told().filter((what) => what !== 'error')).toEqual(['failed', 'done']);
  });

  it('after the last one leads to the end of the connection', () => {
    const stage = givenStage({ idle: 1000 });
    stage.say('ERROR', refused).pass(999);
    stage.say('HEARTBEAT').take();
    stage.pass(1);
    expect(stage.did()).toEqual(['(failed)', '(done)', 'close 0']);
  });
});

describe('the connection', () => {
  it('that is full is not read from either', () => {
    const stage = givenStage();
    expect(stage.link('full').did()).toEqual(['pause']);
    expect(stage.link('drained').did()).toEqual(['resume']);
  });

  it('is closed when the subagent sends nothing more', () => {
    expect(givenStage().link('half_close').did()).toEqual(['(lost)', 'close 0']);
  });

  it('is closed then once the calls that are open are answered (TOON-48)', () => {
    const stage = givenStage({ tools: { slow: { success: true, data: 1, duration: 20 } } });
    expect(stage.say('TOOL_CALL', callOf('slow')).link('half_close').did()).toEqual(['(lost)']);
    stage.pass(20);
    expect(stage.did()).toEqual(['RESULT 1', 'close 0']);
  });

  it('is closed then even if it was to stay, and gives no other instruction', () => {
    const tools = { slow: { success: true, data: 1, duration: 2000 } };
    const stage = givenStage({ instructions: ['x', 'y'], tools, stay: true, idle: 1000 });
    stage.say('TOOL_CALL', callOf('slow')).say('ERROR', { code: 'BAD_FRAME', message: 'x' });
    stage.link('half_close').take();
    stage.pass(2000);
    expect(stage.said()).toEqual(['RESULT 1', 'close 0']);
  });

  it('that breaks in the midst of an instruction is told', () => {
    expect(givenStage().link('left').did()).toEqual(['(lost)']);
    const idle = givenStage({ stay: true }).say('STATUS', completion);
    idle.take();
    expect(idle.link('left').did()).toEqual([]);
  });
});
