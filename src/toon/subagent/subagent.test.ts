/** The reference subagent: "Session" and "The directive grammar" of spec/toon/README.md, step by step. */
import { describe, expect, it } from 'vitest';
import { maxRemembered } from '../machine/machine.ts';
import { subagentStage, todo } from '../connection/stage.test-helper.ts';
import type { ToonStage } from '../connection/stage.test-helper.ts';
import { messageOf } from '../machine/machine.test-helper.ts';
import type { SubagentWork } from './steps.ts';

type Stage = ToonStage<SubagentWork>;

/** A subagent that is told to do this. */
const told = (...steps: readonly object[]): Stage => subagentStage().say('INSTRUCTION', todo(...steps));

const completed = 'STATUS completed 1';

describe('an instruction', () => {
  it('that is no directive is analyzed and completed', () => {
    const stage = subagentStage().say('INSTRUCTION', { instruction: 'Write unit tests' });
    expect(stage.did()).toEqual(['STATUS analyzing 0.1', completed]);
  });

  it('that asks for nothing is completed', () => {
    expect(told().did()).toEqual([completed]);
  });

  it('that cannot be obeyed fails, and no step of it is done (contract of directives)', () => {
    const stage = told({ say: 'a' }, { dance: true });
    expect(stage.sent().map(({ payload }) => payload)).toEqual([
      { code: 'UNSUPPORTED', message: 'unsupported: dance' },
    ]);
  });

  it('waits while another is worked on (TOON-50: each is ended, in order)', () => {
    const stage = told({ say: 'one' }, { wait_ms: 100 });
    stage
      .say('INSTRUCTION', todo({ say: 'two' }))
      .say('INSTRUCTION', todo({ fail: { code: 'X', message: 'x' } }));
    expect(stage.did()).toEqual(['STATUS one']);
    stage.pass(100);
    expect(stage.did()).toEqual([completed, 'STATUS two', completed, 'ERROR X']);
  });

  it('is one too many when too many wait: the connection is closed', () => {
    const stage = told({ hold: true });
    for (let i = 0; i < maxRemembered; i++) stage.say('INSTRUCTION', { instruction: 'x' });
    expect(stage.said()).toEqual([]);
    stage.say('INSTRUCTION', { instruction: 'x' });
    expect(stage.did()).toEqual(['(busy)', 'ERROR BUSY', 'close 8']);
  });

  it('is acted on even if its sequence id was there before: a duplicate is told (TOON-33)', () => {
    const stage = subagentStage();
    stage.say('INSTRUCTION', { instruction: 'x' }, 5).take();
    expect(stage.say('INSTRUCTION', { instruction: 'x' }, 5).did()).toEqual([
      '(duplicate)',
      'STATUS analyzing 0.1',
      completed,
    ]);
  });
});

describe('a step', () => {
  it.each([
    [{ status: { status: 'reading' } }, ['STATUS reading']],
    [{ status: { status: 'reading', progress: 0.3 } }, ['STATUS reading 0.3']],
    [{ say: 'hello', progress: 0.5 }, ['STATUS hello 0.5']],
    [{ heartbeat: true }, ['HEARTBEAT']],
  ])('%j is done at once', (step, said) => {
    expect(told(step).did()).toEqual([...said, completed]);
  });

  it('that says `completed` is the end: nothing more is sent about the instruction (TOON-50)', () => {
    expect(told({ say: 'completed' }, { say: 'more' }).did()).toEqual(['STATUS completed']);
  });

  it('fail ends the instruction with an ERROR', () => {
    const stage = told({ fail: { code: 'TOOL_FAILED', message: 'no' } }, { say: 'more' });
    expect(stage.sent().map(({ type, payload }) => [type, payload])).toEqual([
      ['ERROR', { code: 'TOOL_FAILED', message: 'no' }],
    ]);
  });

  it('wait_ms waits', () => {
    const stage = told({ wait_ms: 50 }, { say: 'after' });
    stage.pass(49);
    expect(stage.did()).toEqual([]);
    stage.pass(1);
    expect(stage.did()).toEqual(['STATUS after', completed]);
  });

  it('hold waits for ever', () => {
    const stage = subagentStage({ idle: 0 }).say('INSTRUCTION', todo({ hold: true }, { say: 'never' }));
    stage.pass(10_000_000);
    expect(new Set(stage.did())).toEqual(new Set(['HEARTBEAT']));
  });

  it.each([
    ['x', 2000, 'x'.repeat(2000)],
    ['abc', 7, 'abcabca'],
    ['é', 5, 'éé'],
    ['x', 0, ''],
  ])('pad repeats %j to %i bytes of UTF-8', (text, bytes, expected) => {
    const [status] = told({ pad: { text, bytes } }).sent();
    expect(status?.payload).toEqual({ status: 'pad', text: expected });
  });

  it('that would send more than is allowed fails', () => {
    const stage = subagentStage({ maxPayload: 1000 });
    stage.say('INSTRUCTION', todo({ pad: { text: 'x', bytes: 1000 } }));
    expect(stage.said()).toEqual(['ERROR TOO_LARGE']);
  });

  it('of very many is done, with turns for others between', () => {
    const stage = subagentStage();
    const message = messageOf('INSTRUCTION', todo(...Array.from({ length: 1000 }, () => ({ say: 'x' }))));
    stage.give({ type: 'message', peer: 's1', message });
    expect(stage.said()).toHaveLength(64);
    stage.pass(0);
    expect(stage.said()).toHaveLength(1001 - 64);
  });
});

