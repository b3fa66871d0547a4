/** Whole programs are judged by witnesses of executions. Clients that never answer are judged when the time is over. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { Trace, call } from '../trace.test-helper.ts';
import type { Judged } from '../trace.test-helper.ts';

const question = { role: 'user', content: 'Hi.' };
const tools = [{ name: 'f', input_schema: { type: 'object' } }];
const body = (...messages: readonly Json[]): JsonObject => ({
  model: 'm',
  max_tokens: 99,
  tools,
  messages: [question, ...messages],
});
const offers = { tools: ['f'] };

/** The messages of a call and its result. */
const brought = (one: JsonObject, content: string, more: JsonObject = {}): readonly JsonObject[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id: one['id'] ?? '', name: 'f', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: one['id'] ?? '', content, ...more }] },
];

const first = call('{"text":"A"}');
const whole = { calls: [first], stop: 'tool_use' };
const [cutCall, cut] = (() => {
  const one = call('{"text":"B"', false);
  return [one, { calls: [one], stop: 'max_tokens' }] as const;
})();

const witness = (row: string, more: JsonObject = {}): JsonObject => ({
  case: {
    name: 'x',
    witness: { row, tool: 'f', control: 'A-ran', forbidden: 'B-ran', file: false, ...more },
  },
});

/** A program that runs the complete call, gets an answer that it must not run, and makes further requests. */
const program = (
  row: string,
  answered: JsonObject,
  control: readonly JsonObject[],
  ...next: readonly (readonly JsonObject[])[]
): Trace => {
  const trace = new Trace().mark(witness(row)).request(body(), offers).answered(whole);
  trace.request(body(...control), offers).answered(answered);
  for (const messages of next) trace.request(body(...control, ...messages), offers).answered({});
  return trace;
};

const shown = brought(first, 'A-ran');
const refused = [{ role: 'user', content: 'It was not run.' }];

