/** Generations compared with llm.md: "The script", LLM-S10 to S13, and the contract of steps in messages.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyGeneration, anyTurn } from '../arbitrary/answer.ts';
import { generate, transcriptOf } from './generation.ts';
import { isContent, turnDefaults } from '../script/script.ts';
import type { Step, ScriptTurn } from '../script/script.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { defaultTokenizer } from '../dialects/shared/tokenizer.ts';
import { isWellFormed } from '../dialects/shared/utf8.ts';
import { dialects } from '../messages.ts';
import type { GenerationStep, DialectName, Generation, LlmRequest } from '../messages.ts';

const turn = (steps: readonly Step[], more: Partial<ScriptTurn> = {}): ScriptTurn => ({
  ...turnDefaults,
  steps,
  ...more,
});

const request = (more: Partial<LlmRequest> = {}): LlmRequest => ({
  dialect: 'openai-chat',
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  stream: true,
  includeUsage: true,
  ...more,
});

const of = (played: ScriptTurn, asked: Partial<LlmRequest> = {}): Generation =>
  generate(played, request(asked), {
    tokenizer: defaultTokenizer,
    ids: (prefix) => `${prefix}1`,
    random: () => seededRandom('seed'),
  });

const call: Step = { do: 'tool_call', id: 'c', name: 'write', arguments: '{"title":"x","body":"long"}' };
const text = (t: string): Step => ({ do: 'text', text: t });
const stepsOf = (generation: Generation): GenerationStep[] => [...generation.steps];
const pieces = (generation: Generation): string[] =>
  stepsOf(generation).flatMap((step) => (step.do === 'piece' ? [step.text] : []));

describe('steps', () => {
  it('open and close blocks in sequence, with contiguous indices and the whole text at the close', () => {
    const anyDialect = fc.constantFrom<DialectName>(...dialects).chain((dialect) => anyGeneration(dialect));
    fc.assert(
      fc.property(anyDialect, ({ generation }) => {
        let open: number | undefined;
        let index = 0;
        let sum = '';
        let cut = false;
        for (const step of generation.steps) {
          if (step.do === 'open') {
            expect([open, cut, step.block.index]).toEqual([undefined, false, index]);
            expect(step.block).toBe(generation.blocks[index]);
            [open, sum] = [index++, ''];
          } else if (step.do === 'piece') {
            expect(step.block.index).toBe(open);
            expect(step.text).not.toBe('');
            expect(isWellFormed(step.text)).toBe(true);
            sum += step.text;
          } else if (step.do === 'close') {
            expect([step.block.index, step.block.text]).toEqual([open, sum]);
            [open, cut] = [undefined, !step.block.complete];
          }
        }
        expect([open, index]).toEqual([undefined, generation.blocks.length]);
      }),
    );
  });

  it('are the same in each iteration', () => {
    fc.assert(
      fc.property(anyTurn, (played) => {
        const generation = of(played);
        expect(stepsOf(generation)).toEqual(stepsOf(generation));
      }),
    );
  });

  it('are made only when they are taken', () => {
    const fill = { text: 'x', bytes: 8 * 1024 * 1024 };
    const first = of(turn([{ do: 'text', text: '', fill }], { chunk: 'char' })).steps[Symbol.iterator]();
    const block = { kind: 'text', index: 0, text: 'x'.repeat(fill.bytes), complete: true };
    expect([first.next().value, first.next().value]).toEqual([
      { do: 'open', block },
      { do: 'piece', block, text: 'x' },
    ]);
  });

  it('split content by the setting of the turn, never inside a surrogate pair', () => {
    expect(pieces(of(turn([text('Hello, world')])))).toEqual(['Hell', 'o, w', 'orld']);
    expect(pieces(of(turn([text('a𝄞b')], { chunk: 'char' })))).toEqual(['a', '𝄞', 'b']);
    expect(pieces(of(turn([text('a𝄞bcd')], { chunk: { size: 2 } })))).toEqual(['a𝄞', 'bc', 'd']);
  });

  it('pause between pieces, not before the first, and ping after every n-th', () => {
    const paced = of(turn([text('abcdefghi')], { delay: 20, pings: 2 }));
    expect(stepsOf(paced).map((step) => step.do)).toEqual([
      ...['open', 'piece', 'wait', 'piece', 'ping', 'wait', 'piece', 'close'],
    ]);
  });

  it('pause within the jitter, for different times', () => {
    const paced = of(turn([text('x'.repeat(400))], { delay: 20, jitter: 5 }));
    const waits = stepsOf(paced).flatMap((step) => (step.do === 'wait' ? [step.ms] : []));
    expect(waits.every((ms) => ms >= 15 && ms <= 25)).toBe(true);
    expect(new Set(waits).size).toBeGreaterThan(5);
  });

  it('hold at a barrier at its place inside a step, or after a step without a place', () => {
    const inside: Step = { do: 'barrier', name: 'in', at: { byte: 3 } };
    const held = of(turn([text('aébcdefg'), inside, { do: 'barrier', name: 'after' }]));
    const block = { kind: 'text', index: 0, text: 'aébcdefg', complete: true };
    expect(stepsOf(held).slice(1)).toEqual([
      { do: 'piece', block, text: 'aé' },
      { do: 'barrier', name: 'in' },
      { do: 'piece', block, text: 'bc' },
      { do: 'piece', block, text: 'defg' },
      { do: 'close', block },
      { do: 'barrier', name: 'after' },
    ]);
  });
});

describe('a barrier inside a step', () => {
  it('holds at the end of the generated text when the step is cut before it', () => {
    const played = turn([text('12345678'), { do: 'barrier', name: 'b', at: { char: 7 } }], { limit: 1 });
    const block = { kind: 'text', index: 0, text: '1234', complete: false };
    expect(stepsOf(of(played)).slice(1)).toEqual([
      { do: 'piece', block, text: '1234' },
      { do: 'barrier', name: 'b' },
      { do: 'close', block },
    ]);
  });
});

describe('the limit', () => {
  it('cuts where the tokenizer reaches it, also in mid-call; the lower limit of request and turn applies (LLM-S10, S12)', () => {
    const both = turn([text('12345678'), call], { limit: 4 });
    const cut = transcriptOf(of(both));
    expect(cut.open).toEqual({ id: 'c', name: 'write', partial: '{"title"' });
    expect([cut.stop, cut.usage.outputTokens]).toEqual(['max_tokens', 4]);
    expect(transcriptOf(of({ ...both, limit: 100 }, { maxTokens: 4 }))).toEqual(cut);
  });

  it('reached between two blocks leaves the first complete and does not begin the second', () => {
    const cut = transcriptOf(of(turn([text('12345678'), call]), { maxTokens: 2 }));
    expect(cut).toMatchObject({ text: '12345678', toolCalls: [], stop: 'max_tokens' });
    expect(cut.open).toBeUndefined();
  });

  it('reached by the last token of all changes nothing', () => {
    const whole = transcriptOf(of(turn([text('12345678'), call])));
    expect(transcriptOf(of(turn([text('12345678'), call]), { maxTokens: whole.usage.outputTokens }))).toEqual(
      whole,
    );
    expect(whole.stop).toBe('tool_use');
  });

  it('is never exceeded by the real counts or the sent counts (LLM-S13)', () => {
    fc.assert(
      fc.property(anyTurn, fc.integer({ min: 1, max: 30 }), (played, maxTokens) => {
        const generation = of(played, { maxTokens });
        const sum = stepsOf(generation).reduce(
          (n, step) => n + (step.do === 'close' ? defaultTokenizer.count(step.block.text) : 0),
          0,
        );
        expect(sum).toBeLessThanOrEqual(maxTokens);
        expect(generation.end.usage.outputTokens).toBeLessThanOrEqual(maxTokens);
        expect(generation.end.usage.outputTokens).toBeGreaterThanOrEqual(sum);
      }),
    );
  });

  it('takes precedence over the end of the script', () => {
    const error: Step = { do: 'error', error: { type: 'overloaded', message: 'later' } };
    const { end } = of(turn([text('12345678'), error]), { maxTokens: 1 });
    expect([end.stop, end.error]).toEqual(['max_tokens', undefined]);
  });
});

describe('a cut by the script', () => {
  const cutAt = (json: 'inside-string' | 'between-parameters', nth = 0): ScriptTurn =>
    turn([call, text('never')], { cut: { step: 0, at: { json, nth } } });

  it('leaves the call open and reports the limit', () => {
    const generation = of(cutAt('inside-string', 1));
    expect(transcriptOf(generation)).toMatchObject({
      text: '',
      toolCalls: [],
      open: { partial: '{"title":"x' },
      stop: 'max_tokens',
    });
    expect(generation.end.cutCall).toBe(true);
  });

  // llm.md, Anthropic (d).
  it('falls on a parameter boundary for Anthropic, unless the tool streams eagerly', () => {
    const cut = cutAt('inside-string', 3);
    const tool = { name: 'write', inputSchema: {} };
    const partial = (asked: Partial<LlmRequest>): string | undefined =>
      transcriptOf(of(cut, asked)).open?.partial;
    expect(partial({ dialect: 'anthropic', tools: [tool] })).toBe('{"title":"x"');
    expect(partial({ dialect: 'anthropic', tools: [{ ...tool, eager: true }] })).toBe(
      '{"title":"x","body":"l',
    );
    expect(partial({ dialect: 'anthropic', maxTokens: 2 })).toBe('');
  });

  it('does not skip the rest of the script', () => {
    const played = turn(
      [call, { do: 'barrier', name: 'b' }, text('never'), { do: 'barrier', name: 'x', at: { char: 1 } }],
      { cut: { step: 0, at: { char: 3 } }, transport: 'reset' },
    );
    const block = { kind: 'tool_call', id: 'c', name: 'write', index: 0, text: '{"t', complete: false };
    expect(stepsOf(of(played)).slice(1)).toEqual([
      { do: 'piece', block, text: '{"t' },
      { do: 'close', block },
      { do: 'barrier', name: 'b' },
    ]);
  });
});

describe('the end', () => {
  it('is the reason of the script, or tool_use with a call, or end_turn', () => {
    const stop = (...steps: Step[]): string => of(turn(steps)).end.stop;
    expect([stop(text('a')), stop(call), stop(text('a'), { do: 'stop', reason: 'refusal' })]).toEqual([
      ...['end_turn', 'tool_use', 'refusal'],
    ]);
  });

  it('counts the generated tokens, with thoughts, unless the script sets counts', () => {
    const thinking: Step = { do: 'thinking', text: '12345' };
    const usage: Step = { do: 'usage', usage: { cacheReadTokens: 7 } };
    expect(of(turn([thinking, text('1234'), usage])).end.usage).toEqual({
      inputTokens: 1,
      outputTokens: 3,
      thinkingTokens: 2,
      cacheReadTokens: 7,
    });
  });

  it('has a cut call only when the last block is a cut call', () => {
    const cutCall = (...steps: Step[]): boolean => of(turn(steps), { maxTokens: 7 }).end.cutCall;
    expect([cutCall(call), cutCall(call, text('more')), cutCall(text('a'), call)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('has an error in mid-stream instead of a stop', () => {
    const error = { type: 'overloaded', message: 'busy' };
    expect(of(turn([text('a'), { do: 'error', error }])).end).toMatchObject({ stop: 'error', error });
  });
});

describe('the transcript', () => {
  it('is the content of the script when nothing cuts it', () => {
    fc.assert(
      fc.property(anyGeneration('openai-chat', { cuts: false }), ({ turn: played, transcript: sum }) => {
        const content = played.steps.filter(isContent);
        expect(sum.open).toBeUndefined();
        expect(sum.text).toBe(content.map((step) => (step.do === 'text' ? step.text : '')).join(''));
        expect(sum.toolCalls.map((c) => JSON.stringify(c.input))).toEqual(
          content.flatMap((step) =>
            step.do === 'tool_call' ? [JSON.stringify(JSON.parse(step.arguments))] : [],
          ),
        );
      }),
    );
  });

  it('has the open call with partial arguments that do not parse', () => {
    let open = 0;
    fc.assert(
      fc.property(anyGeneration('openai-responses'), ({ transcript: sum, turn: played }) => {
        if (sum.open === undefined) return;
        open++;
        const { id, partial } = sum.open;
        const whole = played.steps.find((step) => step.do === 'tool_call' && step.id === id);
        expect(whole).toMatchObject({ arguments: expect.stringContaining(partial) as string });
        expect(() => JSON.parse(partial) as unknown).toThrow(SyntaxError);
      }),
    );
    expect(open).toBeGreaterThan(5);
  });
});
