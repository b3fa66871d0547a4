/** Makes a script of what stands in a document, or says what is wrong with it and where. */
import { ok, refuse } from '../../kit/base/index.ts';
import type { Result, Violation } from '../../kit/base/index.ts';
import { defaultModel, scriptLimits } from './script.ts';
import type { Script, ScriptTurn } from './script.ts';
import { DocumentCursor, defined } from './read.ts';
import { turnOf } from './turn.ts';

/**
 * Checks a script as YAML or JSON gives it (spec/formats/llm-script.schema.json, and what a schema cannot say). Total:
 * refuses with the first fault, its path and what was expected, whatever the value is.
 *
 * @example
 * checkScript({ turns: [{ steps: [{ text: 'Hello' }] }] }).ok; // true
 * const bad = checkScript({ turns: [{ steps: [{ txt: 'Hello' }] }] });
 * bad.ok ? '' : bad.error.path; // 'turns[0].steps[0]'
 */
export function checkScript(value: unknown): Result<Script, Violation> {
  const place = new DocumentCursor(value);
  place.object(['title', 'model', 'tokenizer', 'turns'], ['turns']);
  const tokenizer = place.at('tokenizer');
  if (place.has('tokenizer')) tokenizer.object(['units'], ['units']);
  const units = tokenizer.maybe('units', (n) => n.integer(2, 1000)) ?? 4;
  const script: Script = {
    ...defined({ title: place.maybe('title', (title) => title.line()) }),
    model: place.maybe('model', (model) => model.line()) ?? defaultModel,
    tokenizer: { units },
    turns: turnsOf(place.at('turns')),
  };
  return place.fault === undefined ? ok(script) : refuse(place.fault);
}

function turnsOf(place: DocumentCursor): readonly ScriptTurn[] {
  const turns: ScriptTurn[] = [];
  let steps = 0;
  for (const item of place.list(1, scriptLimits.turns, 'turns')) {
    const turn = turnOf(item);
    if (item.fault !== undefined) break;
    steps += turn.steps.length;
    if (steps > scriptLimits.steps)
      item.refuse('too-large', `at most ${scriptLimits.steps} steps in a script`, 'more');
    turns.push(turn);
  }
  return turns;
}
