/** Rules about responses and iterations: SEP-51, 52, 53 and 56. */
import { mismatch } from '../../../../src/kit/testee/index.ts';
import { textIn } from '../events.ts';
import { actionOf } from '../model/take-event.ts';
import type { RunRule, RunRules } from './rule.ts';

const oneFinal: RunRule = ({ finals, responses }, event) => {
  if (event['type'] === 'response_end' && event['final'] === true && event['complete'] !== false)
    return finals === 0 ? undefined : mismatch('at most one final response', 'a second one');
  return event['type'] === 'finished' && responses > 1 ? 'exercised' : undefined;
};

const goesOn: RunRule = ({ finals, responses }, event) => {
  if (event['type'] === 'iteration') {
    if (event['n'] === 1) return undefined;
    return finals === 0
      ? 'exercised'
      : mismatch('no iteration after a final response', 'a further iteration');
  }
  // A run without ends of responses may have had a final one.
  if (event['type'] !== 'finished' || event['reason'] !== 'final' || responses === 0 || finals > 0)
    return undefined;
  return mismatch('a further iteration after responses that are not final', 'finished');
};

/** Text, and actions that came after the end of the final response. Those that came before it may still start. */
const ignoresRest: RunRule = (facts, event) => {
  const { type } = event;
  if (facts.finals === 0) return undefined;
  const action = type === 'started' ? actionOf(facts, event) : undefined;
  if (action !== undefined && action.declared.n > facts.finalEnd)
    return mismatch(`${action.id} to be ignored after the final response`, `started ${action.id}`);
  return (type === 'response' || type === 'thought') && textIn(event, 'text').trim() !== ''
    ? mismatch(`no text after the final response`, `the text of a ${type}`)
    : undefined;
};

/** The cap of iterations is the end of the run. */
export const capRule: RunRule = ({ finished }, { type }) =>
  finished === 'max_iterations' && type === 'iteration'
    ? mismatch('no iteration after the last one that the run may have', 'a further iteration')
    : undefined;

/** The rules of this file. */
export const responseRules: RunRules = { 'SEP-51': oneFinal, 'SEP-52': goesOn, 'SEP-53': ignoresRest };
