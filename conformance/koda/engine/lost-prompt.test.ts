/** The note about an engine that runs no prompt, and what a busy machine makes of it. */
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { kodaEngineSuite } from './suite.ts';

/** A session of one prompt, without any event of the engine. */
const ignored: readonly TraceEvent[] = [
  {
    seq: 0,
    at: 0,
    wire: 'koda',
    conn: '',
    stream: '',
    from: 'kit',
    to: 'kit',
    kind: 'mark',
    data: { run: {} },
  },
  {
    seq: 1,
    at: 5,
    wire: 'koda',
    conn: 'c1',
    stream: 's1',
    from: 'target',
    to: 'client',
    kind: 'open',
    data: {},
  },
  {
    ...{
      seq: 2,
      at: 10,
      wire: 'koda',
      conn: 'c1',
      stream: 's1',
      from: 'client',
      to: 'target',
      kind: 'message',
    },
    data: { type: 'user_prompt', text: 'Hello', images: [] },
  },
];

const busy = (ms: number): TraceEvent => ({
  ...{ seq: 3, at: 20, wire: 'koda', conn: '', stream: '', from: 'kit', to: 'kit', kind: 'mark' },
  data: { busy: ms },
});

function noteOf(events: readonly TraceEvent[]): string | undefined {
  const { target, judging } = kodaEngineSuite;
  const judge = new Judge(judging);
  for (const event of events) judge.step(event);
  return target.kind === 'meets' ? target.note?.(judge.view) : undefined;
}

it('says what an engine that runs no prompt must do', () => {
  expect(noteOf(ignored)).toContain('it must send a turn_start for each user_prompt');
});

it('says it on a machine that is a little busy, too', () => {
  expect(noteOf([...ignored, busy(3000)])).toContain('turn_start');
});

it('says nothing of the engine on a busy machine, where the prompt may be under way', () => {
  expect(noteOf([...ignored, busy(9000)])).toBeUndefined();
});
