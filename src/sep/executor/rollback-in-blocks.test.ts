/** Rollbacks of actions in loops, and of templates: spec/sep/README.md, "Rollback". */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { CallQueue } from './call-queue.ts';
import { Runner } from './runner.ts';

/** The parameters of the calls of `cancel`, in order. A call of `book` gives its number; `bad` fails and ends the turn. */
function cancelled(output: string): readonly JsonObject[] {
  const calls: JsonObject[] = [];
  let booked = 0;
  const clock = new CallQueue();
  const runner = new Runner({
    clock,
    extensions: { loops: true, templates: true, rollback: true },
    maxIterations: 1,
    onEvent: () => {},
    providers: {
      tool: {
        run({ action: { name }, parameters }) {
          if (name === 'bad') return { error: 'no' };
          if (name === 'book') return { output: ++booked };
          calls.push(parameters);
          return { output: true };
        },
      },
    },
  });
  runner.begin();
  runner.write(
    `${output}<action type="tool" mode="sync" id="z">{"name": "bad", "on_error": "fail"}</action>`,
  );
  runner.endOutput();
  while (clock.runNext());
  return calls;
}

it('in a loop, its references mean those of the round', () => {
  const body = JSON.stringify({
    name: 'book',
    rollback: { name: 'cancel', parameters: { city: '$item', booking: '$b' } },
  });
  const output = `<foreach in='["Bern", "$z"]'><action type="tool" mode="sync" id="b">${body}</action></foreach>`;
  expect(cancelled(output)).toEqual([
    { city: '$z', booking: 2 },
    { city: 'Bern', booking: 1 },
  ]);
});

it('the action of a template may have one', () => {
  const output = `<template name="t">{"name": "book"}</template><action type="template" mode="sync" id="b">
    {"name": "t", "rollback": {"name": "cancel", "parameters": {"booking": "$b"}}}</action>`;
  expect(cancelled(output)).toEqual([{ booking: 1 }]);
});