describe('a call', () => {
  it('waits for its result', () => {
    const stage = told({ tool: { name: 'file_read', args: { path: 'x' } } });
    expect(stage.sent().map(({ payload }) => payload)).toEqual([
      { toolName: 'file_read', args: { path: 'x' } },
    ]);
    stage.pass(1000);
    expect(stage.did()).toEqual([]);
    expect(stage.say('TOOL_RESULT', { success: true, data: 1, duration: 12 }).did()).toEqual([completed]);
  });

  it('goes on after a result that says no, too', () => {
    const stage = told({ tool: { name: 'x' } });
    stage.take();
    expect(stage.say('TOOL_RESULT', { success: false, error: 'no' }).did()).toEqual([completed]);
  });

  it('of several is made at once, and reported in the order of the calls', () => {
    const stage = told({
      tools: [{ name: 'a', requestId: 'qa' }, { name: 'b', requestId: 'qb' }, { name: 'c' }],
    });
    expect(stage.did()).toEqual(['CALL a #qa', 'CALL b #qb', 'CALL c']);
    stage.say('TOOL_RESULT', { success: true, data: 'B', requestId: 'qb' });
    stage.say('TOOL_RESULT', { success: true, data: 'A' });
    expect(stage.did()).toEqual([]);
    stage.say('TOOL_RESULT', { success: false });
    expect(stage.sent()[0]?.payload).toEqual({ status: 'results', results: ['A', 'B', null] });
  });

  it('is not answered by what answers nothing, which is told (TOON-53)', () => {
    const stage = told({ tool: { name: 'a' } });
    stage.take();
    expect(stage.say('CONTEXT_RESPONSE').did()).toEqual(['(nothing-asked)']);
    expect(stage.say('TOOL_RESULT', { success: true }).did()).toEqual([completed]);
    expect(stage.say('TOOL_RESULT', { success: true }).did()).toEqual(['(nothing-asked)']);
  });

  it('is given up when an ERROR came, and no answer for long after it', () => {
    const stage = subagentStage({ idle: 1000, heartbeat: 0 }).say(
      'INSTRUCTION',
      todo({ tool: { name: 'a' } }),
    );
    stage.take();
    stage.say('ERROR', { code: 'BAD_FRAME', message: 'what was that?' });
    for (let i = 0; i < 4; i++) {
      stage.pass(240);
      stage.say('HEARTBEAT');
    }
    expect(stage.did()).toEqual(['(error)']);
    stage.pass(40);
    expect(stage.did()).toEqual(['ERROR NO_ANSWER']);
    expect(stage.say('TOOL_RESULT', { success: true }).did(), 'an answer that comes late').toEqual([]);
  });

  it('that was given up does not take the answer of a later one from it (TOON-40)', () => {
    const stage = subagentStage({ idle: 1000 }).say('INSTRUCTION', todo({ tool: { name: 'a' } }));
    stage.say('INSTRUCTION', todo({ tool: { name: 'b' } }));
    stage.say('ERROR', { message: 'x' }).pass(600);
    stage.say('HEARTBEAT').pass(600);
    expect(stage.said()).toEqual(['CALL a', 'ERROR NO_ANSWER', 'CALL b']);
    expect(stage.say('TOOL_RESULT', { success: true }).did(), 'of a').toEqual([]);
    expect(stage.say('TOOL_RESULT', { success: true }).did(), 'of b').toEqual([completed]);
  });

  it('is not given up when the answer comes after the ERROR', () => {
    const stage = subagentStage({ idle: 1000 }).say(
      'INSTRUCTION',
      todo({ tool: { name: 'a' } }, { hold: true }),
    );
    stage
      .say('ERROR', { code: 'BAD_FRAME', message: 'what was that?' })
      .say('TOOL_RESULT', { success: true });
    stage.take();
    stage.pass(999);
    stage.say('HEARTBEAT').pass(100);
    expect(stage.said()).toEqual([]);
  });
});

