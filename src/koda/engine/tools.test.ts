/** The calls of the reference engine: lines, results, approvals, questions and blocked actions. */
import { describe, expect, it } from 'vitest';
import { promptOf, told } from '../link/stage.test-helper.ts';
import type { EngineStage } from '../link/stage.test-helper.ts';
import type { ApprovalDecision, EngineCommand } from '../messages.ts';
import { maxAnswer, noAnswer } from './tools.ts';

const begun = ['turn_start', 'context_usage 100', 'text_done'];
const completed = ['context_usage 100', 'text_done', 'footer', 'turn_end complete'];

/** The engine's last request, and the outputs up to it. */
function requestOf(stage: EngineStage): { readonly id: string; readonly types: string[] } {
  const events = stage.sent();
  const last = events.at(-1);
  if (last?.type !== 'approval_request' && last?.type !== 'ask_user_request') throw new Error('no request');
  return { id: last.id, types: events.map(({ type }) => type) };
}

const decide = (id: string, decision: ApprovalDecision): EngineCommand => ({
  type: 'approval_response',
  id,
  decision,
});
const approve: ApprovalDecision = { decision: 'approve' };
const reply = (id: string, answer: string): EngineCommand => ({ type: 'ask_user_response', id, answer });

describe('a call', () => {
  it('prints its lines in order before its result, with one id (KODA-35, 38, 71)', () => {
    const args = { command: 'ls' };
    const lines = [
      ['a', false],
      ['b', true],
      ['', false],
    ];
    const stage = told({ tool: { name: 'Bash', args, lines, output: 'done' } });
    const events = stage.sent().filter(({ type }) => type.startsWith('tool_'));
    const id = events.flatMap((event) => ('id' in event ? [event.id] : []))[0];
    expect(events).toEqual([
      { type: 'tool_call_start', id, name: 'Bash', args, is_sub_agent: false },
      { type: 'tool_output_line', id, line: 'a', is_stderr: false },
      { type: 'tool_output_line', id, line: 'b', is_stderr: true },
      { type: 'tool_output_line', id, line: '', is_stderr: false },
      { type: 'tool_call_result', id, name: 'Bash', output: 'done' },
    ]);
  });

  it('has the arguments null when the directive says so (KODA-14)', () => {
    expect(told({ tool: { name: 'x', args: null } }).sentOf('tool_call_start')[0]?.args).toBeNull();
    expect(told({ tool: { name: 'x' } }).sentOf('tool_call_start')[0]?.args).toEqual({});
  });

  it('is counted by status_update while it runs (KODA-52)', () => {
    const stage = told({ tool: { name: 'x', hold: true } });
    expect(stage.sentOf('status_update').map((status) => status.active_tools)).toEqual([1]);
    const other = told({ tool: { name: 'x' } }, { parallel: [{ name: 'a' }, { name: 'b' }] });
    expect(other.sentOf('status_update').map((status) => status.active_tools)).toEqual([1, 0, 0]);
  });

  it('of a sub-agent follows its sub_agent_start (KODA-75)', () => {
    const events = told({ tool: { name: 'x', sub_agent: 'helper' } }).sent();
    const start = events.findIndex(({ type }) => type === 'sub_agent_start');
    expect(events[start]).toEqual({ type: 'sub_agent_start', agent_name: 'helper' });
    expect(events[start + 1]).toMatchObject({ type: 'tool_call_start', is_sub_agent: true });
  });

  it('that is blocked is not run, and nothing is asked (KODA-42)', () => {
    const preview = { kind: 'PathNotFound' };
    const stage = told({
      tool: {
        name: 'Edit',
        blocked: { preview },
        approval: {},
        ask: { question: 'q' },
        lines: [['a', false]],
      },
    });
    const events = stage.sent();
    expect(events.filter(({ type }) => /^(tool|action|approval|ask)/.test(type)).slice(1)).toEqual([
      { type: 'action_blocked', tool_name: 'Edit', detail: 'run Edit', preview },
    ]);
    expect(events.at(-1)).toMatchObject({ reason: { kind: 'complete' } });
  });
});

