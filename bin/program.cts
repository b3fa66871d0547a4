/**
 * Everything the command understands: says what there is, and loads a verb only when it is asked for. Runs when it is
 * loaded (bin/wireproof.cts, or the build, which renders the root help from here).
 */
import type * as commander from 'commander';

const { Command, CommanderError, Option } = require('commander') as typeof commander;
const { version } = require('../../package.json') as { readonly version: string };
const { protocols } = require('./registry.json') as { readonly protocols: readonly ProtocolFacts[] };

/** What the build keeps of a protocol's descriptor (.config/help.mjs), so that help costs no import. */
interface ProtocolFacts {
  readonly name: string;
  readonly suites: readonly string[];
  readonly testees: readonly string[];
  readonly vectors: boolean;
  readonly examples: readonly { readonly command: string; readonly text: string; readonly root?: boolean }[];
}

const suites = protocols.flatMap((protocol) => protocol.suites);
const testees = protocols.flatMap((protocol) => protocol.testees);
const withVectors = protocols.filter(({ vectors }) => vectors).map(({ name }) => name);

/** The examples of a verb, or those of the root help, as lines below the help. */
function examples(verb: string | undefined, more: readonly (readonly [string, string])[] = []): string {
  const own = protocols.flatMap((protocol) =>
    protocol.examples
      .filter(({ command, root = false }) => (verb === undefined ? root : command.startsWith(`${verb} `)))
      .map(({ command, text }) => [command, text] as const),
  );
  const all = [...own, ...more];
  if (all.length === 0) return '';
  const width = Math.min(70, Math.max(...all.map(([command]) => command.length)));
  const lines = all.map(([command, text]) => `  wireproof ${command.padEnd(width)}  ${text}`.trimEnd());
  return `\nExamples:\n${lines.join('\n')}`;
}

const several = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const program = new Command('wireproof')
  .description(
    'Checks that agents, gateways and codecs speak their protocol, and plays the other side when it is missing.',
  )
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'show help')
  .exitOverride()
  .showHelpAfterError('(wireproof --help, or wireproof COMMAND --help, shows what there is)')
  .addHelpText(
    'after',
    `${examples(undefined, [['judge .wireproof/traces/shared-1.jsonl', 'judge a recorded trace']])}

Exit codes: 0 conformant, 1 not conformant, 2 usage, 3 the target could not be started or a port is in use,
            4 inconclusive, 5 the kit failed, 130 interrupted`,
  );

/** The options with which every run reports. */
const reporting = (command: commander.Command): commander.Command =>
  command
    .option(
      '--report <format[=path]>',
      'console, json, junit or markdown; to a file, or to stdout (repeatable)',
      several,
      [],
    )
    .option('--json', 'the same as --report json')
    .option('-v, --verbose', 'a line for every requirement')
    .option('--strict', 'a violated SHOULD is fatal too')
    .option('--allow-inconclusive', 'exit 0 when nothing failed, though something was not exercised');

/** The options that select rows. */
const selecting = (command: commander.Command): commander.Command =>
  command
    .option('--only <glob>', 'judge only these requirement ids; * is any run (repeatable)', several, [])
    .option('--skip <glob>', 'leave these requirement ids out (repeatable)', several, [])
    .addOption(
      new Option('--level <level>', 'judge rows of this level and above').choices(['MUST', 'SHOULD', 'MAY']),
    )
    .option('--as-of <version>', 'judge only rows that this version of the kit had');