describe('a question', () => {
  it('waits for its response', () => {
    const stage = told({ context: { type: 'file', path: 'src/config.ts' } });
    expect(stage.sent().map(({ type, payload }) => [type, payload])).toEqual([
      ['CONTEXT_REQUEST', { type: 'file', path: 'src/config.ts' }],
    ]);
    expect(stage.say('CONTEXT_RESPONSE', { content: 'x' }).did()).toEqual([completed]);
  });
});

describe('work', () => {
  it('goes on after a bad frame in its midst (TOON-41)', () => {
    const stage = told({ tool: { name: 'a' } });
    stage.take();
    expect(stage.garble().said()).toEqual(['ERROR BAD_FRAME']);
    expect(stage.say('TOOL_RESULT', { success: true }).did()).toEqual([completed]);
  });

  it('is not begun by a bad frame, nor by an instruction without its text', () => {
    expect(subagentStage().garble().said()).toEqual(['ERROR BAD_FRAME']);
    expect(subagentStage().say('INSTRUCTION', { task: 'x' }).said()).toEqual(['ERROR BAD_FRAME']);
  });

  it('is dropped with its connection, and not gone on with on another', () => {
    const stage = told({ say: 'a' }, { wait_ms: 100 }, { say: 'b' });
    stage.say('INSTRUCTION', { instruction: 'x' }).take();
    expect(stage.link('left').did()).toEqual(['(dropped)']);
    stage.give({ type: 'opened', peer: 's2', metadata: {} });
    stage.pass(200);
    expect(stage.did()).toEqual([]);
  });

  it('holds back while the carrier is full', () => {
    const stage = told({ wait_ms: 10 }, { say: 'a' }, { say: 'b' });
    stage.link('full').pass(10);
    expect(stage.did()).toEqual([]);
    expect(stage.link('drained').did()).toEqual(['STATUS a', 'STATUS b', completed]);
  });

  it('that holds is not set going by a carrier that has room again', () => {
    const stage = told({ hold: true }, { say: 'never' });
    expect(stage.link('full').link('drained').did()).toEqual([]);
  });

  it('is finished after the other side’s last message, if it can be; then the connection is closed', () => {
    const stage = told({ wait_ms: 40_000 }, { say: 'a' });
    stage.say('INSTRUCTION', { instruction: 'x' }).link('half_close');
    expect(stage.said()).toEqual([]);
    stage.pass(40_000);
    const said = stage.said().filter((words) => words !== 'HEARTBEAT');
    expect(said).toEqual(['STATUS a', completed, 'STATUS analyzing 0.1', completed, 'close 0']);
  });

  it.each([[{ tool: { name: 'a' } }], [{ hold: true }]])(
    'is dropped after the other side’s last message if it needs another: %j',
    (step) => {
      const stage = told(step);
      stage.take();
      expect(stage.link('half_close').did()).toEqual(['(dropped)', 'close 0']);
    },
  );

  it('that is not there is not waited for: the connection is closed after the other side’s last message', () => {
    expect(subagentStage().link('half_close').did()).toEqual(['close 0']);
  });
});
