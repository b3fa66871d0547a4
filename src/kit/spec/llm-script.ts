/** Reads scripts of the LLM streamer; what they mean, their own room says. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from './document.ts';
import type { CheckedDocument } from './document.ts';
import { llmScript as validator } from './generated/validators.ts';
import { packageRoot } from './root.ts';

const folder = (): string => join(packageRoot(), 'fixtures', 'llm', 'scripts');

/** The names of the scripts that come with the kit. */
export const readyScripts = (): readonly string[] =>
  readdirSync(folder())
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace(/\.yaml$/, ''))
    .toSorted();

/** The file of a script that comes with the kit. */
export const readyScript = (name: string): string => join(folder(), `${name}.yaml`);

/** Reads a script's form. @throws WireproofError 'usage' with file, line and column */
export const readScriptFile = (file: string): CheckedDocument<unknown> =>
  readDocument<unknown>(file, validator, 'script of the LLM streamer');
