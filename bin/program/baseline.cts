/** The verbs `baseline write` and `baseline check`, which take the options of `check`. */
import type * as commander from 'commander';

/** The operands and options of `check`, for a verb that plays a check. */
function withCheckOptions(command: commander.Command, check: commander.Command): commander.Command {
  for (const argument of check.registeredArguments) command.addArgument(argument);
  const others = ['watch', 'watchPath', 'expected'];
  for (const option of check.options) if (!others.includes(option.attributeName())) command.addOption(option);
  return command;
}

/** Adds the verbs. */
function addBaselineVerbs(program: commander.Command, check: commander.Command): void {
  const baseline = program
    .command('baseline')
    .description('write the failures of today as known ones, and check that no others are there');

  withCheckOptions(
    baseline
      .command('write')
      .description('write the failures of a run, or of a report, into a file of expected failures')
      .option('--file <file>', 'the file to write', 'wireproof.baseline.yaml')
      .option('--from <report>', 'take the failures from this JSON report instead of a run')
      .option('--issue <url>', 'the issue of new entries')
      .option('--days <n>', 'new entries expire after this number of days', '90')
      .option('--renew', 'give the entries that are in the file already a new day of expiry, too')
      .option('--no-message', 'leave messages out: then any failure of the requirement is a known one')
      .addHelpText(
        'after',
        `
Examples:
  wireproof baseline write fold/agent -- ./my-agent {address}
  wireproof baseline write --from report.json --issue https://example.com/issues/7`,
      ),
    check,
  ).action(async (suite, command, options) =>
    (await import('../verbs/baseline.ts')).writeBaseline(suite, command, options),
  );

  withCheckOptions(
    baseline
      .command('check')
      .description('check a target: new failures fail, and known ones that are mended or have expired')
      .option('--file <file>', 'the file of known failures', 'wireproof.baseline.yaml')
      .addHelpText(
        'after',
        `
It is check --expected FILE, with the same verdicts and exit codes. A violated SHOULD is fatal with --strict.

Example:
  wireproof baseline check fold/agent -- ./my-agent {address}`,
      ),
    check,
  ).action(async (suite, command, options) =>
    (await import('../verbs/baseline.ts')).checkBaseline(suite, command, options),
  );
}

module.exports = { addBaselineVerbs };
