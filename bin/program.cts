/** All verbs and flags of the command. Importing it runs it; a verb's module is loaded only when that verb runs. */
import type * as commander from 'commander';
import type { Flag } from '../src/kit/suite/protocol.ts' with { 'resolution-mode': 'import' };
import type { ProtocolFacts } from './protocol-facts.ts' with { 'resolution-mode': 'import' };

const { Command, CommanderError, Option } = require('commander') as typeof commander;
const { addBaselineVerbs } = require('./program-baseline.cjs') as {
  readonly addBaselineVerbs: (program: commander.Command, check: commander.Command) => void;
};
const { addReportVerbs } = require('./program-report.cjs') as {
  readonly addReportVerbs: (
    program: commander.Command,
    withFormatOptions: (command: commander.Command) => commander.Command,
  ) => void;
};
const { version } = require('../../package.json') as { readonly version: string };
const { protocols } = require('./registry.json') as { readonly protocols: readonly ProtocolFacts[] };

// The reader of a pipe may leave before the end, as head does. The rest of the output is dropped.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const suites = protocols.flatMap((protocol) => protocol.suites);
const testees = protocols.flatMap((protocol) => protocol.testees);
const conversationSuites = protocols.flatMap((protocol) => protocol.conversations);
const vectorProtocols = protocols.filter(({ vectors }) => vectors).map(({ name }) => name);

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

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Wraps a text of commander for a stream, once the module that wraps is loaded. */
let atWidth = (text: string, _stream: NodeJS.WriteStream): string => text;

const program = new Command('wireproof')
  .configureOutput({
    writeOut: (text) => process.stdout.write(atWidth(text, process.stdout)),
    writeErr: (text) => process.stderr.write(atWidth(text, process.stderr)),
  })
  .description('Checks that agents, gateways and codecs speak their protocol. Simulates missing peers.')
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'show help')
  .exitOverride()
  .showHelpAfterError('(see wireproof --help)')
  .addHelpText(
    'after',
    `${examples(undefined, [['judge .wireproof/traces/shared-1.jsonl', 'judge a recorded trace']])}

Exit codes:  0 conformant, 1 not conformant, 2 usage, 3 the target could not be started or a port is in use,
             4 inconclusive, 5 the kit failed, 130 interrupted
Colour:      on a terminal; NO_COLOR=1 never, FORCE_COLOR=1 also in a pipe or a CI job, FORCE_COLOR=0 never
Words:       wireproof explain lists the words of the kit; wireproof explain WORD has an example of each`,
  );

/** The options of reports. */
const withFormatOptions = (command: commander.Command): commander.Command =>
  command
    .option(
      '--report <format[=path]>',
      'console, json, junit, markdown, html, ctrf, badge or github; to a file, or to stdout (repeatable)',
      collect,
      [],
    )
    .option('--json', 'the same as --report json')
    .option('-v, --verbose', 'a line for every requirement');

/** The options of reports, for every verb that judges. */
const withReportOptions = (command: commander.Command): commander.Command =>
  withFormatOptions(command)
    .option('--strict', 'a violated SHOULD is fatal too')
    .option('--allow-inconclusive', 'exit 0 when nothing failed, even if a requirement was not exercised');