describe('a whole program', () => {
  it('has run a call if a result contains its witness (LLM-C01)', () => {
    const { violated } = program('LLM-C01', cut, shown, brought(cutCall, 'B-ran')).judged();
    const witnessed: unknown = expect.stringContaining('contains its result ("B-ran")');
    // Its arguments were completed, too.
    expect(violated).toEqual({ 'LLM-C01': [witnessed], 'LLM-C02': [witnessed] });
  });

  it('has run a mended call that the dialect flags as an error, if the witness shows it', () => {
    const { violated } = program(
      'LLM-C01',
      cut,
      shown,
      brought(cutCall, 'B-ran, exit 1', { is_error: true }),
    ).judged();
    expect(Object.keys(violated)).toEqual(['LLM-C01', 'LLM-C02']);
  });

  it.each([
    ['an error', brought(cutCall, 'not run', { is_error: true })],
    ['a result without an error flag', brought(cutCall, 'The call was not run: {"text":"B"')],
    ['no result', refused],
  ])('has not run a call if it sends %s', (_, next) => {
    const { violated, exercised } = program('LLM-C01', cut, shown, next).judged();
    expect(violated).toEqual({});
    expect(exercised).toContain('LLM-C01');
  });

  it('is not judged when it makes no further request', () => {
    const { exercised, violated } = program('LLM-C01', cut, shown).exits(1).judged();
    expect(violated).toEqual({});
    expect(exercised).not.toContain('LLM-C01');
  });

  it('is not judged without a witness in the statement', () => {
    const trace = new Trace().request(body(), offers).answered(cut);
    const { exercised, violated } = trace.request(body(...brought(cutCall, 'done')), offers).judged();
    expect(violated).toEqual({});
    expect(exercised).not.toContain('LLM-C01');
  });

  it('cannot be judged when the complete call does not show its witness', () => {
    const trace = program('LLM-C01', cut, brought(first, 'denied'), refused);
    expect(trace.judged().exercised).not.toContain('LLM-C01');
    expect(trace.unknowable()['LLM-C01']).toMatch(/a complete call of f .* did not show "A-ran"/);
  });

  it('cannot be judged when it does not offer the tool', () => {
    const trace = new Trace()
      .mark(witness('LLM-C01'))
      .request(body(), { tools: ['g', 'h'] })
      .answered({});
    expect(trace.unknowable()).toEqual({
      'LLM-C01': 'the program does not offer the tool f, which the statement names; it offers g, h',
    });
  });

  it.each([
    ['LLM-C02', call('{"a":1,}'), { stop: 'tool_use' }],
    ['LLM-C05', call('{"a":', false), { stop: 'max_tokens', signal: 'lying' }],
    ['LLM-C16', call('[1]'), { stop: 'tool_use' }],
  ] as const)('violates %s, the requirement that forbids the call', (row, one, how) => {
    const answer = { calls: [one], ...how };
    expect(program(row, answer, shown, brought(one, 'B-ran')).judged().violated).toHaveProperty(row);
    const { violated, exercised } = program(row, answer, shown, refused).judged();
    expect(violated).toEqual({});
    expect(exercised).toContain(row);
  });

  it('violates once, also when the result is sent again', () => {
    const ran = brought(cutCall, 'B-ran');
    const { violated } = program('LLM-C01', cut, shown, ran, [...ran, ...refused]).judged();
    expect(violated['LLM-C01']).toHaveLength(1);
  });

  describe('whose tool shows the same text in each call', () => {
    const same = (...next: readonly JsonObject[]): Judged =>
      new Trace()
        .mark(witness('LLM-C01', { control: 'ran', forbidden: 'ran' }))
        .request(body(), offers)
        .answered(whole)
        .request(body(...brought(first, 'ran')), offers)
        .answered(cut)
        .request(body(...brought(first, 'ran'), ...next), offers)
        .answered({})
        .judged();

    it('has run a call if more results show it than calls were permitted', () => {
      expect(Object.keys(same(...brought(cutCall, 'ran')).violated)).toEqual(['LLM-C01', 'LLM-C02']);
    });

    it('has not run it if only the result of the complete call shows it', () => {
      const { violated, exercised } = same(...refused);
      expect(violated).toEqual({});
      expect(exercised).toContain('LLM-C01');
    });
  });

  describe('whose tool makes a file', () => {
    const files = { control: null, forbidden: null, file: true };
    const before = (): Trace =>
      new Trace()
        .mark(witness('LLM-C01', files))
        .request(body(), offers)
        .answered(whole)
        .mark({ made: 'control' })
        .request(body(...brought(first, 'ok')), offers)
        .answered(cut);

    it('has run a call when its file appears, without any further request', () => {
      const { violated } = before().mark({ made: 'forbidden' }).exits().judged();
      const witnessed: unknown = expect.stringContaining('it made its file');
      expect(violated).toEqual({ 'LLM-C01': [witnessed], 'LLM-C02': [witnessed] });
    });

    const wholeCut = { calls: [call('{"text":"B"}', false)], stop: 'max_tokens' };
    const beforeEnd = (): Trace =>
      new Trace()
        .mark(witness('LLM-C01', files))
        .request(body(), offers)
        .answered(whole)
        .mark({ made: 'control' })
        .request(body(...brought(first, 'ok')), offers);

    it('may run a call with whole arguments before its answer ends: nothing shows the cut yet', () => {
      const early = beforeEnd().mark({ made: 'forbidden' }).answered(wholeCut).exits(1).judged();
      expect(early.violated).toEqual({});
      expect(early.exercised).not.toContain('LLM-C01');
    });

    it('must not run it once the answer has ended', () => {
      const late = beforeEnd().answered(wholeCut).mark({ made: 'forbidden' }).exits(1).judged();
      expect(Object.keys(late.violated)).toEqual(['LLM-C01']);
    });

    // `ResponseFunctionToolCall.status` of openai 7.59: in_progress, completed or incomplete.
    it.each(['incomplete', 'completed'])('reads the status of its item: %s', (status) => {
      const unit = { type: 'response.output_item.done', item: { type: 'function_call', status } };
      const told = beforeEnd().wire('provider', 'message', { data: unit }).mark({ made: 'forbidden' });
      const { violated } = told.answered(wholeCut).exits(1).judged();
      expect(Object.keys(violated)).toEqual(status === 'incomplete' ? ['LLM-C01'] : []);
    });

    it('must not run a mended call before its answer ends, either', () => {
      const early = beforeEnd().mark({ made: 'forbidden' }).answered(cut).exits(1).judged();
      expect(Object.keys(early.violated)).toEqual(['LLM-C01', 'LLM-C02']);
    });

    it('has not run it when its process ends without the file', () => {
      expect(before().exits().judged().exercised).toContain('LLM-C01');
      expect(before().judged().exercised).not.toContain('LLM-C01');
    });
  });

  it('names the reason when the call that must not run was never asked for', () => {
    const trace = (): Trace => new Trace().mark(witness('LLM-C01')).request(body(), offers).answered(whole);
    const next = (): Trace =>
      trace()
        .request(body(...shown), offers)
        .answered({});
    expect(next().exits().unknowable()['LLM-C01']).toMatch(/the program ended before it asked/);
    expect(next().unknowable()['LLM-C01']).toMatch(/did not end in its time/);
  });

  it.each(['LLM-C02', 'LLM-C05', 'LLM-C06', 'LLM-C07', 'LLM-C16'])(
    'that does not stream with Anthropic cannot see the fault of %s',
    (row) => {
      const plain = { ...offers, stream: false };
      const faults: { readonly [id: string]: JsonObject } = {
        'LLM-C02': { calls: [call('{"a":1,}')], stop: 'tool_use' },
        'LLM-C05': { calls: [cutCall], stop: 'max_tokens', signal: 'lying' },
        'LLM-C06': { calls: [call('{"b":1}')], stop: 'tool_use', signal: 'missing' },
        'LLM-C07': { calls: [call('{"b":1}')], stop: 'error', error: { type: 'server', message: 'x' } },
        'LLM-C16': { calls: [call('[1]')], stop: 'tool_use' },
      };
      const trace = new Trace().mark(witness(row)).request(body(), plain).answered(whole);
      trace.request(body(...shown), plain).answered(faults[row] ?? {});
      trace.request(body(...shown, ...brought(cutCall, 'B-ran')), plain).answered({});
      expect(trace.judged().violated).not.toHaveProperty(row);
      expect(trace.unknowable()[row]).toMatch(/does not stream/);
    },
  );
});

