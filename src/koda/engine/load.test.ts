/** The load of the reference engine: a long turn for a client that does not read makes the engine slow, not large. */
import { describe, expect, it } from 'vitest';
import { engineStage, interrupt, promptOf, todo } from '../link/stage.test-helper.ts';
import type { EngineStage } from '../link/stage.test-helper.ts';

const deltas = 100_000;
const long = todo({ say: Array.from({ length: deltas }, () => 'x') });
/** The most outputs of one step: 32 acts of a few events each. */
const batch = 256;

const give = (stage: EngineStage, message: typeof long): number =>
  stage.give({ type: 'message', peer: 's1', message });

describe('a turn of 100,000 deltas', () => {
  it('is sent in small batches, with time for other work between', () => {
    const stage = engineStage();
    expect(give(stage, long)).toBeLessThan(batch);
    let [steps, sent] = [0, stage.sentOf('text_delta').length];
    while (stage.fire()) {
      const outputs = stage.sent();
      expect(outputs.length).toBeLessThan(batch);
      sent += outputs.filter(({ type }) => type === 'text_delta').length;
      steps++;
    }
    expect(sent).toBe(deltas);
    expect(steps).toBeGreaterThan(deltas / batch);
  });

  it('stops at a full carrier, and goes on when the carrier has drained', () => {
    const stage = engineStage();
    give(stage, long);
    stage.give({ type: 'full', peer: 's1' });
    const before = stage.sentOf('text_delta').length;
    expect(stage.pass(60_000).take()).toEqual([]);
    expect(JSON.stringify({ ...stage.work.turn, steps: [] }).length).toBeLessThan(1000);
    stage.link('drained');
    expect(before + stage.sentOf('text_delta').length).toBe(deltas);
  });
});

describe('a command between two batches', () => {
  it('brings no batch of its own, so that a client cannot hasten the engine', () => {
    const stage = engineStage();
    give(stage, long);
    expect([1, 2, 3].map(() => give(stage, promptOf('x')))).toEqual([0, 0, 0]);
  });
});

describe('a client that does not read', () => {
  it('gets nothing for its commands, however many they are', () => {
    const stage = engineStage();
    give(stage, long);
    stage.give({ type: 'full', peer: 's1' });
    stage.take();
    for (let i = 0; i < 3000; i++)
      stage
        .say(
          promptOf('x'),
          interrupt,
          { type: 'slash_command', cmd: 'help' },
          { type: 'slash_command', cmd: 'compact' },
        )
        .say({ type: 'slash_command', cmd: 'switch_model', model: 'm' });
    const outputs = stage.take();
    expect(outputs.filter(({ type }) => type !== 'tell')).toEqual([]);
    expect(stage.work.queue).toHaveLength(1024);
    // The application learns of each; no report says that the engine has no stream.
    const told = new Set(outputs.map((output) => (output.type === 'tell' ? output.what : '')));
    expect([...told]).toEqual(['withheld']);
  });

  it('gets the end of the turn that it interrupted, and the turns of its prompts, once it reads (KODA-49, 77)', () => {
    const stage = engineStage();
    give(stage, long);
    stage.give({ type: 'full', peer: 's1' });
    stage.say(interrupt, promptOf('b'));
    stage.take();
    expect(stage.link('drained').did()).toEqual([
      ...['text_done', 'turn_end cancelled', 'turn_start', 'context_usage 100', 'response_start'],
      ...['text_delta You said: b', 'text_done', 'footer', 'turn_end complete'],
    ]);
  });
});
