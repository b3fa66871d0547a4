/** Reads scripts from files: a user's, or one that comes with the kit. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WireproofError, pointerOf } from '../../kit/base/index.ts';
import { readDocument } from '../../kit/spec/document.ts';
import { packageRoot } from '../../kit/spec/root.ts';
import { script as validator } from '../generated/validators.ts';
import { checkDocument } from '../script/check.ts';
import type { ScriptDocument } from '../script/document.ts';
import type { Script } from '../script/script.ts';

/**
 * Reads a script: a file (`.yaml`, `.yml`, `.json`), or the name of a script that comes with the kit.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export function readScript(name: string): Script {
  const file = fileOf(name);
  const { value, at } = readDocument<ScriptDocument>(file, validator, 'script of the LLM streamer');
  const checked = checkDocument(value);
  if (checked.ok) return checked.value;
  const { path, message } = checked.error;
  throw new WireproofError('usage', `${file}:${at(pointerOf(path))}: ${path}: ${message}`);
}

const folder = (): string => join(packageRoot(), 'fixtures', 'llm', 'scripts');

/** The names of the scripts that come with the kit. */
export const readyScripts = (): readonly string[] =>
  readdirSync(folder())
    .flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? [])
    .toSorted();

function fileOf(name: string): string {
  if (/\.(ya?ml|json)$/.test(name)) return name;
  const names = readyScripts();
  if (names.includes(name)) return join(folder(), `${name}.yaml`);
  throw new WireproofError(
    'usage',
    `--script ${name}: no such script; the scripts are ${names.join(', ')}, or give a .yaml file`,
  );
}
