/**
 * Installs the newest SDKs and frameworks that conformance/sdks measures into a folder outside the tree: WIREPROOF_SDKS, else
 * wireproof/sdks in the user's cache. npm and the testees run under a modern Node.js: under an older one npm silently picks older
 * SDKs.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { modern, quiet, run } from '../drift/install.mjs';

const cache =
  process.env['WIREPROOF_SDKS'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'wireproof/sdks');

/** The packages that the testees import; those of a group go together. */
const groups = [
  ['@anthropic-ai/sdk'],
  ['openai'],
  ['ollama'],
  ['@lmstudio/sdk'],
  ['@google/genai'],
  ['@aws-sdk/client-bedrock-runtime', '@smithy/node-http-handler'],
  ['ai', '@ai-sdk/anthropic', '@ai-sdk/openai'],
  ['@langchain/core', '@langchain/anthropic', '@langchain/openai'],
];

/** The versions that the tests of the kit install. */
const ranges = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
).devDependencies;

/**
 * Installs the newest version of each.
 *
 * @param {string} testees the folder of the testees
 * @returns the modern Node.js, the folder of copied testees that find the SDKs, and the version of an SDK
 * @throws Error with one sentence when the registry or a program cannot be had
 */
export function newest(testees) {
  mkdirSync(cache, { recursive: true });
  const env = modern(cache);
  writeFileSync(join(cache, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const install = (wanted) => run(['npm', 'install', ...quiet, '--prefix', cache, ...wanted], env);
  for (const names of groups) {
    try {
      install(names.map((name) => `${name}@latest`));
    } catch (error) {
      // A registry may lack a dependency of the newest version.
      const known = names.map((name) => `${name}@${ranges[name]}`);
      console.error(
        `${known.join(', ')}: not the newest, since ${error instanceof Error ? error.message : String(error)}`,
      );
      install(known);
    }
  }
  const folder = join(cache, 'testees');
  cpSync(testees, folder, { recursive: true, filter: (file) => !file.endsWith('.ts') });
  const versionOf = (name) =>
    JSON.parse(readFileSync(join(cache, 'node_modules', name, 'package.json'), 'utf8')).version;
  return { node: join(cache, 'node-24/node_modules/node/bin/node'), folder, versionOf };
}