/** The options that select requirements. */
const withSelectionOptions = (command: commander.Command): commander.Command =>
  command
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
  )
  .option('--statement <file>', 'the statement; default: wireproof.yaml or .yml in this folder or above')
  .option('--drive <drive>', 'how to drive the target, such as passive (wireproof explain drive)')
  .option('--listen <host:port>', 'wait here for a target started by hand')
  .option('--advertise <host>', 'the host in {address}, if it is not the listening host (for containers)')
  .option(
    '--connect <url>',
    'dial a running target: host:port or a URL; TLS: https://, grpcs://, wss://, tls://',
  )
  .option('--ca <file>', 'certificates (PEM) to trust when the target is dialled over TLS')
  .option('--token-env <name>', 'the environment variable with a bearer token for a target that is dialled')
  .option('--model <name>', 'the model to ask a model server for; the default is the first that it lists')
  .option('--service <path>', 'one more gRPC service to serve, such as my.Control')
  .option('--operator <driver>', 'how the operator of the target is played (wireproof explain operator)')
  .option('--scenario <name>', 'play only this scenario (repeatable)', collect, [])
  .option(
    '--timeout <name=time>',
    'set a timeout, such as cancel=5s (repeatable; wireproof limits)',
    collect,
    [],
  )
  .option('--timeout-scale <x>', 'multiply every time by x, for slow machines')
  .option('-j, --jobs <n>', 'how many targets run side by side')
  .option('--seed <seed>', 'the seed of ids and order; printed by every run')
  .option('--fail-fast', 'stop at the first violation')
  .option('--expected <file>', 'known failures to apply: a baseline, or a statement')
  .option(
    '--last-failed',
    'play only what failed in the last run of this suite and target; without a failure, all',
  )
  .option('--profile <name>', 'report the deviations in this profile of the suite as known')
  .option(
    '--carrier <name>',
    'tcp, stdio, ws or http; default: from the command (wireproof explain carriers)',
  )
  .option('--shard <i/n>', 'play only this part of the scenarios, such as 1/3 (wireproof report merge)')
  .addOption(
    new Option('--trace <which>', 'which traces to keep').choices(['off', 'failed', 'all']).default('failed'),
  )
  .option('--trace-dir <folder>', 'where traces are kept', '.wireproof/traces')
  .option('--no-redact', 'show secrets in traces')
  .option('--watch', "check again when the files of the target's command change")
  .option('--watch-path <path>', 'with --watch: a file or folder to watch instead (repeatable)', collect, [])
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
      ? (await import('./watch.ts')).watch(suite, command, options)
      : (await import('./check.ts')).check(suite, command, options),
  );
withSelectionOptions(withReportOptions(check));

addBaselineVerbs(program, check);

const simulators = protocols.flatMap((protocol) => protocol.simulators);

/**
 * The flags that a peer can take and whose meaning the kit defines.
 *
 * @param listens - whether `address` is the default of --listen, not of --connect
 */
const commonFlags = (
  address: string,
  listens: boolean,
): { readonly [flag: string]: readonly [string, string] } => ({
  listen: ['--listen <host:port>', `where the other side connects; default: ${address}`],
  connect: ['--connect <host:port>', `where the other side listens${listens ? '' : `; default: ${address}`}`],
  scenario: ['--scenario <name>', 'play this scenario (name or .yaml file) with the first peer, then stop'],
  script: ['--script <file>', 'run the orders in this file before those from the terminal'],
  'no-rules': ['--no-rules', 'do not judge the other side'],
  record: ['--record <file>', 'write the traffic to this file as a trace'],
  'no-redact': ['--no-redact', 'show secrets'],
  quiet: ['-q, --quiet', 'do not show traffic'],
  json: ['--json', 'show traffic as trace events, one JSON object a line'],
});

function optionOf({ flags, text, choices, several: isList, ...rest }: Flag): commander.Option {
  const option = new Option(flags, text);
  if (choices !== undefined) option.choices(choices);
  if (isList === true) option.argParser(collect).default([]);
  return rest.default === undefined ? option : option.default(rest.default);
}

/** Replaces an error message of commander. */
const replaceError = (pattern: RegExp, said: string): commander.OutputConfiguration => ({
  outputError: (text, write) => write(text.replace(pattern, said)),
});

const simulate = program
  .command('simulate')
  .description('play one side of a protocol: an agent, a gateway to write an agent against, and so on')
  .usage('PEER [options] [-- command...]')
  .helpCommand(false)
  .commandsGroup('Peers:')
  .configureHelp({ subcommandTerm: (peer) => peer.name() })
  .showHelpAfterError('(wireproof simulate PEER --help shows the options of a peer)')
  .configureOutput(
    replaceError(
      /^error: unknown (?:command|option) ('.*?')/,
      `error: simulate needs a peer first, and $1 is not a peer; the peers are ${simulators.map(({ name }) => name).join(', ')}`,
    ),
  )
  .addHelpText('after', examples('simulate'));

