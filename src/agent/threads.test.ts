/** Threads, and the life of a whole agent on its stream (fold.md, FOLD-A08, A09, A18, A19, A51, A52; llm.md, LLM-C14). */
import { describe, expect, it } from 'vitest';
import { dialects, script } from '../llm/index.ts';
import { AgentWorld } from './world.test-helper.ts';
import { readFileTool } from './tools/tools.ts';

describe.each(dialects)('with %s, a thread', (dialect) => {
  it('has a history, and no other thread has it', () => {
    const world = new AgentWorld(script({ conversations: 'one' }).text('Noted.').times('always'), {
      dialect,
    });
    for (const [id, content, thread_id] of [
      ['a', 'One', 't'],
      ['b', 'Two', 'u'],
      ['c', 'Three', 't'],
      ['d', 'Four', ''],
      ['e', 'Five', ''],
    ] as const) {
      world.send(id, content, { thread_id });
      world.until(`${id} done Noted.`);
    }
    const noted = 'assistant Noted.';
    expect(world.messages(2)).toEqual(['user One', noted, 'user Three']);
    expect(world.messages(1)).toEqual(['user Two']);
    expect(world.messages(3)).toEqual(['user Four']);
    expect(world.messages(4)).toEqual(['user Five']);
  });
});

// FOLD-A19: "Same-thread requests answered in order"
it('requests of one thread run one after another, others side by side', () => {
  const world = new AgentWorld(
    script({ conversations: 'one' }).text('A.').barrier('b', { char: 1 }).turn().text('B.').times(9),
  );
  world.send('a', 'One', { thread_id: 't' });
  world.send('b', 'Two', { thread_id: 't' });
  world.send('c', 'Three');
  world.until('c done B.');
  expect(world.told('b')).toEqual([]);
  world.release('b');
  world.until('b done B.');
  expect(world.told('a').at(-1)).toBe('a done A.');
});

// LLM-C14: "Thinking blocks SHOULD be kept with their signature when sent back"
it('thoughts are shown, and go back to the provider with their signature', () => {
  const thinks = script().thinking('I need it.', { signature: 'c2ln' }).toolCall('echo', { text: 'x' });
  const world = new AgentWorld(thinks.turn().text('Done.'));
  world.send('r');
  world.until('r done Done.');
  expect(world.told()[0]).toBe('r thinks');
  const [, assistant] = world.asked[1]?.messages ?? [];
  expect(assistant?.thinking).toEqual([{ text: 'I need it.', signature: 'c2ln' }]);
});

it('the system text and the limit stand in each request', () => {
  const world = new AgentWorld(script().text('Hi.'), { system: 'Be kind.', maxTokens: 500 });
  world.send('r');
  world.until('r done Hi.');
  expect(world.asked[0]).toMatchObject({ system: 'Be kind.', maxTokens: 500, model: 'm' });
});

// FOLD-A21: "Accept attachments without failing"
it('attachments are named to the model', () => {
  const world = new AgentWorld(script().text('Hi.'));
  const attachments = [{ filename: 'a.png', mime_type: 'image/png', data: 'AAAA' }];
  world.send('r', 'See', { attachments });
  world.until('r done Hi.');
  expect(world.messages(0)).toEqual(['user See\n[attached: a.png image/png]']);
});

it('a second message with the id of a running request is ignored', () => {
  const world = new AgentWorld(script().text('A.').barrier('b', { char: 1 }).times('always'));
  world.send('r');
  world.send('r');
  world.untilSaid('r', 'A');
  world.release('b');
  world.pass(1000);
  expect(world.told()).toEqual(['r says A.', 'r usage', 'r done A.']);
});

// FOLD-A51, A52: "Finish or terminate active requests first", then close
it('a shutdown ends every request, and closes its exchange', () => {
  const world = new AgentWorld(script().text('Hello. There.').barrier('b', { char: 6 }).times('always'));
  world.send('a', 'One', { thread_id: 't' });
  world.send('b', 'Two', { thread_id: 't' });
  world.untilSaid('a', 'Hello.');
  world.tell({ shutdown: { reason: 'update' } });
  world.pass(2000);
  expect(world.told('a').at(-1)).toBe('a error shutting down: update');
  expect(world.told('b')).toEqual(['b error shutting down: update']);
  expect(world.outcomes()).toEqual(['aborted']);
  expect(world.agent.peers()).toEqual([]);
});

// FOLD-A09: "After losing the stream, reconnect with backoff and same ID"
it('a lost stream ends its requests without a word; the thread goes on behind a new registration', () => {
  const first = script({ conversations: 'one' }).text('Hello. There.').barrier('b', { char: 6 });
  const world = new AgentWorld(first.turn().toolCall('read_file', { path: 'a' }).turn().text('Yes.'), {
    tools: [readFileTool],
  });
  world.send('a', 'One', { thread_id: 't' });
  world.untilSaid('a', 'Hello.');
  world.send('f', 'File');
  world.until('f running');
  world.inject('i', 'KEPT', 'NORMAL');
  world.above.fault(undefined, { kind: 'cut' });
  world.pass(1000);
  expect(world.outcomes()).toContain('aborted');
  expect(world.effects.at(-1)).toEqual({ do: 'cancel', id: 'tool-1' });
  expect(world.told('a')).toEqual(['a says Hello.']);
  world.send('c', 'Three', { thread_id: 't' });
  world.until('c done Yes.');
  expect(world.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([
    'One',
    'Hello.',
    'KEPT\n\nThree',
  ]);
  expect(world.told('f').at(-1)).toBe('f running');
});

it('while the gateway takes nothing, nothing more is read from the provider, and its silence is no stall', () => {
  const much = script()
    .text('x', { fill: { text: 'x', bytes: 400_000 } })
    .with({ chunk: { size: 500 } });
  const world = new AgentWorld(much, { maxTokens: 1_000_000, llm: { idle: 5000 } });
  world.send('r');
  world.untilAsked(1);
  world.above.fault(undefined, { kind: 'slow', rate: 4000 });
  world.pass(20_000);
  expect(world.outcomes()).toEqual([]);
  expect(world.textOf('r').length).toBeLessThan(100_000);
  world.above.fault(undefined, { kind: 'restore' });
  world.pass(100_000);
  expect(world.told().some((line) => line.startsWith('r error'))).toBe(false);
  expect(world.textOf('r') === 'x'.repeat(400_001)).toBe(true);
  expect(world.told().at(-1)?.slice(0, 7)).toBe('r done ');
});
