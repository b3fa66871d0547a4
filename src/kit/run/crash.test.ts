/** A crash is told from an orderly end: by the signal, the stack in the output, or the scenario that it cut short. */
import { expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { Crashes, crashOf } from './crash.ts';

const event = (kind: string, data: JsonObject): TraceEvent =>
  ({ seq: 0, at: 0, wire: 'x', conn: '', stream: '', from: 'target', to: 'kit', kind, data }) as TraceEvent;
const begin = event('mark', { scenario: 'plain', begin: true });
const end = (outcome: string): TraceEvent => event('mark', { scenario: 'plain', outcome });
const exit = (code: number | null, signal: string | null = null): TraceEvent =>
  event('process', { exit: code, signal });
const traceback = ['Traceback (most recent call last):', '  File "agent.py", line 3, in <module>'];

it.each([
  ['a signal', [begin, exit(null, 'SIGSEGV'), end('ended-early')], [], 'was ended by SIGSEGV', 'plain'],
  ['a traceback', [begin, exit(1), end('done')], traceback, 'exited with code 1', 'plain'],
  [
    'a panic',
    [begin, end('done'), exit(101)],
    ["thread 'main' panicked at src/main.rs:4"],
    'exited with code 101',
    undefined,
  ],
  ['an exit in a scenario', [begin, exit(0), end('ended-early')], [], 'exited with code 0', 'plain'],
])('%s is a crash', (_, events, output, words, scenario) => {
  expect(crashOf(events, output)).toEqual({ ending: words, scenario });
});

it.each([
  ['no end', [begin, end('done')], traceback],
  ['an end that the kit asked for', [begin, event('mark', { stop: 'target' }), exit(null, 'SIGTERM')], []],
  ['an agent that gives up after a refusal', [begin, exit(1), end('done')], ['refused']],
  ['a stack in the log of a target that exits with 0', [begin, end('done'), exit(0)], traceback],
])('%s is no crash', (_, events, output) => {
  expect(crashOf(events, output)).toBeUndefined();
});

it('one note names all scenarios with the same ending', () => {
  const crashes = new Crashes();
  for (const scenario of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a', undefined])
    crashes.add({ ending: 'exited with code 1', scenario });
  crashes.add({ ending: 'was ended by SIGSEGV', scenario: undefined });
  expect(crashes.notes()).toEqual([
    'the target exited with code 1, and nobody asked it to (a, b, c, d, e and 2 more)',
    'the target was ended by SIGSEGV, and nobody asked it to',
  ]);
});