describe('the judged conversation of a program', () => {
  const title = { model: 'm', max_tokens: 9, messages: [question] };
  const none = { tools: [] };

  it('does not contain a title request, a list of models or a count of tokens', () => {
    const trace = new Trace().mark(witness('LLM-C01')).request({}, { dialect: null }).request(body(), offers);
    trace.answered(whole).request(title, none).answered({ text: 'A title' });
    // Not valid in any dialect.
    trace.request({ model: 'm', messages: [] }, { ...none, error: 'messages: empty', status: 400 });
    trace
      .request(body(...shown), offers)
      .answered(cut)
      .request(title, none)
      .answered({ text: 'A title' });
    const { violated, exercised } = trace
      .request(body(...shown, ...refused), offers)
      .answered({})
      .judged();
    expect(violated).toEqual({});
    expect(exercised).toEqual(expect.arrayContaining(['LLM-C01', 'LLM-C08']));
  });

  it('contains a request without tools that continues it (LLM-C08)', () => {
    const summary = {
      model: 'm',
      max_tokens: 9,
      messages: [question, ...brought(first, 'A-ran').slice(0, 1)],
    };
    const trace = new Trace().request(body(), offers).answered(whole).request(summary, none).answered({});
    expect(Object.keys(trace.judged().violated)).toEqual(['LLM-C08']);
  });

  it('may hold more than sixteen requests after a truncation', () => {
    const trace = new Trace().request(body(), offers).answered({ text: 'x', stop: 'max_tokens' });
    for (let i = 0; i < 20; i++)
      trace
        .request(body({ role: 'user', content: `${i}` }), offers)
        .answered({ text: 'x', stop: i === 9 ? 'max_tokens' : 'end_turn' });
    expect(trace.judged().violated).toEqual({});
  });

  describe('whose answer failed after some output (LLM-C09)', () => {
    const failed = {
      text: 'It was a dark and',
      calls: [first],
      stop: 'error',
      error: { type: 'overloaded', message: 'x' },
      units: 1,
    };
    const twice = (between: (trace: Trace) => Trace, stream = true): readonly string[] => {
      const trace = new Trace().request(body(), { ...offers, stream });
      return Object.keys(
        between(trace)
          .answered(failed)
          .request(body(), { ...offers, stream })
          .judged().violated,
      );
    };

    it.each<[string, (trace: Trace) => Trace]>([
      ['it has shown the text', (trace) => trace.prints('It was a dark ').prints('and')],
      ['it has run the call', (trace) => trace.mark({ made: 'forbidden' })],
    ])('must not make the request again when %s', (_, consumes) => {
      expect(twice(consumes)).toEqual(['LLM-C09']);
    });

    it.each<[string, (trace: Trace) => Trace]>([
      ['it has shown nothing', (trace) => trace],
      ['the file of an earlier call was noticed late', (trace) => trace.mark({ made: 'control' })],
      ['it has shown another text', (trace) => trace.prints('Working …')],
      ['the text is on stderr only', (trace) => trace.prints('It was a dark and', 'stderr')],
    ])('may make it again when %s', (_, consumes) => {
      expect(twice(consumes)).toEqual([]);
    });

    it('may make it again when it does not stream, because it got an error as a whole', () => {
      expect(twice((trace) => trace.prints('It was a dark and'), false)).toEqual([]);
    });
  });
});

