/** Readers of SEP; see readers.test-helper.ts. */
import { describe } from 'vitest';
import { parseSep, Runner, scriptedProviders, sepTestee } from '../../src/sep/index.ts';
import { parseManifest } from '../../src/sep/edge/index.ts';
import { VirtualClock } from '../../src/kit/world/index.ts';
import { filled, holds, manyKeys, worstJson } from './readers.test-helper.ts';

const sepInputs: { readonly [kind: string]: string } = {
  'signs of less': filled('<'),
  'begins of tags': filled('<a '),
  'begins of actions': filled('<action '),
  'an action with a long tag': filled('a="b" ', '<action '),
  'ends of tags': filled('</action>'),
  thoughts: filled('<thought>'),
  'thoughts that end': filled('<thought></thought>'),
  comments: filled('<!--'),
  'ends of comments': filled('-', '<!--'),
  responses: filled('<response final="false">a</response>'),
  conditions: filled('<if test="a">'),
  loops: filled('<foreach in="$a">'),
  'closed loops': filled('<foreach in="$a"></foreach>'),
  groups: filled('<parallel><action type="tool" mode="sync" id="a">{"name":"n"}</action></parallel>'),
  templates: Array.from(
    { length: 12_000 },
    (_, n) => `<template name="t${n}">{"type":"tool","name":"n"}</template>`,
  ).join(''),
  actions: Array.from(
    { length: 15_000 },
    (_, n) => `<action type="tool" mode="async" id="a${n}">{"name":"n"}</action>`,
  ).join(''),
  'actions in a row': Array.from(
    { length: 11_000 },
    (_, n) => `<action type="tool" mode="async" id="a${n}" depends_on="a${n - 1}">{"name":"n"}</action>`,
  ).join(''),
  'an action with many dependencies': `<action type="tool" mode="async" id="b">{"name":"n","depends_on":[${filled('"a",')}"a"]}</action>`,
  'actions with one id': filled('<action type="tool" mode="async" id="a">{"name":"n"}</action>'),
  'names of actions': `<response>${filled('$a ')}</response>`,
  'names in parameters': `<action type="tool" mode="async" id="a">{"name":"n"}</action><action type="tool" mode="async" id="b">{"name":"n","parameters":{"t":"${filled('$a ')}"}}</action>`,
  'a body of braces': filled('{', '<action type="tool" mode="async" id="a">'),
  'a body of quotes': filled('"', '<action type="tool" mode="async" id="a">{'),
  'a body of begins of ends': filled('</', '<action type="tool" mode="async" id="a">'),
  'a feed': filled('<context_feed id="a">b'),
  ...Object.fromEntries(
    Object.entries(worstJson).map(([kind, text]) => [
      `parameters: ${kind}`,
      `<action type="tool" mode="async" id="a">{"name":"n","parameters":{"p":${text}}}</action>`,
    ]),
  ),
};

const allExtensions = Object.fromEntries(
  ['conditions', 'loops', 'groups', 'templates', 'rollback', 'sub_thoughts', 'partial_results'].map(
    (name) => [name, true],
  ),
);

describe('SEP', () => {
  holds<string>(
    {
      'the parser': (text) => parseSep(text),
      'the parser with extensions': (text) => parseSep(text, { extensions: allExtensions }),
      'the executor': (text) => run(text, false),
      'the executor with extensions': (text) => run(text, true),
      // A testee has no other clients, and its answer repeats the input: half of it is read.
      'the testee': (text) => sepTestee({ id: 1, op: 'sep.parse', chunks: [text.slice(0, text.length / 2)] }),
    },
    sepInputs,
  );
  // Files that a person names are only linear: theirs are smaller.
  holds<string>(
    { 'a manifest': (text) => parseManifest(text) },
    {
      'unknown keys': manyKeys((n) => `k${n}`, '1', 30_000),
      feeds: `context_feeds:\n${filled('  - {id: a, type: on_demand, source: {type: tool, name: n}}\n', '', '', 60_000)}`,
      brackets: filled(']', '', '', 10_000),
    },
  );
});

/** Runs an output on a clock of the test, in pieces of 64 KiB as stdin gives them. */
async function run(text: string, extended: boolean): Promise<void> {
  const clock = new VirtualClock();
  const runner = new Runner({
    clock,
    providers: scriptedProviders({}, () => ({ output: 1 })),
    onEvent: () => {},
    ...(extended ? { extensions: allExtensions } : {}),
  });
  runner.begin();
  for (let at = 0; at < text.length; at += 65_536) {
    runner.write(text.slice(at, at + 65_536));
    await new Promise((resolve) => void setImmediate(resolve));
  }
  runner.endOutput();
}
