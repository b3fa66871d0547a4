/** The messages of rules name members of the wire and quote what came. They have no words of our own. */
import { expect, it } from 'vitest';
import { simulate } from '../../../src/kit/suite/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { serverScenarios } from './scenarios.ts';
import { llmServerSuite } from './suite.ts';

/** Words that no reader of a report can know: keys of our maps, and values that JSON does not have. */
const ours: readonly RegExp[] = [
  /\bundefined\b/,
  /\[object \w+\]/,
  /\bNaN\b/,
  /came nothing/,
  /\b\d+\/\d+\b/,
  /without index\b(?! )/,
  /\bfunction_call 0\b/,
  /came\s*$/,
  /expected\s*;/,
  / {2}/,
];

/** All messages of a mutant, in the scenarios of its dialect. */
function messagesOf(id: string): readonly string[] {
  const mutant = llmServerSuite.mutants().find((one) => one.id === id);
  const dialect = dialects.findLast((name) => id.startsWith(`${name}-`)) ?? '';
  const played = serverScenarios().filter(
    ({ name, exercises }) => name.startsWith(dialect) && exercises.includes(mutant?.breaks ?? ''),
  );
  return played.flatMap((scenario) => {
    if (mutant === undefined) return [];
    const { found } = simulate({ suite: llmServerSuite, scenario, target: mutant.make(), seed: '1' });
    return [...found.values()].flatMap(({ violations }) => violations.map(({ message }) => message));
  });
}

it('no message of a mutant has a word of our own', { timeout: 120_000 }, () => {
  const messages = llmServerSuite.mutants().flatMap(({ id }) => messagesOf(id).map((text) => ({ id, text })));
  expect(messages.length).toBeGreaterThan(llmServerSuite.mutants().length);
  expect(messages.filter(({ text }) => ours.some((word) => word.test(text)))).toEqual([]);
  expect(messages.filter(({ text }) => !text.startsWith('expected '))).toEqual([]);
});