describe('an approval', () => {
  it('is asked after the start of the call, with an id of its own (KODA-24, 39)', () => {
    const events = told({ tool: { name: 'Bash', approval: { detail: 'ls -l' } } }).sent();
    const [start, request] = [events.at(-3), events.at(-1)];
    expect(start?.type).toBe('tool_call_start');
    const id = request !== undefined && 'id' in request ? request.id : '';
    expect(request).toEqual({
      ...{ type: 'approval_request', id, tool_name: 'Bash', detail: 'ls -l', preview: null },
    });
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(id).not.toBe(start !== undefined && 'id' in start ? start.id : '');
  });

  it('lets the call run after approve (KODA-40)', () => {
    const stage = told({ tool: { name: 'x', approval: {}, lines: [['a', false]] } });
    const { id } = requestOf(stage);
    expect(stage.pass(1000).did()).toEqual([]);
    expect(stage.say(decide(id, approve)).did()).toEqual([
      ...['tool_output_line a', 'tool_call_result x ok', ...completed],
    ]);
  });

  it('has no effect with another id, nor twice (KODA-40)', () => {
    const stage = told({ tool: { name: 'x', approval: {} } });
    const { id } = requestOf(stage);
    expect(stage.say(decide('another', approve), reply(id, 'y')).did()).toEqual(['(ignored)', '(ignored)']);
    stage.say(decide(id, approve));
    stage.take();
    expect(stage.say(decide(id, approve)).did()).toEqual(['(ignored)']);
  });

  it.each<[ApprovalDecision, object]>([
    [{ decision: 'reject' }, {}],
    [{ decision: 'reject_with_feedback', feedback: 'use mv' }, { feedback: 'use mv' }],
  ])(
    'that is refused by %j ends the call without lines and result, and the model is told (KODA-41, 72)',
    (d, more) => {
      const stage = told({ tool: { name: 'Bash', approval: {}, lines: [['a', false]] } }, { wait_ms: 1 });
      const { id } = requestOf(stage);
      expect(stage.say(decide(id, d)).did()).toEqual([]);
      expect(stage.work.turn?.rejections).toEqual([expect.objectContaining({ name: 'Bash', ...more })]);
      expect(stage.pass(1).did()).toEqual(completed);
    },
  );

  it('does not remember more than 16 rejections', () => {
    const tool = { name: 'x', approval: {} };
    const stage = told(...Array.from({ length: 20 }, () => ({ tool })), { cancel_point: true });
    for (let i = 0; i < 20; i++) {
      const feedback = String(i).padEnd(maxAnswer + 1);
      stage.say(decide(requestOf(stage).id, { decision: 'reject_with_feedback', feedback }));
    }
    const { rejections = [] } = stage.work.turn ?? {};
    expect(rejections.map(({ feedback }) => Number(feedback))).toEqual(
      [...Array(16).keys()].map((n) => n + 4),
    );
    expect(rejections[0]?.feedback).toHaveLength(maxAnswer);
  });
});

describe('a question', () => {
  it('pauses the turn, and its answer is the output of the call (KODA-43)', () => {
    const stage = told({ tool: { name: 'AskUser', ask: { question: 'Which?', options: ['a', 'b'] } } });
    const events = stage.sent();
    const request = events.at(-1);
    expect(request).toMatchObject({ type: 'ask_user_request', question: 'Which?', options: ['a', 'b'] });
    const id = request !== undefined && 'id' in request ? request.id : '';
    expect(stage.pass(1000).say(reply('another', 'c')).did()).toEqual(['(ignored)']);
    expect(stage.say(reply(id, 'b')).did()).toEqual(['tool_call_result AskUser b', ...completed]);
  });

  it('with a blank answer has a result that says so, and the turn goes on (KODA-73)', () => {
    for (const blank of ['', ' \n\t']) {
      const stage = told({ tool: { name: 'x', ask: { question: 'q' } } });
      const { id } = requestOf(stage);
      expect(stage.say(reply(id, blank)).did()).toEqual([`tool_call_result x ${noAnswer}`, ...completed]);
    }
  });

  it('may follow an approval of the same call, and precede lines', () => {
    const stage = told({
      tool: { name: 'x', approval: {}, ask: { question: 'q' }, lines: [['a', false]], output: 'unused' },
    });
    stage.say(decide(requestOf(stage).id, approve)).say(reply(requestOf(stage).id, 'y'));
    expect(stage.did()).toEqual(['tool_output_line a', 'tool_call_result x y', ...completed]);
  });

  it('has an answer that is cut, so that its result fits into a message', () => {
    const stage = told({ tool: { name: 'x', ask: { question: 'q' } } });
    const { id } = requestOf(stage);
    stage.say(reply(id, `${'x'.repeat(maxAnswer - 1)}𝄞`));
    expect(stage.sentOf('tool_call_result')[0]?.output).toBe(`${'x'.repeat(maxAnswer - 1)}\ufffd`);
  });
});

