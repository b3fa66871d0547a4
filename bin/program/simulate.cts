/** The verb `simulate`: one command a peer. */
import type * as commander from 'commander';
import type { Flag } from '../../src/kit/suite/protocol.ts' with { 'resolution-mode': 'import' };
import type { SharedOptions } from './options-facts.ts' with { 'resolution-mode': 'import' };
import type { ProtocolFacts } from './protocol-facts.ts' with { 'resolution-mode': 'import' };

const { Option } = require('commander') as typeof commander;
const { collect, examples, optionDescription } = require('./options.cjs') as SharedOptions;
const { protocols } = require('../registry.json') as { readonly protocols: readonly ProtocolFacts[] };

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

/** Adds the verb. */
function addSimulateVerb(program: commander.Command): void {
  const simulate = program
    .command('simulate')
    .description('play one side of a protocol: an agent, a gateway to write an agent against, and so on')
    .usage('PEER [options] [-- command...]')
    .helpCommand(false)
    .commandsGroup('Peers:')
    .configureHelp({ optionDescription, subcommandTerm: (peer) => peer.name() })
    .showHelpAfterError('(wireproof simulate PEER --help shows the options of a peer)')
    .configureOutput(
      replaceError(
        /^error: unknown (?:command|option) ('.*?')/,
        `error: simulate needs a peer first, and $1 is not a peer; the peers are ${simulators.map(({ name }) => name).join(', ')}`,
      ),
    )
    .addHelpText('after', examples('simulate'));
  for (const peer of simulators) addPeer(simulate, peer);
}

/** Adds the command of a peer. */
function addPeer(
  simulate: commander.Command,
  { name, text, takes, address, flags, command }: (typeof simulators)[number],
): void {
  const common = commonFlags(address, takes.includes('listen'));
  const peer = simulate
    .command(name)
    .description(text)
    .argument('[command...]', command ?? '')
    .usage(command === undefined ? '[options]' : '[options] [-- command...]')
    .configureOutput(
      replaceError(/^error: unknown option/, `error: simulate ${leading ?? name} does not take`),
    )
    .addHelpText('after', examples(`simulate ${name}`))
    .action(async (words, options) => (await import('../verbs/simulate.ts')).simulate(name, words, options));
  for (const flag of flags) peer.addOption(optionOf(flag));
  for (const one of [...takes, 'record', 'no-redact', 'quiet', 'json'])
    peer.option(...(common[one] ?? ['', '']));
}

module.exports = { addSimulateVerb };