describe('a program whose provider stalls (LLM-C15)', () => {
  const stalled = (): Trace =>
    new Trace().request(body(), offers).answered({ text: 'x', outcome: 'stall', signal: 'missing' });

  it.each<[string, (trace: Trace) => Trace]>([
    ['asks again', (trace) => trace.request(body(), offers)],
    ['leaves the exchange', (trace) => trace.wire('target', 'reset')],
    ['ends', (trace) => trace.exits()],
  ])('may wait until it %s', (_, goOn) => {
    expect(goOn(stalled().wait(29_000)).judged().exercised).toContain('LLM-C15');
    expect(Object.keys(goOn(stalled().wait(31_000)).judged().violated)).toContain('LLM-C15');
  });

  it('may live on after it left the exchange', () => {
    const trace = stalled().wait(1000).wire('target', 'end').wait(60_000).line('tester', {});
    const { violated, exercised } = trace.judged();
    expect(violated).toEqual({});
    expect(exercised).toContain('LLM-C15');
  });

  it('must not wait until the end', () => {
    expect(Object.keys(stalled().wait(31_000).line('tester', {}).judged().violated)).toEqual(['LLM-C15']);
  });
});

describe('a client that never answers after its response is over', () => {
  const silent = (answered: JsonObject, ms: number): Judged =>
    new Trace().ask().request(body()).answered(answered).wait(ms).line('tester', {}).judged();

  it('does not report a stream without a terminal as an error (LLM-C06)', () => {
    const { violated } = silent({ text: 'x', signal: 'missing' }, 15_000);
    expect(Object.keys(violated)).toEqual(['LLM-C06']);
  });

  it('hangs when the response was complete (LLM-C15)', () => {
    expect(Object.keys(silent({ text: 'x' }, 15_000).violated)).toEqual(['LLM-C15']);
  });

  it('may still answer within the timeout of a step', () => {
    expect(silent({ text: 'x' }, 14_000).violated).toEqual({});
  });
});
