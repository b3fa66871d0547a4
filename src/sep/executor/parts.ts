/** Parts of the output of an action that runs: the extension `partial_results`. They change no value. */
import type { Json } from '../../kit/base/index.ts';
import { running } from './actions.ts';
import { extentOf, refusalOf } from '../values/extent.ts';
import { remark, show } from './state.ts';
import type { PartsOfAttempt } from './entry.ts';
import type { ExecutorStep } from './state.ts';

/** The parts of an attempt, before one has come. */
const noParts = (): PartsOfAttempt => ({ count: 0, characters: 0, told: new Set() });

/**
 * Takes a part of an attempt. One of an attempt that is over, and any where the extension is off, is dropped without a
 * word. One beyond the limits is dropped with a remark, once for an attempt.
 */
export function takePart(step: ExecutorStep, id: string, attempt: number, output: Json): void {
  const { state, limits, extensions } = step;
  const entry = extensions.has('partial_results') ? running(state, id, attempt) : undefined;
  if (entry === undefined) return;
  const parts = (entry.parts ??= noParts());
  const refuse = (code: 'too-many-parts' | 'value-refused', message: string): void => {
    if (!parts.told.has(code)) remark(step, code, `${message}; it is dropped`);
    parts.told.add(code);
  };
  if (parts.count >= limits.mostParts)
    return refuse('too-many-parts', `expected at most ${limits.mostParts} parts of ${id}; one more came`);
  const { characters, ...extent } = extentOf(output, limits.mostValue, state.extents);
  const together = { ...extent, characters: parts.characters + characters };
  const refused = refusalOf(together, `a part of ${id}, with the parts before it,`, limits.mostValue);
  if (refused !== undefined) return refuse('value-refused', refused);
  parts.characters += characters;
  show(step, { type: 'partial', id, n: parts.count++, output });
}
