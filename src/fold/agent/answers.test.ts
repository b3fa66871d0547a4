/** Scripted answers: by a match, in order, the last again; a directive comes first. */
import { expect, it } from 'vitest';
import { directive } from '../directive.ts';
import type { ScriptedAnswer } from '../directive.ts';
import { agent } from './agent.ts';
import { stepsOf } from './answers.ts';
import { Outputs } from './state.ts';

const answers: readonly ScriptedAnswer[] = [
  { do: [{ say: 'first' }] },
  { match: 'Weather', do: [{ think: 'hm' }, { say: 'rain' }] },
  { do: [{ fail: 'no more' }] },
];

/** The steps of the messages that one agent gets. */
function steps(script: readonly ScriptedAnswer[] | undefined, contents: readonly string[]): unknown[] {
  const options = { ...(script === undefined ? {} : { answers: script }) };
  const state = agent(options).start();
  const full = { agent_id: 'a', register: {}, epoch: 0, metadata: () => ({}), ...options };
  return contents.map((content) => stepsOf(new Outputs(state, 0, full), content));
}

it('takes the answer that matches, else the next, and the last again', () => {
  expect(steps(answers, ['a', 'the weather?', 'b', 'WEATHER', 'c'])).toEqual([
    [{ say: 'first' }],
    [{ think: 'hm' }, { say: 'rain' }],
    [{ fail: 'no more' }],
    [{ think: 'hm' }, { say: 'rain' }],
    [{ fail: 'no more' }],
  ]);
});

it('says the content where no answer fits, and obeys a directive before all', () => {
  expect(steps([{ match: 'x', do: [] }], ['hello', directive([{ say: 'hi' }])])).toEqual([
    [{ say: 'hello' }],
    [{ say: 'hi' }],
  ]);
  expect(steps(undefined, ['hello'])).toEqual([[{ say: 'hello' }]]);
  expect(steps(answers, [directive([{ nonsense: 1 }])])).toEqual([[{ fail: 'unsupported: nonsense' }]]);
});
