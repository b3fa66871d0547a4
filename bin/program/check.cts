/** The verb `check`. */
import type * as commander from 'commander';
import type { SharedOptions } from './options-facts.ts' with { 'resolution-mode': 'import' };
import type { ProtocolFacts } from './protocol-facts.ts' with { 'resolution-mode': 'import' };

const { Option } = require('commander') as typeof commander;
const { collect, examples, withFormatOptions, withSelectionOptions, withVerdictOptions } =
  require('./options.cjs') as SharedOptions;
const { protocols } = require('../registry.json') as { readonly protocols: readonly ProtocolFacts[] };

const suites = protocols.flatMap((protocol) => protocol.suites);

/** Adds the verb. */
function addCheckVerb(program: commander.Command): commander.Command {
  const check = program
    .command('check')
    .description('check a target against a suite')
    .argument(
      '[suite]',
      `the suite: ${suites.join(', ')}; or the name of a target of the statement; default: all of its targets`,
    )
    .argument(
      '[command...]',
      'after --: how to start the target; {address}, {listen}, {host}, {port}, {http_port} and {url} are replaced',
    );
  addTargetOptions(check);
  addPlayOptions(check);
  withSelectionOptions(check)
    .option(
      '--scenario <name>',
      'play only this scenario (repeatable); all requirements are judged',
      collect,
      [],
    )
    .option('--shard <i/n>', 'play only this part of the scenarios, such as 1/3 (wireproof report merge)')
    .option(
      '--last-failed',
      'play only what failed in the last run of this suite and target; without a failure, all',
    );
  withVerdictOptions(check)
    .option('--expected <file>', 'known failures to apply: a baseline, or a statement')
    .option(
      '--profile <name>',
      'judge by this profile of the suite: its known deviations, its further rows (explain profile)',
    );
  withFormatOptions(check);
  addTraceOptions(check);
  return check
    .optionsGroup('Other:')
    .option('--watch', "check again when the files of the target's command change")
    .option(
      '--watch-path <path>',
      'with --watch: a file or folder to watch instead (repeatable)',
      collect,
      [],
    )
    .helpOption('-h, --help', 'show help')
    .addHelpText(
      'after',
      examples('check', [
        ['check --report console --report junit=out.xml', 'suite and target from wireproof.yaml'],
        ['check --report json=reports/{name}.json', 'all targets of wireproof.yaml, a file each'],
        ['check --last-failed', 'what failed in the last run; partial, never conformant'],
        ['check --watch --watch-path src', 'check again at each change'],
        ['check SUITE --connect grpcs://my-host:443 --ca my-ca.pem', 'a running target, over TLS'],
      ]),
    )
    .action(async (suite, command, options) =>
      options.watch === true
        ? (await import('../verbs/watch.ts')).watch(suite, command, options)
        : (await import('../verbs/check.ts')).check(suite, command, options),
    );
}

/** The options that say what the target is, and how the kit meets it. */
const addTargetOptions = (check: commander.Command): commander.Command =>
  check
    .optionsGroup('Target:')
    .option('--statement <file>', 'the statement; default: wireproof.yaml or .yml in this folder or above')
    .option('--drive <drive>', 'how to drive the target, such as passive (wireproof explain drive)')
    .option(
      '--carrier <name>',
      'tcp, stdio, ws or http; default: from the command (wireproof explain carriers)',
    )
    .option('--listen <host:port>', 'wait here for a target started by hand')
    .option('--advertise <host>', 'the host in {address}, if it is not the listening host (for containers)')
    .option(
      '--connect <url>',
      'dial a running target: host:port or a URL; TLS: https://, grpcs://, wss://, tls://',
    )
    .option('--ca <file>', 'certificates (PEM) to trust when the target is dialled over TLS')
    .option('--token-env <name>', 'the environment variable with a bearer token for a target that is dialled')
    .option(
      '--serve <name=host:port>',
      'where a server of the kit listens for a running target, such as llm_url=127.0.0.1:8090 (repeatable)',
      collect,
      [],
    )
    .option('--model <name>', 'the model to ask a model server for; the default is the first that it lists')
    .option(
      '--provider <dialect>',
      'the dialect of the provider behind a gateway between models; --drive names that of its client',
    )
    .option(
      '--witness <url>',
      'the page where a model server counts the answers that it generates, such as /metrics or /slots',
    )
    .option('--service <path>', 'one more gRPC service to serve, such as my.Control')
    .option('--operator <driver>', 'how the operator of the target is played (wireproof explain operator)');

/** The options of how it is played. */
const addPlayOptions = (check: commander.Command): commander.Command =>
  check
    .optionsGroup('Playing:')
    .option(
      '--timeout <name=time>',
      'set a timeout, such as cancel=5s (repeatable; wireproof limits)',
      collect,
      [],
    )
    .option('--timeout-scale <x>', 'multiply every time by x, for slow machines')
    .option('-j, --jobs <n>', 'how many targets run side by side')
    .option('--seed <seed>', 'the seed of ids and order; printed by every run')
    .option('--fail-fast', 'stop at the first violation');

/** The options of the traces that are kept. */
const addTraceOptions = (check: commander.Command): commander.Command =>
  check
    .optionsGroup('Traces:')
    .addOption(
      new Option('--trace <which>', 'which traces to keep')
        .choices(['off', 'failed', 'all'])
        .default('failed'),
    )
    .option('--trace-dir <folder>', 'where traces are kept', '.wireproof/traces')
    .option('--no-redact', 'show secrets in traces');

module.exports = { addCheckVerb };
