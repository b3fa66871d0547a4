/** Tab in the orders of a session completes orders, then ids and names that were seen (node:readline, `completer`). */
import { describe, expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { OrderCompleter } from './completer.ts';

const event = (data: JsonObject): TraceEvent => ({
  ...{ seq: 0, at: 0, wire: 'w', conn: '', stream: '', from: 'target', to: 'peer', kind: 'message', data },
});

describe('the completer', () => {
  const completer = new OrderCompleter(['send', 'shutdown', 'cancel']);
  completer.note(event({ send: { request_id: 'a36c', content: 'hello there' } }));
  completer.note(event({ response: { request_id: 'a99f', tool_use: { name: 'bash', id: 'toolu_1' } } }));

  it.each([
    ['s', ['send ', 'shutdown '], 's'],
    ['', ['send ', 'shutdown ', 'cancel '], ''],
    ['cancel a', ['a99f ', 'a36c '], 'a'],
    ['cancel ', ['toolu_1 ', 'bash ', 'a99f ', 'a36c '], ''],
    ['cancel x', [], 'x'],
  ])('completes %j', (line, names, word) => {
    expect(completer.complete(line)).toEqual([names, word]);
  });
});

it('keeps the newest ids only', () => {
  const completer = new OrderCompleter([]);
  for (let i = 0; i < 1000; i++) completer.note(event({ id: `r-${i}` }));
  const [names] = completer.complete('cancel r-');
  expect([names.length, names[0]]).toEqual([200, 'r-999 ']);
});
