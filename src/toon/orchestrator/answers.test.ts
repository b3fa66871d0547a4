/** What the reference orchestrator answers to calls and questions, when, and in what order. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../kit/base/index.ts';
import { maxRemembered } from '../machine/machine.ts';
import { callOf, completion, givenStage, orchestratorStage } from '../connection/stage.test-helper.ts';
import type { ToonStage } from '../connection/stage.test-helper.ts';
import type { OrchestratorWork } from './orchestrator.ts';

const payloads = (stage: ToonStage<OrchestratorWork>): Json[] => stage.sent().map(({ payload }) => payload);

describe('a tool call (TOON-48: one result each)', () => {
  it('gets what the table has, after its duration in ms', () => {
    const stage = givenStage({ tools: { file_read: { success: true, data: 'export', duration: 12 } } });
    stage.say('TOOL_CALL', callOf('file_read'));
    stage.pass(11);
    expect(stage.did()).toEqual([]);
    stage.pass(1);
    expect(payloads(stage)).toEqual([{ success: true, data: 'export', duration: 12 }]);
  });

  it('gets what the function gives', () => {
    const tools = (name: string, args: object): { success: boolean; data: Json } => ({
      success: true,
      data: [name, { ...args }],
    });
    const stage = givenStage({ tools }).say('TOOL_CALL', callOf('x'));
    expect(payloads(stage)).toEqual([{ success: true, data: ['x', { path: 'p' }], duration: 0 }]);
  });

  it('gets back what it was made with, where there are no tools', () => {
    const stage = givenStage().say('TOOL_CALL', callOf('x'));
    expect(payloads(stage)).toEqual([
      { success: true, data: { toolName: 'x', args: { path: 'p' } }, duration: 0 },
    ]);
  });

  it.each([['nothing'], ['toString'], ['__proto__']])('of a tool that is not there fails: %s', (name) => {
    const stage = givenStage({ tools: { clock: { success: true } } }).say('TOOL_CALL', callOf(name));
    expect(payloads(stage)).toEqual([
      { success: false, error: 'there is no tool of this name', duration: 0 },
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('out of order');
      },
      'out of order',
    ],
    [
      'gives what is no JSON',
      () => ({ success: true, data: 1n as unknown as Json }),
      expect.stringMatching(/BigInt/),
    ],
    [
      'gives more bytes than are allowed',
      () => ({ success: true, data: '€'.repeat(400) }),
      expect.stringMatching(/larger/),
    ],
    [
      'gives more than is allowed',
      () => ({ success: true, data: 'x'.repeat(2000) }),
      expect.stringMatching(/larger/),
    ],
  ])('of a tool that %s fails', (_, tools, error) => {
    const stage = givenStage({ tools, maxPayload: 1000 }).say('TOOL_CALL', callOf('x'));
    expect(payloads(stage)).toEqual([{ success: false, error, duration: 0 }]);
  });

  it('gets its requestId back (TOON-40)', () => {
    const stage = givenStage().say('TOOL_CALL', callOf('x', { requestId: 'q1' }));
    expect(stage.said()[0]).toMatch(/#q1$/);
  });

  it('without a requestId is answered after those before it (TOON-40)', () => {
    const tools = {
      slow: { success: true, data: 'slow', duration: 20 },
      fast: { success: true, data: 'fast', duration: 5 },
    };
    const stage = givenStage({ tools });
    stage.say('TOOL_CALL', callOf('slow')).say('TOOL_CALL', callOf('fast'));
    stage.say('TOOL_CALL', callOf('fast', { requestId: 'q' }));
    stage.pass(10);
    expect(stage.did()).toEqual(['RESULT "fast" #q']);
    stage.pass(10);
    expect(stage.did()).toEqual(['RESULT "slow"', 'RESULT "fast"']);
  });

  it('of a tool that is held is never answered', () => {
    const stage = givenStage({ hold: ['dead'], idle: 0 });
    stage.say('TOOL_CALL', callOf('dead')).say('TOOL_CALL', callOf('x', { requestId: 'q' }));
    stage.pass(1_000_000);
    expect(stage.said()).toEqual(['RESULT {"toolName":"x","args":{"path":"p"}} #q']);
  });

  it('without an instruction is answered, and told (TOON-52)', () => {
    const stage = orchestratorStage({ stay: true });
    stage.take();
    const [told, answer] = stage.say('TOOL_CALL', callOf('x')).did();
    expect([told, answer?.slice(0, 6)]).toEqual(['(no-instruction)', 'RESULT']);
  });

  it('in a bad frame is not answered by a result (TOON-10, 11, 35)', () => {
    const stage = givenStage();
    expect(stage.garble().say('TOOL_CALL', { toolName: 'x' }).said()).toEqual([
      'ERROR BAD_FRAME',
      'ERROR BAD_FRAME',
    ]);
  });

  it('that is being answered when the last instruction ends is answered before the connection is closed', () => {
    const stage = givenStage({ tools: { slow: { success: true, data: 1, duration: 20 } } });
    stage.say('TOOL_CALL', callOf('slow')).say('STATUS', completion);
    expect(stage.said()).toEqual([]);
    stage.pass(20);
    expect(stage.said()).toEqual(['RESULT 1', 'close 0']);
  });

  it('too many of which are open: nothing more is taken off the wire until some are answered', () => {
    const stage = givenStage({ tools: { slow: { success: true, duration: 20 } } });
    for (let i = 0; i < maxRemembered; i++) stage.say('TOOL_CALL', callOf('slow'));
    expect(stage.did()).toEqual(['pause']);
    stage.pass(20);
    const did = stage.did();
    expect(did).toHaveLength(maxRemembered + 1);
    expect(did).toContain('resume');
  });
});

describe('a subagent that is not listened to, because too many of its calls are open', () => {
  const flooded = (): ToonStage<OrchestratorWork> => {
    const stage = givenStage({ tools: { slow: { success: true, duration: 1500 } }, idle: 1000 });
    for (let i = 0; i < maxRemembered; i++) stage.say('TOOL_CALL', callOf('slow'));
    stage.take();
    return stage;
  };

  it('is not taken for silent', () => {
    const stage = flooded();
    stage.pass(1499);
    expect(stage.did()).toEqual([]);
    stage.pass(1000);
    const did = stage.did();
    expect([did.includes('resume'), did.includes('(silent)')]).toEqual([true, false]);
    stage.pass(1);
    expect(stage.did(), 'but later it may be').toEqual(['(silent)', 'close 4']);
  });

  it('is taken for dead when it takes nothing either', () => {
    const stage = flooded();
    stage.link('full').pass(1000);
    expect(stage.did()).toEqual(['(silent)', 'close 4']);
  });
});

describe('a context request (TOON-49: one response each)', () => {
  const asked = { type: 'file', path: 'src/config.ts' };

  it('gets what the table has at its path', () => {
    const stage = givenStage({ context: { 'src/config.ts': 'export' } }).say('CONTEXT_REQUEST', asked);
    expect(payloads(stage)).toEqual([{ ...asked, content: 'export' }]);
  });

  it('gets what the function gives, and its requestId back', () => {
    const stage = givenStage({ context: (type, path) => `${type} ${path}` });
    stage.say('CONTEXT_REQUEST', { ...asked, requestId: 7 });
    expect(payloads(stage)).toEqual([{ ...asked, requestId: 7, content: 'file src/config.ts' }]);
  });

  it.each([
    ['is not there', {}],
    [
      'cannot be had',
      () => {
        throw new Error('no');
      },
    ],
    ['is larger than is allowed', { 'src/config.ts': 'x'.repeat(2000) }],
  ])('for what %s gets a response that says so', (_, context) => {
    const stage = givenStage({ context, maxPayload: 1000 }).say('CONTEXT_REQUEST', asked);
    expect(payloads(stage)).toEqual([{ ...asked, error: expect.any(String) }]);
  });

  it.each([[{}], [[1]], ['x'], [{ type: 1, path: null }]])(
    'of any payload gets a response: %j',
    (payload) => {
      expect(givenStage().say('CONTEXT_REQUEST', payload).said()).toHaveLength(1);
    },
  );
});