const check = program
  .command('check')
  .description('check a target against a suite')
  .argument('[suite]', `the suite: ${suites.join(', ')}; absent: that of the statement`)
  .argument(
    '[command...]',
    'after --: how to start the target; {address}, {listen}, {host}, {port}, {http_port} and {url} are filled in',
  )
  .option('--statement <file>', 'the statement; default: wireproof.yaml in this folder, when it is there')
  .option(
    '--drive <drive>',
    'how the target is driven, such as auto, passive or directive (wireproof explain drive)',
  )
  .option('--listen <host:port>', 'wait here for a target started by hand')
  .option('--advertise <host>', 'what {address} says instead of the listening host (targets in containers)')
  .option(
    '--connect <url>',
    'dial a target that runs: host:port, or a URL; https://, grpcs://, wss:// and tls:// use TLS',
  )
  .option('--ca <file>', 'certificates (PEM) to trust where the target is dialled over TLS')
  .option('--token-env <name>', 'the environment variable with a bearer token for a target that is dialled')
  .option('--service <path>', 'a gRPC service besides those of the suite, such as my.Control')
  .option('--operator <driver>', 'how the operator of the target is played (wireproof explain operator)')
  .option('--scenario <name>', 'play only this scenario (repeatable)', several, [])
  .option(
    '--timeout <name=time>',
    'set one of the timeouts, such as cancel=5s (repeatable; wireproof limits)',
    several,
    [],
  )
  .option('--timeout-scale <x>', 'multiply every time by x, for slow machines')
  .option('-j, --jobs <n>', 'how many targets run side by side')
  .option('--seed <seed>', 'the seed of ids and order; printed by every run')
  .option('--fail-fast', 'stop at the first violation')
  .option('--expected <file>', 'a statement whose expected_failures apply')
  .option('--profile <name>', 'report the deviations that this profile of the suite knows as known')
  .option(
    '--carrier <name>',
    'tcp, stdio, ws or http; default: as the command shows (wireproof explain carriers)',
  )
  .option('--shard <i/n>', 'play only this part of the scenarios, such as 1/3')
  .addOption(
    new Option('--trace <which>', 'which traces to keep').choices(['off', 'failed', 'all']).default('failed'),
  )
  .option('--trace-dir <folder>', 'where traces are kept', '.wireproof/traces')
  .option('--no-redact', 'show secrets in traces')
  .addHelpText(
    'after',
    examples('check', [
      ['check --report console --report junit=out.xml', 'the rest from wireproof.yaml'],
      ['check SUITE --connect grpcs://my-host:443 --ca my-ca.pem', 'a target that runs already, over TLS'],
    ]),
  )
  .action(async (suite, command, options) => (await import('./check.ts')).check(suite, command, options));
selecting(reporting(check));

program
  .command('simulate')
  .description('play one side of a protocol: an agent, a gateway to write an agent against, and so on')
  .argument('<peer>', 'fold/gateway, fold/agent, toon/orchestrator, toon/subagent or llm')
  .argument(
    '[command...]',
    'after --: the program to play against. toon: {address}, {listen} and {url} are filled in; llm: it gets base URLs and keys in its environment',
  )
  .optionsGroup('All:')
  .option(
    '--listen <host:port>',
    'where the other side comes; default: 127.0.0.1:50051, TOON 127.0.0.1:50061, LLM 127.0.0.1:50071',
  )
  .option('--connect <host:port>', 'where it is; fold/agent always dials')
  .option('--scenario <name>', 'play this scenario with the first that comes, then stop')
  .option(
    '--script <file>',
    'fold/gateway: take orders from this file before those from the terminal; llm: what the model says, a .yaml file or one that comes with the kit (hello, tool-call, parallel-tools, thinking, max-tokens-mid-tool, max-tokens-mid-text, lying-finish, overloaded-then-ok, stall, reset-mid-tool, error-mid-stream)',
  )
  .option('--seed <seed>', 'llm: draws ids, jitter and cuts; the same seed, the same bytes', '1')
  .option('--record <file>', 'keep the traffic as a trace')
  .option('--no-rules', 'do not judge what the other side does')
  .option('--no-redact', 'show secrets')
  .option('-q, --quiet', 'do not show traffic')
  .option('--json', 'show traffic as trace events, one JSON object a line')
  .optionsGroup('fold/gateway:')
  .option('--http <host:port>', "where the operator's face is; off: none", '127.0.0.1:50080')
  .option('--token-env <name>', 'the environment variable with the bearer token that the face wants')
  .option('--ledger <file>', 'keep token usage in this SQLite file; default: in memory')
  .option('--budget <tokens>', 'refuse work on a thread that has used so many')
  .addOption(
    new Option('--duplicates <how>', 'how an agent ID that is taken is refused').choices([
      'already_exists',
      'registration_error',
    ]),
  )
  .option('--disconnect-unresponsive', 'close the stream of an agent that does not answer a cancel')
  .option('--jwt-secret-env <name>', 'the environment variable with the secret of bearer tokens (HS256)')
  .option('--authorized-keys <file>', 'the SSH keys that may sign streams')
  .option('--revoked <principal>', 'a principal that may not come in (repeatable)', several, [])
  .option(
    '--timeout <name=time>',
    'cancel, approval, pack, stalled, ack or shutdown (repeatable)',
    several,
    [],
  )
  .optionsGroup('fold/agent:')
  .option('--agent-id <id>', 'the id to register under', 'wireproof-agent')
  .option('--features <list>', 'protocol features to advertise, with commas; none: an empty list')
  .option('--keepalive <time>', 'send a keepalive ping this often, such as 30s')
  .optionsGroup('Both of Fold:')
  .option('--service <path>', 'the gRPC service of agents', 'coven.CovenControl')
  .optionsGroup('toon/orchestrator and toon/subagent:')
  .option('--carrier <name>', 'tcp, stdio or ws; default: as the command shows, else tcp')
  .option(
    '--instruction <text>',
    'what the orchestrator asks, one after another (repeatable); - : lines of stdin',
    several,
    [],
  )
  .option('--compress', 'compress payloads above 1024 bytes where that is shorter')
  .option('--heartbeat <time>', 'send a heartbeat this often')
  .option('--idle <time>', 'how long the other side may be silent; default 30s')
  .addHelpText(
    'after',
    `
Examples:
  wireproof simulate fold/gateway                               a gateway on 50051, its HTTP face on 50080
  wireproof simulate fold/gateway --record seen.jsonl           then: wireproof judge seen.jsonl
  wireproof simulate fold/gateway --scenario cancel-mid-tool    be the gateway of one scenario
  wireproof simulate fold/agent --connect 127.0.0.1:50051 --features injection,cancellation
  wireproof simulate llm --script max-tokens-mid-tool           a model for any client: Anthropic, OpenAI, Ollama, LM Studio
  wireproof simulate llm --script tool-call -- ./my-agent       the same, for a program that it starts
  wireproof simulate toon/orchestrator --instruction 'List the files' -- ./my-subagent      on its stdin and stdout
  wireproof simulate toon/subagent --listen 127.0.0.1:50061     a subagent to write an orchestrator against`,
  )
  .action(async (peer, command, options) => (await import('./simulate.ts')).simulate(peer, command, options));

