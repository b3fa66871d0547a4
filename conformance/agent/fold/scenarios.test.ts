/** The scenarios of whole agents: what a law of the judge needs. */
import { expect, it } from 'vitest';
import { scenariosOf } from '../../../src/kit/suite/index.ts';
import { agentFoldSuite } from './suite.ts';

/** The contents of the requests that a scenario sends, in their order. */
const contentsIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(contentsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { send_message: sent, ...others } = value as {
    readonly send_message?: { readonly content?: unknown };
  };
  return [
    ...(sent === undefined ? [] : [JSON.stringify(sent.content)]),
    ...Object.values(others).flatMap(contentsIn),
  ];
};

// A model request belongs to the request whose content is in it. On a busy machine it may arrive after the next one was sent.
it.each(scenariosOf(agentFoldSuite))('$name sends no content twice', ({ steps }) => {
  const contents = contentsIn(steps);
  expect(contents.filter((content, i) => contents.indexOf(content) < i)).toEqual([]);
});