/** The peer on the command line, when one of its flags plays another peer: that one has its place then. */
function leadingPeer(): string | undefined {
  const [, , verb, name, ...rest] = process.argv;
  const { leads } = simulators.find((peer) => verb === 'simulate' && peer.name === name) ?? {};
  const end = rest.indexOf('--');
  const words = end < 0 ? rest : rest.slice(0, end);
  if (leads === undefined || !words.some((word) => word.split('=')[0] === leads.flag)) return undefined;
  process.argv[3] = leads.to;
  return `${name} ${leads.flag}`;
}
const leading = leadingPeer();

for (const { name, text, takes, address, flags, command: program } of simulators) {
  const common = commonFlags(address, takes.includes('listen'));
  const peer = simulate
    .command(name)
    .description(text)
    .argument('[command...]', program ?? '')
    .usage(program === undefined ? '[options]' : '[options] [-- command...]')
    .configureOutput(
      replaceError(/^error: unknown option/, `error: simulate ${leading ?? name} does not take`),
    )
    .addHelpText('after', examples(`simulate ${name}`))
    .action(async (command, options) => (await import('./simulate.ts')).simulate(name, command, options));
  for (const flag of flags) peer.addOption(optionOf(flag));
  for (const one of [...takes, 'record', 'no-redact', 'quiet', 'json'])
    peer.option(...(common[one] ?? ['', '']));
}

program
  .command('testee')
  .description('run the reference implementation as a testee on stdin and stdout')
  .argument('<suite>', testees.join(', '))
  .addHelpText('after', examples('testee'))
  .action(async (suite) => (await import('./testee.ts')).testee(suite));

withSelectionOptions(
  withReportOptions(
    program
      .command('judge')
      .description('judge a recorded trace')
      .argument('<file>', 'a trace (.jsonl)')
      .addHelpText(
        'after',
        '\nExample:\n  wireproof judge .wireproof/traces/cancel-mid-tool.jsonl --report json',
      ),
  ),
).action(async (file, options) => (await import('./judge.ts')).judge(file, options));

program
  .command('view')
  .description('show a trace or a report as a page, with a sequence diagram of each trace')
  .argument('<file>', 'a trace (.jsonl), or a report of --report json')
  .option('--out <file>', 'where the page is written; default: a temporary file')
  .option('--scenario <name>', 'show the traces of this scenario, beside its verdicts')
  .addOption(
    new Option('--trace <which>', 'the traces of a report to show: those with a violation, or all').choices([
      'failed',
      'all',
    ]),
  )
  .option('--no-open', 'print the path of the page, and do not open it')
  .addHelpText(
    'after',
    examples('view', [
      ['view .wireproof/traces/cancel-mid-tool.jsonl', 'judge a trace and open the page in a browser'],
      ['view report.json --out report.html --no-open', 'the page of a report; its traces lie beside it'],
      ['view report.json --scenario cancel-mid-tool', 'also the trace of a scenario that passed'],
    ]),
  )
  .action(async (file, options) => (await import('./view.ts')).view(file, options));

program
  .command('list')
  .description('list suites, requirements, scenarios, features or mutants')
  .argument('[what]', 'suites, requirements, scenarios, features or mutants', 'suites')
  .argument('[suite]', 'a suite; default: all suites')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('list'))
  .action(async (what, suite, options) => (await import('./list.ts')).list(what, suite, options));

program
  .command('explain')
  .description('explain a requirement, or a word of the kit, such as drive, row or testee')
  .argument('[id]', 'the id of a requirement, or a word; without it, all words are listed')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('explain'))
  .action(async (id, options) => (await import('./explain.ts')).explain(id, options));

