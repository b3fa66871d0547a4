/** The verbs `report merge`, `report diff` and `report matrix`. */
import type * as commander from 'commander';
import type { SharedOptions } from './options-facts.ts' with { 'resolution-mode': 'import' };

const { collect, withFormatOptions } = require('./options.cjs') as SharedOptions;

/** Adds the verbs. */
function addReportVerbs(program: commander.Command): void {
  const report = program
    .command('report')
    .description('merge the reports of shards, compare two reports, or put several side by side');

  withFormatOptions(
    report
      .command('merge')
      .description('merge the JSON reports of all shards of a run; the exit code is that of the whole run')
      .argument('<file...>', 'the reports of all shards (check --shard i/n --report json=FILE)')
      .option('--allow-inconclusive', 'exit 0 when nothing failed, even if a requirement was not exercised')
      .addHelpText(
        'after',
        `
The shards of each target of a statement make a report of their own; {name} in a path is the name of the target.

Examples:
  wireproof report merge shard-*.json --report console --report junit=out.xml
  wireproof report merge shard-*.json --report json=whole-{name}.json`,
      ),
  ).action(async (files, options) => (await import('../verbs/report.ts')).merge(files, options));

  addDiff(report);
  addMatrix(report);
}

function addDiff(report: commander.Command): void {
  report
    .command('diff')
    .description('show what became worse, better or different between two JSON reports of a suite')
    .argument('<old>', 'the older report')
    .argument('<new>', 'the newer report')
    .option('--json', 'print JSON (spec/formats/report-diff.schema.json)')
    .addHelpText(
      'after',
      `
Exit codes: 1 when a requirement failed that did not fail before, when one that passed does not pass any more,
            or when the verdict of the run is worse; 0 otherwise. New requirements and missing ones are not worse.

Example:
  wireproof report diff main.json branch.json`,
    )
    .action(async (old, now, options) => (await import('../verbs/report.ts')).diff(old, now, options));
}

function addMatrix(report: commander.Command): void {
  report
    .command('matrix')
    .description('put JSON reports side by side: a row for each requirement, a column for each report')
    .argument('<file...>', 'the reports; other suites and revisions get a section of their own')
    .option('--out <file>', 'write an HTML page; the same as --report html=FILE')
    .option(
      '--report <format[=path]>',
      'html or markdown; default: markdown to stdout (repeatable)',
      collect,
      [],
    )
    .addHelpText('after', '\nExample:\n  wireproof report matrix reports/*.json --out matrix.html')
    .action(async (files, options) => (await import('../verbs/report.ts')).matrix(files, options));
}

module.exports = { addReportVerbs };
