/** `wireproof init`: a statement to fill in. */
import { existsSync } from 'node:fs';
import { WireproofError } from '../src/kit/base/index.ts';
import type { Suite } from '../src/kit/suite/index.ts';
import { registry } from './registry.ts';
import { writeFileAt } from './reports.ts';

const file = 'wireproof.yaml';

/** Runs the verb. */
export async function init(
  suiteId: string,
  flags: { readonly force?: boolean; readonly stdout?: boolean },
): Promise<void> {
  const text = statementText(await registry.loadSuite(suiteId));
  if (flags.stdout === true) return void process.stdout.write(text);
  if (existsSync(file) && flags.force !== true)
    throw new WireproofError('usage', `${file} is there already; --force overwrites it`);
  writeFileAt(file, text);
  process.stdout.write(`wrote ${file}; fill in target.command, then run: npx wireproof check\n`);
}

function statementText(suite: Suite): string {
  const features = suite.features.map(
    ({ name, advertised, text }) =>
      `#   - ${name.padEnd(14)} # ${text}${advertised ? ' (read off the wire)' : ''}`,
  );
  const timeouts = Object.entries(suite.timeouts).map(
    ([name, ms]) => `#   ${name}: ${ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`}`,
  );
  const { kind } = suite.target;
  return `# What this implementation claims, and how Wireproof reaches it. Check it with: npx wireproof check
suite: ${suite.id}

${templates[kind].target}
# What is claimed. Leave this out, and everything that is only stated counts as claimed.
# features:
${features.join('\n')}

${templates[kind].more}# timeouts:
${timeouts.join('\n')}

# Failures you know of. One that passes again, or has expired, fails the run: the list stays true.
# expected_failures:
#   - id: FOLD-A17
#     reason: full_response leaves out tool output
#     issue: https://example.com/issues/1
#     expires: '2027-06-30'

# env: { LOG_LEVEL: debug }
`;
}

const dialling = `target:
  # An argv array, never a shell string. {address} is the host:port to dial (also in WIREPROOF_ADDRESS).
  command: [./my-agent, --gateway, '{address}']

# How it is driven: auto (default), passive, or directive (wireproof explain drive).
# drive: auto
`;

const diallingMore = `# A gRPC service besides coven.CovenControl and fold.FoldControl.
# service: my.Control

# Credentials the target uses; the file's path reaches it as WIREPROOF_SSH_KEY_FILE.
# auth: { ssh_key_file: ./test-key }

`;

const listening = `target:
  # An argv array, never a shell string. {listen} is the host:port for gRPC, {http_port} the port for its HTTP
  # face (also in WIREPROOF_LISTEN and WIREPROOF_HTTP_PORT). Or connect: host:port of one that runs.
  command: [./my-gateway, --grpc, '{listen}', --http, '127.0.0.1:{http_port}']

# How the kit plays its operator (wireproof explain operator).
operator:
  driver: http # or client-service, or command
  # url: http://127.0.0.1:8080
  # token_env: MY_TOKEN
  # commands: # {url}, {address}, {host} and {port} say where the gateway is
  #   send: [my-ctl, send, --agent, '{agent_id}', '{content}'] # prints events as NDJSON
  #   cancel: [my-ctl, cancel, '{request_id}', '{reason}']
  #   inject: [my-ctl, inject, '{agent_id}', '{priority}', '{content}']
  #   approve: [my-ctl, approve, '{agent_id}', '{tool_id}', '{approved}', '{approve_all}']
`;

const listeningMore = `# Credentials by which the kit's agents come, where the gateway demands them (FOLD-G11 to G13).
# auth: { jwt_secret_env: MY_SECRET, revoked_principal: mallory } # or: { ssh_key_file: ./test-key }

`;

const meeting = `target:
  # An argv array, never a shell string. With {address} the target dials the kit over TCP, with {url} over WebSocket,
  # with {listen} it is dialled; with none of these it speaks on its stdin and stdout.
  command: [./my-program]

# What carries the messages, where the command does not show it: tcp, stdio or ws.
# carrier: stdio

# How it is driven: auto (default), passive, or directive (wireproof explain drive).
# drive: auto
`;

const templates: {
  readonly [kind in Suite['target']['kind']]: { readonly target: string; readonly more: string };
} = {
  dials: { target: dialling, more: diallingMore },
  listens: { target: listening, more: listeningMore },
  meets: { target: meeting, more: '' },
};
