/** `wireproof init`: a statement to fill in. */
import { existsSync } from 'node:fs';
import { WireproofError } from '../src/kit/base/index.ts';
import type { Suite } from '../src/kit/check/index.ts';
import { loadSuite } from '../conformance/index.ts';
import { writeFileAt } from './reports.ts';

const file = 'wireproof.yaml';

/** Runs the verb. */
export async function init(
  suiteId: string,
  flags: { readonly force?: boolean; readonly stdout?: boolean },
): Promise<void> {
  const text = statementText(await loadSuite(suiteId));
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
  return `# What this implementation claims, and how Wireproof reaches it. Check it with: npx wireproof check
suite: ${suite.id}

target:
  # An argv array, never a shell string. {address} is the host:port to dial (also in WIREPROOF_ADDRESS).
  command: [./my-agent, --gateway, '{address}']

# How it is driven: auto (default), passive, or directive (wireproof explain drive).
# drive: auto

# What is claimed. Leave this out, and everything that is only stated counts as claimed.
# features:
${features.join('\n')}

# A gRPC service besides coven.CovenControl and fold.FoldControl.
# service: my.Control

# Credentials the target uses; the file's path reaches it as WIREPROOF_SSH_KEY_FILE.
# auth: { ssh_key_file: ./test-key }

# timeouts:
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