describe('a batch', () => {
  it('mixes the lines of its calls; then each has its start and its result (KODA-35, 37, 38, 71)', () => {
    const stage = told({
      parallel: [
        {
          name: 'a',
          lines: [
            ['a1', false],
            ['a2', true],
          ],
        },
        { name: 'b' },
        {
          name: 'c',
          lines: [
            ['c1', false],
            ['c2', false],
            ['c3', false],
          ],
          output: 'C',
        },
      ],
    });
    expect(stage.did()).toEqual([
      ...[
        ...begun,
        'tool_output_line a1',
        'tool_output_line c1',
        'tool_output_line a2',
        'tool_output_line c2',
      ],
      ...['tool_output_line c3', 'tool_call_start a', 'tool_call_result a ok', 'tool_call_start b'],
      ...['tool_call_result b ok', 'tool_call_start c', 'tool_call_result c C', ...completed],
    ]);
  });

  it('has lines with the ids of its calls', () => {
    const events = told({
      parallel: [
        { name: 'a', lines: [['x', false]] },
        { name: 'b', lines: [['y', false]] },
      ],
    }).sent();
    const idOf = (type: string, n: number): unknown => {
      const event = events.filter((e) => e.type === type)[n];
      return event !== undefined && 'id' in event ? event.id : undefined;
    };
    expect([0, 1].map((n) => idOf('tool_output_line', n))).toEqual(
      [0, 1].map((n) => idOf('tool_call_start', n)),
    );
    expect(idOf('tool_call_start', 0)).not.toBe(idOf('tool_call_start', 1));
  });

  it('whose calls print very different numbers of lines takes time in proportion to the lines', () => {
    const lines = Array.from({ length: 40_000 }, () => ['', false]);
    const tools = [...Array.from({ length: 255 }, () => ({ name: 'a' })), { name: 'b', lines }];
    expect(told({ parallel: tools }).sentOf('tool_output_line')).toHaveLength(40_000);
  });
});

describe('the guard against loops', () => {
  const edit = { tool: { name: 'Edit', args: { path: 'a', n: { x: 1, y: 2 } }, lines: [['run', false]] } };
  const same = { tool: { name: 'Edit', args: { n: { y: 2, x: 1 }, path: 'a' } } };

  it('ends the turn at the third identical call, which is not run (KODA-51)', () => {
    const events = told(edit, same, edit, { say: 'never' }).did();
    expect(events.slice(-3)).toEqual([
      ...[
        'tool_call_start Edit',
        'warn Edit was called three times with the same arguments',
        'turn_end complete',
      ],
    ]);
    expect(events.filter((event) => event.startsWith('tool_call_result'))).toHaveLength(2);
  });

  it('lets other calls pass: of other arguments, and of tools that change nothing', () => {
    const other = { tool: { name: 'Edit', args: { path: 'b' } } };
    const read = { tool: { name: 'Read' } };
    expect(told(edit, other, edit, read, read, read, read).did()).toContain('footer');
  });

  it('compares 20 calls (KODA-51)', () => {
    const reads = (n: number): object[] => Array.from({ length: n }, () => ({ tool: { name: 'Read' } }));
    expect(told(edit, edit, ...reads(17), edit).did()).not.toContain('footer');
    expect(told(edit, edit, ...reads(18), edit).did()).toContain('footer');
  });

  it('knows the calls of a batch, too, and begins anew with each turn', () => {
    const write = { name: 'Write', args: { path: 'a' } };
    const stage = told({ parallel: [write, write, { ...write, lines: [['a', false]] }] });
    expect(stage.did()).toEqual([
      ...[...begun, 'tool_call_start Write', 'warn Write was called three times with the same arguments'],
      'turn_end complete',
    ]);
    expect(stage.say(promptOf('x')).did()).toContain('footer');
  });
});