program
  .command('testee')
  .description(
    'run the reference implementation as a testee on stdin and stdout: to copy, and to try things on',
  )
  .argument('<suite>', testees.join(', '))
  .addHelpText('after', examples('testee'))
  .action(async (suite) => (await import('./testee.ts')).testee(suite));

selecting(
  reporting(
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
  .command('list')
  .description('list suites, requirements, scenarios, features or mutants')
  .argument('[what]', 'suites, requirements, scenarios, features or mutants', 'suites')
  .argument('[suite]', 'a suite; absent: every one')
  .option('--json', 'for machines')
  .addHelpText('after', examples('list'))
  .action(async (what, suite, options) => (await import('./list.ts')).list(what, suite, options));

program
  .command('explain')
  .description(
    'explain a requirement, or a word: drive, operator, carriers, testees, verdicts, exit-codes, traces',
  )
  .argument('<id>', 'the id of a requirement, or a word')
  .option('--json', 'for machines')
  .addHelpText('after', examples('explain'))
  .action(async (id, options) => (await import('./explain.ts')).explain(id, options));

program
  .command('selftest')
  .description('prove that every check can fail: run every mutant of the reference through the suite')
  .argument('<suite>', 'a suite, or a protocol for all of its suites')
  .option('--seed <seed>', 'the seed of the simulated world', '1')
  .option('--seeds <n>', 'play so many random conversations with random faults instead')
  .option('--mutant <glob>', 'only these mutants (repeatable)', several, [])
  .option('--sweep', 'try one thing at every place instead, for the reference or --mutant')
  .option('--part <name>', 'with --sweep: only this part, such as a dialect (repeatable)', several, [])
  .addOption(new Option('--dialect <name>').hideHelp().argParser(several).default([]))
  .option('--json', 'for machines')
  .addHelpText('after', examples('selftest'))
  .action(async (suite, options) => (await import('./selftest.ts')).selftest(suite, options));

const fixtures = program
  .command('fixtures')
  .description('make golden vectors for tests in any language, or check a folder of them');

fixtures
  .command('generate')
  .description('write the golden vectors of a protocol')
  .argument('<protocol>', withVectors.join(' or '))
  .option('--seed <seed>', 'the seed of the random cases', '1')
  .option('--out <folder>', 'where they are written', 'vectors')
  .option('--force', 'overwrite what this command did not make, or what was changed since')
  .addHelpText('after', examples('fixtures generate'))
  .action(async (protocol, options) => (await import('./fixtures.ts')).generate(protocol, options));

fixtures
  .command('verify')
  .description('check vectors: form, manifest, what their seed makes, what the reference answers')
  .argument('<protocol>', withVectors.join(' or '))
  .argument('[folder]', 'where they are; default: those that come with the kit')
  .option('--json', 'for machines')
  .addHelpText('after', examples('fixtures verify'))
  .action(async (protocol, folder, options) =>
    (await import('./fixtures.ts')).verify(protocol, folder, options),
  );

program
  .command('init')
  .description('write a statement (wireproof.yaml) with comments')
  .argument('[suite]', `the suite: ${suites.join(', ')}`, suites[0] ?? '')
  .option('--force', 'overwrite one that is there')
  .option('--stdout', 'print it instead')
  .action(async (suite, options) => (await import('./init.ts')).init(suite, options));

program
  .command('limits')
  .description('print every limit and timeout, and the flag that sets it')
  .option('--json', 'for machines')
  .action(async (options) => (await import('./limits.ts')).limits(options));

program.parseAsync().catch(async (error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else (await import('./exit.ts')).fail(error);
});
