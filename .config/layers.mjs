// Holds the import rules, and that the tool has read the modules: one that read none would pass too. Holds also that the kit
// has no word of a protocol.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';
import { foreignWords } from './kit-words.mjs';

const options = createRequire(import.meta.url)('./dependency-cruiser.cjs');

const sources = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sources(path) : /\.c?ts$/.test(path) ? [path] : [];
  });

const expected = ['src', 'conformance', 'bin'].flatMap(sources);
const { output } = await cruise(
  ['src', 'conformance', 'bin'],
  {
    ...options.options,
    ruleSet: { forbidden: options.forbidden },
    validate: true,
    tsPreCompilationDeps: true,
  },
  {},
  {},
);
if (typeof output === 'string') throw new Error(output);
const read = new Set(output.modules.map((m) => m.source));
const missed = expected.filter((path) => !read.has(path));
for (const { rule, from, to } of output.summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
if (missed.length > 0)
  console.error(`not read: ${missed.slice(0, 5).join(', ')}${missed.length > 5 ? ' …' : ''}`);
const foreign = foreignWords(expected);
for (const place of foreign) console.error(`the kit has a word of a protocol: ${place}`);
if (output.summary.violations.length > 0 || missed.length > 0 || foreign.length > 0) process.exit(1);
console.log(
  `layers: ${expected.length} modules read, ${output.summary.totalDependenciesCruised} imports, none against the rules`,
);
