/** `wireproof init`: writes a statement to fill in. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WireproofError } from '../../src/kit/base/index.ts';
import { statementText, suiteRows } from '../../src/kit/suite/index.ts';
import { statementNames, writeUserFile } from '../../src/kit/spec/index.ts';
import { registry } from '../registry.ts';

const file = 'wireproof.yaml';

/** The schema of statements in an installed package. */
const schema = 'node_modules/wireproof/spec/formats/statement.schema.json';

/**
 * The comment by which editors check and complete a statement in a folder. Its path leads to the nearest installation of
 * the package; without one, to where `npm install` puts it.
 */
export function schemaLine(folder: string): string {
  let [at, up] = [resolve(folder), ''];
  while (!existsSync(join(at, schema)) && dirname(at) !== at) [at, up] = [dirname(at), `${up}../`];
  return `# yaml-language-server: $schema=${existsSync(join(at, schema)) ? up : ''}${schema}\n`;
}

/** Runs the verb. */
export async function init(
  suiteId: string,
  flags: { readonly force?: boolean; readonly stdout?: boolean },
): Promise<void> {
  const suite = await registry.loadSuite(suiteId);
  const text = schemaLine('.') + statementText(suite, suiteRows(suite).requirements);
  if (flags.stdout === true) return void process.stdout.write(text);
  const other = statementNames.find((name) => existsSync(name));
  if (other === file && flags.force !== true)
    throw new WireproofError('usage', `${file} already exists; --force overwrites it`);
  if (other !== undefined && other !== file)
    throw new WireproofError(
      'usage',
      `${other} already exists, and a folder has one statement; see --stdout`,
    );
  writeUserFile(file, text, 0o644);
  process.stdout.write(`wrote ${file}; fill in target.command, then run: npx wireproof check\n`);
}
