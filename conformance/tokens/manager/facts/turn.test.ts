/**
 * Facts of turns: every conforming turn is accepted, with any other actions, and each wrong turn gets its own message.
 */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import { turnFacts } from './turn.ts';

const mismatch = (words: string): { violated: string } => ({
  violated: expect.stringContaining(words) as string,
});

const user = (content: string, more: JsonObject = {}): JsonObject => ({ role: 'user', content, ...more });
const assistant = (content: string, more: JsonObject = {}): JsonObject => ({
  role: 'assistant',
  content,
  ...more,
});
const call = (id: string): JsonObject => assistant('', { toolCalls: [{ id, name: 'read', input: {} }] });
const result = (id: string, isError = true, content = 'Cancelled.'): JsonObject =>
  user('', { toolResults: [{ id, content, isError }] });

const question = user('What is new?');
const history = [question, assistant('Nothing.')];

const send = (...messages: readonly JsonObject[]): JsonObject => ({
  do: 'send',
  messages: messages.length === 0 ? [question] : [...messages],
});
const bare = { do: 'send' };
const retry = (delay: Json): JsonObject => ({ do: 'retry', delay, code: 'network' });
const warn = (code: string): JsonObject => ({ do: 'warn', code });
const compact = (...messages: readonly JsonObject[]): JsonObject => ({
  do: 'compact',
  messages: [...messages],
});
const run = (...ids: readonly string[]): JsonObject => ({ do: 'run_tools', ids: [...ids] });
const stop = { do: 'stop', code: 'end_turn' };

const judge = (
  fact: string,
  wanted: Json,
  actions: readonly JsonObject[],
  after: readonly JsonObject[] = history,
  request: JsonObject = {},
): Judgement | undefined =>
  turnFacts[fact]?.(wanted, { actions: [...actions], history: [...after] }, request);

