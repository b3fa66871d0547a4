/** The gateways that are measured: a package of a registry in one version, and the statement that starts it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../measured.mjs';

/**
 * @typedef {object} Gateway
 * @property {string} name the name of its statement, and of its explained reds
 * @property {string} title
 * @property {'npm' | 'pip' | 'cargo'} registry
 * @property {string} package
 * @property {string} version
 */

/** @type {readonly Gateway[]} */
export const gateways = [
  {
    name: 'portkey',
    title: 'Portkey',
    registry: 'npm',
    package: '@portkey-ai/gateway',
    version: '1.15.2',
  },
  {
    name: 'claude-code-router',
    title: 'claude-code-router',
    registry: 'npm',
    package: '@musistudio/claude-code-router',
    version: '2.0.0',
  },
  { name: 'litellm', title: 'LiteLLM', registry: 'pip', package: 'litellm[proxy]', version: '1.108.7' },
];

/**
 * Gateways that were tried and could not be measured, with the reason.
 *
 * @type {readonly [title: string, why: string][]}
 */
export const unmeasured = [
  [
    'Bifrost',
    'The npm package `@maximhq/bifrost` 1.6.3 loads its program from a server of its maker when it starts, which needs the network. The Go module `github.com/maximhq/bifrost/transports` was not available.',
  ],
  [
    'Envoy AI Gateway',
    'The Go module `github.com/envoyproxy/ai-gateway` was not available, and `aigw` loads Envoy when it starts.',
  ],
  ['agentgateway', 'It is not on crates.io, and its repository was not available.'],
  [
    'BitRouter',
    'The crate `bitrouter` 1.0.0-alpha.35 did not build within an hour on one core that other work shared.',
  ],
  ['free-claude-code', 'It needs Python 3.14.'],
  ['any-llm', 'The package `any-llm-sdk` 1.40.2 has no gateway.'],
];

/**
 * Rows that a gateway is not put to the test about, with the reason in its statement. Without `only`, it holds for all gateways.
 *
 * @type {readonly { rows: string[], only?: string, why: string }[]}
 */
export const unexercised = [
  { rows: ['LLM-G34'], why: 'no statement claims a time for a silent provider (`timeouts.stalled`).' },
  { rows: ['LLM-G43', 'LLM-G44'], why: 'no statement claims a second provider (`claims.fallback`).' },
  {
    rows: ['LLM-G68', 'LLM-G69'],
    only: 'portkey',
    why: 'its clients send the key of the provider (`claims.credentials`).',
  },
];

/** The statement of a gateway, from the root of the repository. */
export const statementOf = ({ name }) => `conformance/examples/gateways/${name}.yaml`;

const read = (file) => parse(readFileSync(join(root, file), 'utf8'));

/**
 * The pairs of dialects of its statement.
 *
 * @returns {{ client: string, provider: string }[]}
 */
export const pairsOf = (gateway) => read(statementOf(gateway)).routes;

/** The name of a pair. */
export const pairName = ({ client, provider }) => `${client} over ${provider}`;

/**
 * Its reds that were looked at by hand. `message` is a part of the report's message, `seen` says what was sent and heard, `source`
 * what the source of the gateway says; `follows` is the red of the same pair that leads to this one; a red that is `sometimes` there
 * depends on the load of the machine.
 *
 * @typedef {{ row: string, pairs: string[], message: string, sometimes?: boolean }} Red
 * @returns {(Red & ({ seen: string, source: string } | { follows: string }))[]}
 */
export const explainedReds = ({ name }) => read(`.config/gateways/reds/${name}.yaml`);
