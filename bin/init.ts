/** `wireproof init`: writes a statement to fill in. */
import { existsSync } from 'node:fs';
import { WireproofError } from '../src/kit/base/index.ts';
import { statementText, suiteRows } from '../src/kit/suite/index.ts';
import { registry } from './registry.ts';
import { writeUserFile } from '../src/kit/spec/user-file.ts';

const file = 'wireproof.yaml';

/** Runs the verb. */
export async function init(
  suiteId: string,
  flags: { readonly force?: boolean; readonly stdout?: boolean },
): Promise<void> {
  const suite = await registry.loadSuite(suiteId);
  const text = statementText(suite, suiteRows(suite).requirements);
  if (flags.stdout === true) return void process.stdout.write(text);
  if (existsSync(file) && flags.force !== true)
    throw new WireproofError('usage', `${file} already exists; --force overwrites it`);
  writeUserFile(file, text, 0o644);
  process.stdout.write(`wrote ${file}; fill in target.command, then run: npx wireproof check\n`);
}
