/** The options that several verbs take, in groups of the help. */
import type * as commander from 'commander';
import type { ProtocolFacts } from './protocol-facts.ts' with { 'resolution-mode': 'import' };

const { Help, Option } = require('commander') as typeof commander;
const { protocols } = require('../registry.json') as { readonly protocols: readonly ProtocolFacts[] };

/** Collects the values of a repeatable option. */
const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** The text of an option, without a default that is an empty list. */
function optionDescription(this: commander.Help, option: commander.Option): string {
  return new Help().optionDescription(option).replace(' (default: [])', '');
}

/** Adds the formats of reports. */
const withFormatOptions = (command: commander.Command): commander.Command =>
  command
    .optionsGroup('Reports:')
    .option(
      '--report <format[=path]>',
      'console, json, junit, markdown, html, ctrf, badge or github; to a file, or to stdout (repeatable)',
      collect,
      [],
    )
    .option('--json', 'the same as --report json')
    .option('-v, --verbose', 'a line for every requirement');

/** Adds the options of the verdict. */
const withVerdictOptions = (command: commander.Command): commander.Command =>
  command
    .optionsGroup('Verdict:')
    .option('--strict', 'a violated SHOULD is fatal too')
    .option('--allow-inconclusive', 'exit 0 when nothing failed, even if a requirement was not exercised');

/** Adds the options that select requirements. */
const withSelectionOptions = (command: commander.Command): commander.Command =>
  command
    .optionsGroup('Selection:')
    .option('--only <glob>', 'judge only these requirement ids; * matches any text (repeatable)', collect, [])
    .option('--skip <glob>', 'leave these requirement ids out (repeatable)', collect, [])
    .addOption(
      new Option('--level <level>', 'judge requirements of this level and above').choices([
        'MUST',
        'SHOULD',
        'MAY',
      ]),
    )
    .option('--as-of <version>', 'judge only requirements that this version of the kit had');

/** The examples of a verb, or of the root help, as lines below the help. */
function examples(verb: string | undefined, more: readonly (readonly [string, string])[] = []): string {
  const own = protocols.flatMap((protocol) =>
    protocol.examples
      .filter(({ command, root = false }) =>
        verb === undefined ? root : `${command} `.startsWith(`${verb} `),
      )
      .map(({ command, text }) => [command, text] as const),
  );
  const all = [...own, ...more];
  if (all.length === 0) return '';
  const width = Math.min(70, Math.max(...all.map(([command]) => command.length)));
  const lines = all.map(([command, text]) => `  wireproof ${command.padEnd(width)}  ${text}`.trimEnd());
  return `\nExamples:\n${lines.join('\n')}`;
}

module.exports = {
  collect,
  examples,
  optionDescription,
  withFormatOptions,
  withSelectionOptions,
  withVerdictOptions,
};
