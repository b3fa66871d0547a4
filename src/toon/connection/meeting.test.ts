/**
 * The two reference roles on the simulated network, through the codec and its framing: sessions as tables of what
 * crosses ("Session" of spec/toon/README.md), and what must hold of any session.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directive, parseDirective } from '../directive.ts';
import { anyStep } from '../machine/machine.test-helper.ts';
import { orchestrator } from '../orchestrator/orchestrator.ts';
import { completed, notJson, sessions, todo } from './meeting-sessions.test-helper.ts';
import type { Session } from './meeting-sessions.test-helper.ts';
import { Meeting } from './meeting.test-helper.ts';
import { scriptedOrchestrator, scriptedSubagent } from '../simulated/peer.ts';
import type { ScriptedCommand } from '../messages.ts';
import { subagent } from '../subagent/subagent.ts';

const meet = ({ orchestrator: o, subagent: s = {}, tamper }: Omit<Session, 'crosses'>): Meeting =>
  new Meeting({
    orchestrator: orchestrator(o),
    subagent: subagent(s),
    ...(tamper === undefined ? {} : { tamper }),
  });

describe('a session', () => {
  it.each(Object.entries(sessions))('of %s', (_, session) => {
    const meeting = meet(session);
    const crossed = meeting.run().map((words) => words.replace(/^> INSTRUCTION.*/s, '> INSTRUCTION'));
    expect(crossed).toEqual(session.crosses);
    expect(meeting.violations).toEqual([]);
    meeting.clock.run(() => false);
    for (const side of ['orchestrator', 'subagent'] as const)
      if (session.told?.[side] !== undefined) expect(meeting.told[side], side).toEqual(session.told[side]);
  });

  it('goes over the end of the sequence ids on both sides (TOON-31)', () => {
    const firstSequenceId = 4294967294;
    const meeting = meet({
      orchestrator: { instructions: ['a', 'b', 'c'], firstSequenceId },
      subagent: { firstSequenceId },
    });
    expect(meeting.run()).toHaveLength(10);
    expect(meeting.violations).toEqual([]);
    expect(meeting.told).toEqual({
      orchestrator: ['completed', 'completed', 'completed', 'done'],
      subagent: [],
    });
  });

  it('leaves nothing to be waited for', () => {
    const meeting = meet({ orchestrator: { instructions: ['a', todo({ wait_ms: 10 })] } });
    meeting.run();
    const end = meeting.clock.now();
    meeting.clock.run(() => false);
    expect(meeting.clock.now()).toBe(end);
  });
});

describe('any session', () => {
  const steps = fc.array(
    anyStep.filter((step) => !('hold' in step)),
    { maxLength: 5 },
  );
  const options = fc.record({
    instructions: fc.array(fc.oneof(steps.map(directive), fc.constantFrom('x', todo({ dance: 1 }))), {
      maxLength: 4,
    }),
    firstSequenceId: fc.constantFrom(1, 0xff_ff_ff_fd),
  });

  it('comes to its end in good order, at whatever cuts and delays', () => {
    fc.assert(
      fc.property(options, fc.integer({ min: 1, max: 40 }), fc.nat(), (o, size, seed) => {
        const { firstSequenceId } = o;
        const meeting = new Meeting({
          orchestrator: orchestrator({
            ...o,
            tools: { a: { success: true, duration: 7 } },
          }),
          subagent: subagent({ firstSequenceId }),
          tamper: (_, __, bytes) => pieces(bytes, size),
          seed: String(seed),
        });
        meeting.run();
        expect(meeting.violations).toEqual([]);
        const told = meeting.told.orchestrator.filter((what) => what !== 'error');
        expect(told).toEqual([...o.instructions.map(endOf), 'done']);
        expect(meeting.told.subagent).toEqual([]);
      }),
      { seed: 7, numRuns: 150 },
    );
  });
});

const pieces = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));

/** How an instruction ends, by its text: whichever comes first, a step that fails or one that completes. */
function endOf(text: string): string {
  const parsed = parseDirective(text);
  if (!parsed.ok) return 'failed';
  const last = (parsed.value ?? []).find(
    (step) =>
      'fail' in step ||
      ('say' in step && step.say === 'completed') ||
      ('status' in step && step.status.status === 'completed'),
  );
  return last !== undefined && 'fail' in last ? 'failed' : 'completed';
}

describe('a simulated peer', () => {
  it('orchestrates the reference subagent', () => {
    const meeting = new Meeting({
      orchestrator: scriptedOrchestrator(),
      subagent: subagent({ heartbeat: 0 }),
    });
    const instruction = todo(
      { tools: [{ name: 'a' }, { name: 'b' }] },
      { context: { type: 'file', path: 'p' } },
    );
    meeting.orchestrator.command({ do: 'send', message: { type: 'INSTRUCTION', payload: { instruction } } });
    expect(meeting.run(() => meeting.crossed.at(-1) === completed).slice(1)).toEqual([
      '< CALL a',
      '< CALL b',
      '> RESULT "ok:a"',
      '> RESULT "ok:b"',
      '< STATUS results',
      '< ASK p',
      '> CONTEXT "ok:p"',
      completed,
    ]);
    expect(meeting.violations).toEqual([]);
    meeting.orchestrator.command({ do: 'end', status: { code: 0, message: '' } });
    expect(meeting.run()).toEqual(['> end']);
  });

  it('serves the reference orchestrator, and can misbehave', () => {
    const meeting = new Meeting({
      orchestrator: orchestrator({ instructions: ['x'], heartbeat: 0 }),
      subagent: scriptedSubagent(),
    });
    const said: readonly ScriptedCommand[] = [
      { do: 'send', message: { type: 'INSTRUCTION', payload: { instruction: 'no, you' } } },
      { do: 'raw', bytes: Buffer.from(notJson, 'hex') },
      { do: 'send', message: { type: 'TOOL_CALL', payload: { toolName: 'x', args: {} }, sequenceId: 1 } },
      { do: 'send', message: { type: 'STATUS', payload: { status: 'completed', progress: 45 } } },
    ];
    expect(meeting.run(() => meeting.crossed.length > 0)).toEqual(['> INSTRUCTION x']);
    for (const command of said) meeting.subagent.command(command);
    expect(meeting.run().toSorted()).toEqual([
      '< CALL x',
      '< INSTRUCTION no, you',
      '< STATUS completed 45',
      '< bad bad-json',
      '> ERROR BAD_FRAME',
      '> ERROR WRONG_DIRECTION',
      '> RESULT {"toolName":"x","args":{}}',
      '> end',
    ]);
    const codes = meeting.violations.map(({ code }) => code);
    expect(codes).toEqual(['wrong-direction', 'sequence-not-rising', 'progress-range']);
  });
});
