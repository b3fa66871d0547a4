/** Random sessions of the reference engine and client, and of engines that are wrong in ways that they must notice. */
import { describe, expect, it } from 'vitest';
import type { RoleInput } from '../../../src/kit/base/index.ts';
import { playStorm } from '../../../src/kit/storm/index.ts';
import type { StormReport } from '../../../src/kit/storm/index.ts';
import { allFaults, onReceive, onSend } from '../../../src/kit/suite/index.ts';
import { engine } from '../../../src/koda/index.ts';
import type { EngineCommand } from '../../../src/koda/index.ts';
import { faultyEngine } from '../shared/mutants/mutant.ts';
import type { EngineFault } from '../shared/mutants/mutant.ts';
import { engineOptions } from '../shared/peers.ts';
import { engineStorm } from './storm.ts';
import type { MakeEngine } from './storm.ts';

/** An engine with a fault. */
const broken =
  (fault: () => EngineFault): MakeEngine =>
  (given) =>
    faultyEngine(engine(engineOptions(given)), fault());

const run = (count: number, make?: MakeEngine, shrinks = 0): StormReport =>
  playStorm(engineStorm(make), { from: 1, count, onProgress: () => {} }, { shrinks });

it('100 random sessions break no rule of either side, end, and repeat', { timeout: 60_000 }, () => {
  const { sessions, events, failures } = run(100);
  expect(failures.map(({ seed, what }) => `${seed} ${what}`)).toEqual([]);
  expect(sessions).toBe(100);
  expect(events).toBeGreaterThan(5000);
});

describe('a storm notices', () => {
  it.each<[string, RegExp, () => EngineFault]>([
    [
      'a result that comes twice now and then',
      /KODA-35/,
      () => {
        let results = 0;
        return onSend((event) =>
          event.type === 'tool_call_result' && ++results % 5 === 0 ? [event, event] : [event],
        );
      },
    ],
    [
      'an interrupt that is taken for the end of the queue',
      /KODA-7[67]|unfinished/,
      () => {
        let interrupted = false;
        return onReceive((command) => {
          interrupted ||= command.type === 'interrupt';
          return interrupted && command.type === 'user_prompt' ? [] : [command];
        });
      },
    ],
    [
      'code that throws',
      /throws: .*ouch/,
      () => ({
        input(input: RoleInput<EngineCommand, never>) {
          if (input.type === 'message' && input.message.type === 'loop_decision') throw new Error('ouch');
          return [input];
        },
      }),
    ],
    [
      'turns that do not end',
      /KODA-(?:23|25)|unfinished/,
      () =>
        allFaults(
          {},
          onSend((event) => (event.type === 'turn_end' ? [] : [event])),
        ),
    ],
  ])('%s', (_, expected, fault) => {
    const { failures } = run(40, broken(fault));
    expect(failures.map(({ what }) => what).join('\n')).toMatch(expected);
  });

  it('an engine that throws at an interrupt, and shrinks it to one interrupt in the set-up of one prompt', () => {
    const fragile = (): EngineFault =>
      onReceive((command) => {
        if (command.type === 'interrupt') throw new Error('ouch');
        return [command];
      });
    const shrunk = run(40, broken(fragile), 1).failures.find(({ steps }) => steps !== undefined);
    expect(shrunk?.broke).toBe('throws');
    expect(shrunk?.steps?.length).toBeLessThanOrEqual(2);
    const { client } = JSON.parse(shrunk?.steps?.[0]?.replace('set up with ', '') ?? '') as {
      client: object;
    };
    expect(client).toMatchObject({ prompts: [expect.any(String)] });
  });
});
