/** All verbs and flags of the command. Importing it runs it; a verb's module is loaded only when that verb runs. */
import type * as commander from 'commander';
import type { SharedOptions } from './options-facts.ts' with { 'resolution-mode': 'import' };
import type { ProtocolFacts } from './protocol-facts.ts' with { 'resolution-mode': 'import' };

const { Command, CommanderError, Option } = require('commander') as typeof commander;
const { collect, examples, optionDescription, withFormatOptions, withSelectionOptions, withVerdictOptions } =
  require('./options.cjs') as SharedOptions;
const { addCheckVerb } = require('./check.cjs') as {
  addCheckVerb(program: commander.Command): commander.Command;
};
const { addBaselineVerbs } = require('./baseline.cjs') as {
  addBaselineVerbs(program: commander.Command, check: commander.Command): void;
};
const { addSimulateVerb } = require('./simulate.cjs') as {
  addSimulateVerb(program: commander.Command): void;
};
const { addReportVerbs } = require('./report.cjs') as {
  addReportVerbs(program: commander.Command): void;
};
const { version } = require('../../../package.json') as { readonly version: string };
const { protocols } = require('../registry.json') as { readonly protocols: readonly ProtocolFacts[] };

// The reader of a pipe may leave before the end, as head does. The rest of the output is dropped.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const suites = protocols.flatMap((protocol) => protocol.suites);
const testees = protocols.flatMap((protocol) => protocol.testees);
const conversationSuites = protocols.flatMap((protocol) => protocol.conversations);
const vectorProtocols = protocols.filter(({ vectors }) => vectors).map(({ name }) => name);

/** The suites of each protocol, as lines of the root help. */
function suiteLines(): string {
  const rows = protocols.map(
    ({ title, suites: own }) => [title.replace(/[:,(].*/, '').trim(), own.join(', ')] as const,
  );
  const width = Math.max(...rows.map(([title]) => title.length));
  const lines = rows.map(([title, own]) => `  ${title.padEnd(width)}  ${own}`);
  return `\nSuites (wireproof list suites says what each is of):\n${lines.join('\n')}`;
}

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
  .configureHelp({ optionDescription })
  .addHelpText(
    'after',
    `${suiteLines()}
${examples(undefined, [['judge .wireproof/traces/shared-1.jsonl', 'judge a recorded trace']])}

Exit codes:  0 conformant, 1 not conformant, 2 usage, 3 the target could not be started or a port is in use,
             4 inconclusive, 5 the kit failed, 130 interrupted
Colour:      on a terminal; NO_COLOR=1 never, FORCE_COLOR=1 also in a pipe or a CI job, FORCE_COLOR=0 never
Words:       wireproof explain lists the words of the kit; wireproof explain WORD has an example of each`,
  );

addBaselineVerbs(program, addCheckVerb(program));
addSimulateVerb(program);

program
  .command('testee')
  .description('run the reference implementation as a testee on stdin and stdout')
  .argument('<suite>', testees.join(', '))
  .addHelpText('after', examples('testee'))
  .action(async (suite) => (await import('../verbs/testee.ts')).testee(suite));

withSelectionOptions(
  withVerdictOptions(
    withFormatOptions(
      program
        .command('judge')
        .description('judge a recorded trace')
        .argument('<file>', 'a trace (.jsonl)')
        .addHelpText(
          'after',
          '\nExample:\n  wireproof judge .wireproof/traces/cancel-mid-tool.jsonl --report json',
        ),
    ),
  ),
).action(async (file, options) => (await import('../verbs/judge.ts')).judge(file, options));

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
  .action(async (file, options) => (await import('../verbs/view.ts')).view(file, options));

program
  .command('list')
  .description('list suites, requirements, scenarios, features, mutants or lawful peers')
  .argument('[what]', 'suites, requirements, scenarios, features, mutants or lawful', 'suites')
  .argument('[suite]', 'a suite; default: all suites')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('list'))
  .action(async (what, suite, options) => (await import('../verbs/list.ts')).list(what, suite, options));

program
  .command('explain')
  .description('explain a requirement, or a word of the kit, such as drive, row or testee')
  .argument('[id]', 'the id of a requirement, or a word; without it, all words are listed')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('explain'))
  .action(async (id, options) => (await import('../verbs/explain.ts')).explain(id, options));

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
  .action(async (suite, options) => (await import('../verbs/selftest.ts')).selftest(suite, options));

addReportVerbs(program);

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
  .action(async (protocol, options) => (await import('../verbs/fixtures.ts')).generate(protocol, options));

fixtures
  .command('verify')
  .description('check vectors: form, manifest, seed, answers of the reference; or conversations')
  .argument('<target>', `a folder; or a protocol, for the vectors of the kit: ${vectorProtocols.join(', ')}`)
  .argument('[folder]', 'the folder, after a protocol')
  .option('--json', 'print JSON')
  .addHelpText('after', examples('fixtures verify'))
  .action(async (protocol, folder, options) =>
    (await import('../verbs/fixtures.ts')).verify(protocol, folder, options),
  );

program
  .command('init')
  .description('write a statement (wireproof.yaml) with comments')
  .argument('[suite]', `the suite: ${suites.join(', ')}`, 'fold/agent')
  .option('--force', 'overwrite an existing statement')
  .option('--stdout', 'print the statement instead of writing it')
  .action(async (suite, options) => (await import('../verbs/init.ts')).init(suite, options));

program
  .command('drift')
  .description('compare recorded answers of model providers with the words that this revision knows')
  .argument('<files...>', 'recordings of simulate llm --record-from, or traces (.jsonl)')
  .option('--known <file>', 'a further recording or trace; what it has is no news (repeatable)', collect, [])
  .option('--json', 'print JSON')
  .addHelpText('after', `\nExit codes:  0 no word is new, 1 a word is new, 2 usage\n${examples('drift')}`)
  .action(async (files, options) => (await import('../verbs/drift.ts')).drift(files, options));

program
  .command('limits')
  .description('print every limit and timeout, and the flag that sets it')
  .option('--json', 'print JSON')
  .action(async (options) => (await import('../verbs/limits.ts')).limits(options));

program
  .command('completion')
  .description('print a script that completes verbs, flags, suites, scenarios and requirement ids')
  .argument('<shell>', 'bash or zsh')
  .addHelpText('after', '\nExample, in ~/.bashrc:\n  source <(wireproof completion bash)')
  .action(async (shell) => (await import('../verbs/completion.ts')).completion(shell, program));

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
  const { exitCodes, fail } = await import('../output/exit.ts');
  fail(error);
  process.exit(exitCodes.internal);
}

/** Runs the command line. On a terminal, help and usage errors wrap at its width. */
async function run(): Promise<void> {
  if (process.stdout.isTTY || process.stderr.isTTY || process.env['COLUMNS'] !== undefined) {
    const { columnsOf, wrapped } = await import('../output/terminal.ts');
    atWidth = (text, stream) => wrapped(text, columnsOf(stream));
  }
  await program.parseAsync();
}

run().catch(async (error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else (await import('../output/exit.ts')).fail(error);
});