describe('a turn', () => {
  it.each(Object.keys(turnFacts))('has actions and a history: %s', (fact) => {
    expect(turnFacts[fact]?.([], { history: [] }, {})).toEqual(
      mismatch('expected actions as an array; came nothing'),
    );
    expect(turnFacts[fact]?.([], { actions: [] }, {})).toEqual(
      mismatch('expected history as an array; came nothing'),
    );
  });

  it('has a number of sends, and warnings whose code the plan does not name', () => {
    expect(judge('sends', { atLeast: 1, atMost: 2 }, [send(), retry(0), send(), stop])).toBe('exercised');
    expect(judge('sends', { atMost: 1 }, [send(), send()])).toEqual(
      mismatch('expected 1 or fewer to be sent; came 2'),
    );
    expect(judge('sends', { atLeast: 1 }, [stop])).toEqual(
      mismatch('expected 1 or more to be sent; came "stop"'),
    );
    expect(judge('warns', 'budget', [warn('budget-exceeded'), stop])).toBe('exercised');
    expect(judge('warns', 'budget', [warn('too-large'), stop])).toBe('exercised');
    expect(judge('warns', 'budget', [warn('dropped'), stop])).toEqual(
      mismatch('expected a warning "budget"; came "dropped"'),
    );
    expect(judge('warns', 'near-limit', [warn('scarce'), stop])).toEqual(
      mismatch('expected a warning "near-limit"; came "scarce"'),
    );
    expect(judge('silentOn', 'unknown', [send(), warn('exhausted'), stop])).toBe('exercised');
    expect(judge('silentOn', 'unknown', [send(), warn('unknown-stop-reason'), stop])).toEqual(
      mismatch('no warning "unknown"'),
    );
    expect(judge('silentOn', 'unknown', [stop])).toBe(undefined);
  });

  it('TOK-40: stops with a word of the closed set, if it names one', () => {
    expect(judge('stops', ['end_turn'], [send(), stop])).toBe('exercised');
    expect(judge('stops', ['end_turn'], [send(), { do: 'stop' }])).toBe(undefined);
    expect(judge('stops', ['end_turn'], [send()])).toBe(undefined);
    expect(judge('stops', ['refusal'], [send(), stop])).toEqual(mismatch('came "end_turn"'));
  });

  it('TOK-48: has the results of its tools, if it uses their output', () => {
    const ran = (...contents: readonly string[]): Judgement | undefined =>
      judge(
        'results',
        ['one', 'two'],
        [send(), stop],
        contents.flatMap((content, i) => [call(`x${i}`), result(`x${i}`, false, content)]),
      );
    expect(ran('one', 'two')).toBe('exercised');
    expect(ran('read ran', 'read ran')).toBe(undefined);
    expect(ran('two', 'one')).toEqual(mismatch('a result of "x0" with "one"; came "two"'));
    expect(ran('one')).toEqual(mismatch('2 calls with results'));
    expect(judge('results', ['one'], [send()], [call('x'), result('x')])).toEqual(mismatch('no error'));
    expect(
      judge(
        'results',
        ['one', null],
        [send()],
        [call('w'), result('w', false, 'one'), call('x'), result('x')],
      ),
    ).toBe('exercised');
  });

  it('TOK-48: keeps the calls of the given history, in the first send and after the turn', () => {
    const given = [question, call('x'), result('x', false, 'one')];
    const about = (sent: readonly JsonObject[], after: readonly JsonObject[]): Judgement | undefined =>
      judge('toolContext', true, [send(...sent)], after, { history: given });
    expect(about(given, [...given, assistant('a')])).toBe('exercised');
    expect(about(given, [question])).toEqual(mismatch('history: expected the call "x"'));
    expect(about([question], given)).toEqual(mismatch('send 1: expected the call "x"'));
  });

  it('TOK-14: runs tools or not, and reports the tools that did not run', () => {
    expect(judge('runsTools', true, [send(), run('x'), send()])).toBe('exercised');
    expect(judge('runsTools', false, [send(), run('x'), send()])).toEqual(
      mismatch('expected no tools to run'),
    );
    expect(judge('runsTools', true, [send(), stop])).toEqual(mismatch('expected tools to run'));
    expect(judge('runsTools', false, [send(), run(), send()])).toBe('exercised');
    expect(judge('runsTools', true, [send(), run(), send()])).toEqual(mismatch('expected tools to run'));
    expect(judge('runsTools', false, [send(), { do: 'run_tools' }])).toEqual(
      mismatch('expected no tools to run'),
    );
    expect(judge('cancelled', ['x'], [send(), stop], [question, call('x'), result('x')])).toBe('exercised');
    expect(judge('cancelled', ['x'], [send(), stop], [question, call('x'), result('x', false)])).toEqual(
      mismatch('did not run'),
    );
    expect(judge('cancelled', ['x'], [send(), stop], [question, call('x'), result('x', true, '')])).toEqual(
      mismatch('did not run'),
    );
    expect(judge('cancelled', ['x'], [send(), stop])).toEqual(
      mismatch('results that say that "x" did not run; came none'),
    );
  });

  it('TOK-24: sends only requests that fit, or warns', () => {
    const request = { config: { maxTokens: 300, reserveTokens: 80 } };
    // 20 tokens are left after the margin of 200: 10, and a quarter of 40.
    expect(judge('sendsFit', true, [send(user('x'.repeat(40))), stop], history, request)).toBe('exercised');
    expect(judge('sendsFit', true, [send(user('x'.repeat(41))), stop], history, request)).toEqual(
      mismatch('expected no request of more than 20 tokens to be sent; came 21'),
    );
    expect(judge('sendsFit', true, [warn('budget'), stop], history, request)).toBe('exercised');
    expect(judge('sendsFit', true, [stop], history, request)).toEqual(mismatch('a warning "budget"'));
  });

  it('TOK-34: keeps messages when it compacts; without compacting it is not exercised', () => {
    const kept = (...messages: readonly JsonObject[]): Judgement | undefined =>
      judge('compactedKeeps', ['<u1>'], [send(), compact(...messages), send(), stop]);
    expect(kept(user('a summary\n\n<u1>'))).toBe('exercised');
    expect(kept(user('a summary'))).toEqual(mismatch('expected the messages "<u1>" after compacting'));
    expect(judge('compactedKeeps', ['<u1>'], [send(), stop])).toBe(undefined);
  });

  it('TOK-43: waits this long, give or take 10 %, before each retry', () => {
    const wanted = [1000, 2000, 4000];
    expect(judge('delays', wanted, [send(), retry(900), send(), retry(2200), send(), stop])).toBe(
      'exercised',
    );
    expect(judge('delays', wanted, [send(), retry(1000), send(), retry(2300), send(), stop])).toEqual(
      mismatch('expected retry 2 after 2000 ms, give or take 10 %; came 2300'),
    );
    expect(judge('delays', wanted, [send(), retry('1s'), send()])).toEqual(
      mismatch('expected retry 1 after 1000 ms'),
    );
    expect(judge('delays', wanted, [send(), stop])).toBe(undefined);
  });

  it('TOK-44: retries or not', () => {
    expect(judge('retries', true, [send(), retry(1000), send(), stop])).toBe('exercised');
    expect(judge('retries', false, [send(), stop])).toBe('exercised');
    expect(judge('retries', true, [send(), stop])).toEqual(mismatch('expected a retry; came "send, stop"'));
    expect(judge('retries', false, [send(), send()])).toEqual(mismatch('expected no retry'));
    expect(judge('retries', false, [stop])).toEqual(mismatch('expected something to be sent'));
  });

  it('TOK-45: compacts between two sends, and the second is smaller if sizes are known', () => {
    const [large, small] = [send(user('x'.repeat(400))), send(user('x'))];
    expect(judge('compacts', true, [large, compact(), small, stop])).toBe('exercised');
    expect(judge('compacts', true, [bare, compact(), bare, stop])).toBe('exercised');
    expect(judge('compacts', true, [compact(), large, small])).toEqual(
      mismatch('compact between the first send'),
    );
    expect(judge('compacts', true, [large, compact(), large])).toEqual(mismatch('fewer than 110 tokens'));
    expect(judge('compacts', true, [large, compact(), stop])).toEqual(mismatch('compact, and a second send'));
    expect(judge('compactions', 1, [large, compact(), small])).toBe('exercised');
    expect(judge('compactions', 1, [compact(), compact()])).toEqual(
      mismatch('expected compact 1 times at most; came 2'),
    );
  });

  it('TOK-47: contains no cut calls', () => {
    expect(judge('without', ['x'], [send(), stop])).toBe('exercised');
    expect(judge('without', ['x'], [send(), run('x'), send()])).toEqual(mismatch('expected no call "x"'));
    expect(judge('without', ['x'], [send(), stop], [question, call('x'), result('x')])).toEqual(
      mismatch('a turn with "x"'),
    );
  });

  it('TOK-48: is valid in every send and in its history', () => {
    expect(judge('sound', true, [send(), stop])).toBe('exercised');
    expect(judge('sound', true, [bare, stop])).toBe('exercised');
    expect(judge('sound', true, [send(), run('x')], [question, call('x')])).toBe('exercised');
    expect(judge('sound', true, [stop], [])).toBe(undefined);
    expect(judge('sound', true, [send(question, question), stop])).toEqual(
      mismatch('send 1: expected roles to alternate'),
    );
    expect(judge('sound', true, [send(), { do: 'send', messages: 'all' }])).toEqual(
      mismatch('expected send 2 as an array'),
    );
    expect(judge('sound', true, [send(), stop], [question, call('x')])).toEqual(
      mismatch('history: expected each call'),
    );
  });

  it('TOK-49: sends other messages or another limit; one send does not exercise it', () => {
    expect(judge('differs', true, [send(), send(question, assistant('a'), user('b'))])).toBe('exercised');
    expect(judge('differs', true, [send(), { ...send(), limit: 9000 }])).toBe('exercised');
    expect(judge('differs', true, [send(), send()])).toEqual(mismatch('send 2 like 1'));
    expect(judge('differs', true, [send(), stop])).toBe(undefined);
    expect(judge('differs', true, [bare, bare])).toBe(undefined);
  });
});
