/** Scenario files: the short form of a call is the `send` that it stands for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readScenario } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true }));

const stepsOf = (steps: string): unknown => {
  const file = join(folder, 'calls.yaml');
  writeFileSync(file, `title: Calls\nsuite: a/b\npeers: { operator: { role: a/c } }\nsteps: ${steps}\n`);
  return readScenario(file).steps;
};

describe('a call of the operator', () => {
  const send = { send: { from: 'operator', message: { cancel: { id: '$id' } } } };

  it('is a send from this peer', () => {
    expect(stepsOf('[{ operator: { cancel: { id: $id } }, as: { id: uuid } }]')).toEqual([
      { ...send, as: { id: 'uuid' } },
    ]);
  });

  it('may be in branches and rounds', () => {
    const call = '{ operator: { cancel: { id: $id } } }';
    expect(
      stepsOf(`[{ parallel: [[${call}], [${call}]] }, { repeat: { times: 2, steps: [${call}] } }]`),
    ).toEqual([{ parallel: [[send], [send]] }, { repeat: { times: 2, steps: [send] } }]);
  });

  it('leaves other steps as they are', () => {
    const steps = [
      { send: { from: 'operator', message: {}, verbatim: true } },
      { await: { from: 'target' }, as: { id: 'x.id' }, else: { await: { from: 'target', kind: 'end' } } },
      { quiet: { for: '1s' } },
      { stop: 'target' },
    ];
    expect(stepsOf(JSON.stringify(steps))).toEqual(steps);
  });
});