program
  .command('selftest')
  .description('prove that every check can fail: run all mutants of the reference through the suite')
  .argument('<suite>', 'a suite, or a protocol for all of its suites')
  .option('--seed <seed>', 'the seed of the simulated world', '1')
  .option('--seeds <n>', 'instead, play this number of random conversations with random faults')
  .option('--mutant <glob>', 'only these mutants (repeatable)', collect, [])
  .option('--quick', 'play a mutant only in scenarios that show its fault, not in all')
  .option('--sweep', 'instead, try one fault at every position, for the reference or --mutant')
  .option('--part <name>', 'with --sweep: only this part, such as a dialect (repeatable)', collect, [])
  .addOption(new Option('--dialect <name>').hideHelp().argParser(collect).default([]))
  .option('--json', 'print JSON')
  .addHelpText('after', examples('selftest'))
  .action(async (suite, options) => (await import('./selftest.ts')).selftest(suite, options));

addReportVerbs(program, withFormatOptions);

const fixtures = program
  .command('fixtures')
  .description('make golden vectors or conversations for tests in any language, or check a folder of them');

fixtures
  .command('generate')
  .description('write the golden vectors of a protocol, or random conversations as traces')
  .argument(
    '<protocol>',
    `${vectorProtocols.join(', ')}; with --conversations: ${conversationSuites.join(', ')}`,
  )
  .option('--seed <seed>', 'the seed of the random cases, or of the first conversation', '1')
  .option(
    '--conversations <n>',
    'instead of vectors, write this number of random conversations of each suite',
  )
  .option('--out <folder>', 'the folder to write to; default: vectors, or conversations')
  .option('--force', 'overwrite files that this command did not write, or that were changed later')
  .addHelpText('after', examples('fixtures generate'))
  .action(async (protocol, options) => (await import('./fixtures.ts')).generate(protocol, options));

fixtures
  .command('verify')
  .description('check vectors: form, manifest, seed, answers of the reference; or conversations')
  .argument('<target>', `a folder; or a protocol, for the vectors of the kit: ${vectorProtocols.join(', ')}`)
  .argument('[folder]', 'the folder, after a protocol')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('fixtures verify'))
  .action(async (protocol, folder, options) =>
    (await import('./fixtures.ts')).verify(protocol, folder, options),
  );

program
  .command('init')
  .description('write a statement (wireproof.yaml) with comments')
  .argument('[suite]', `the suite: ${suites.join(', ')}`, 'fold/agent')
  .option('--force', 'overwrite an existing statement')
  .option('--stdout', 'print the statement instead of writing it')
  .action(async (suite, options) => (await import('./init.ts')).init(suite, options));

program
  .command('limits')
  .description('print every limit and timeout, and the flag that sets it')
  .option('--json', 'print JSON')
  .action(async (options) => (await import('./limits.ts')).limits(options));

program
  .command('completion')
  .description('print a script that completes verbs, flags, suites, scenarios and requirement ids')
  .argument('<shell>', 'bash or zsh')
  .addHelpText('after', '\nExample, in ~/.bashrc:\n  source <(wireproof completion bash)')
  .action(async (shell) => (await import('./completion.ts')).completion(shell, program));

/** A mistake in the flags of a verb names the help of this verb. */
function nameOwnHelp(verb: commander.Command, parents: string): void {
  const words = `${parents} ${verb.name()}`;
  const starts = verb.registeredArguments.some((argument) => argument.name() === 'command');
  const hint = starts ? '; the command of the target, with its own flags, stands after --' : '';
  verb.showHelpAfterError(`(see ${words} --help${hint})`);
  for (const below of verb.commands) nameOwnHelp(below, words);
}
for (const verb of program.commands) nameOwnHelp(verb, program.name());

// Exit code 1 is a verdict of the target, never an error of the kit. Targets are stopped at the exit.
process.on('uncaughtException', (error) => void endBy(error));

async function endBy(error: Error): Promise<void> {
  const { exitCodes, fail } = await import('./exit.ts');
  fail(error);
  process.exit(exitCodes.internal);
}

/** Runs the command line. On a terminal, help and usage errors wrap at its width. */
async function run(): Promise<void> {
  if (process.stdout.isTTY || process.stderr.isTTY || process.env['COLUMNS'] !== undefined) {
    const { columnsOf, wrapped } = await import('./terminal.ts');
    atWidth = (text, stream) => wrapped(text, columnsOf(stream));
  }
  await program.parseAsync();
}

run().catch(async (error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else (await import('./exit.ts')).fail(error);
});
