/** Which rows the events of a live run show. */
import { expect, it } from 'vitest';
import { readRequirements } from '../../../../src/kit/spec/index.ts';
import { runRules } from './index.ts';
import { unseenLive } from './unseen.ts';

it('every row of executors has a rule about live runs, or the reason why their events do not show it', () => {
  const rows = readRequirements('sep').requirements.filter(
    ({ roles, excluded }) => roles.includes('executor') && excluded === undefined,
  );
  const judged = [...Object.keys(runRules), ...Object.keys(unseenLive)];
  expect(judged.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});
