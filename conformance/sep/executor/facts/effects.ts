/** Facts of effects: the parts of outputs, and the actions that are undone. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import { difference, mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { Facts } from '../../../../src/kit/testee/index.ts';
import { ofEvents, textIn, textsIn } from '../events.ts';

/** By id: the number and the value of each part, in their order. */
const parts = ofEvents((wanted, events) => {
  for (const [id, all] of Object.entries(isObject(wanted) ? wanted : {})) {
    const came = events.filter((event) => event['type'] === 'partial' && event['id'] === id);
    const told = came.map(({ n = null, output = null }): Json => [n, output]);
    const odd = oddPart(id, isArray(all) ? all : [], told);
    if (odd !== undefined) return { violated: odd };
  }
  return 'exercised';
});

const oddPart = (id: string, wanted: readonly Json[], came: readonly Json[]): string | undefined =>
  wanted.length === came.length
    ? difference(`the parts of ${id}`, [...wanted], [...came])
    : `expected ${counted(wanted)} of ${id}; came ${counted(came)}`;

const counted = ({ length }: readonly Json[]): string => (length === 1 ? '1 part' : `${length} parts`);

/** All events of rollbacks, in their order: `a started`, `a completed`. */
const rollbacks = ofEvents((wanted, events) => {
  const told = events
    .filter(({ type }) => type === 'rollback')
    .map((event) => `${textIn(event, 'id')} ${textIn(event, 'status')}`);
  const expected = textsIn(wanted);
  if (expected.length === told.length && expected.every((one, i) => one === told[i])) return 'exercised';
  return mismatch(`the rollbacks ${listed(expected)}`, listed(told));
});

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** By id: the last status of its rollback. */
const undone = ofEvents((wanted, events) => {
  for (const [id, status] of Object.entries(isObject(wanted) ? wanted : {})) {
    const came = events.findLast((event) => event['type'] === 'rollback' && event['id'] === id)?.['status'];
    if (came !== status) return mismatch(`the rollback of ${id} to be ${shown(status)}`, shown(came));
  }
  return 'exercised';
});

/** The facts of effects. */
export const effectFacts: Facts = { parts, rollbacks, undone };
