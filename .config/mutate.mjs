// Changes one token of a rule at a time, and looks whether the tests of its suites notice: npm run mutate [-- SUITE…]
// Prints each change that no test notices, and the share of those that one does. It takes a minute or two for a suite.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import { Script } from 'node:vm';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { groupsOf } from './mutate/groups.mjs';
import { Judgings } from './mutate/judgings.mjs';
import { instrument } from './mutate/mutations.mjs';
import { searchSuite } from './mutate/search.mjs';

const rulesFile = /[\\/]conformance[\\/](\w+[\\/]\w+)[\\/]rules[\\/][\w-]+\.ts$/;

/** Bundles the kit with instrumented rules. @returns a function that evaluates its modules, and the mutations */
async function bundle() {
  const mutations = [];
  const instrumented = {
    name: 'instrument the rules',
    transform(_, path) {
      if (!rulesFile.test(path)) return undefined;
      const made = instrument(readFileSync(path, 'utf8'), relative('.', path), mutations.length);
      mutations.push(...made.mutations);
      return made.code;
    },
  };
  const bundled = await rolldown({
    input: './.config/mutate/entry.mjs',
    external: /^(?:node:|[a-z@])/,
    platform: 'node',
    plugins: [instrumented],
  });
  const { output } = await bundled.generate({ format: 'cjs', codeSplitting: false });
  // Each evaluation makes new modules, which the engine can forget again. Modules of import() stay for ever.
  const filename = resolve('dist/mutated.cjs');
  const script = new Script(`(exports, require, __filename) => {${output[0].code}\n}`, { filename });
  const load = () => {
    const exports = {};
    script.runInThisContext()(exports, createRequire(filename), filename);
    return exports;
  };
  return { load, mutations };
}

const { load, mutations } = await bundle();
const judgings = new Judgings(load);
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { search: { type: 'boolean' }, again: { type: 'string' } },
});
/** The changes that an earlier run printed: only they are judged again. */
const again =
  values.again === undefined ? undefined : new Set(readFileSync(values.again, 'utf8').split('\n'));
const placeOf = ({ path, line, column, original, changed }) =>
  `${path}:${line}:${column} ${original} → ${changed}`.replace(/\s*\n\s*/g, ' ');
const suites = judgings.kit.registry.suites.filter((id) => wanted.length === 0 || wanted.includes(id));
if (suites.length === 0) throw new Error(`no suite is called ${wanted.join(' or ')}`);

/** By mutation: whether a test of any suite noticed it. Suites of one protocol share rules. */
const noticed = new Map();
for (const id of suites) {
  const began = performance.now();
  const suite = await judgings.suite(id);
  const groups = groupsOf(judgings.kit, suite, judgings.kit.sessionsOf(suite.protocol).get(id) ?? []);
  const isOwn = ({ path }) => [id, `${suite.protocol}/shared`].includes(rulesFile.exec(`/${path}`)[1]);
  const isAsked = (mutation) => isOwn(mutation) && (again === undefined || again.has(placeOf(mutation)));
  const own = new Set(mutations.filter(isAsked).map((mutation) => mutation.id));
  const killers = await judgings.judgeSuite(id, groups, (mutation) => own.has(mutation));
  if (values.search)
    await searchSuite(
      judgings,
      suite,
      groups,
      [...own].filter((one) => killers.get(one) === undefined && noticed.get(one) !== true),
      mutations,
    );
  for (const mutation of own)
    noticed.set(mutation, noticed.get(mutation) === true || killers.get(mutation) !== undefined);
  process.stderr.write(
    `${id}: ${own.size} changes, ${groups.length} tests, ${Math.round((performance.now() - began) / 1000)} s\n`,
  );
}

const byFile = new Map();
for (const mutation of mutations) {
  const { id, path } = mutation;
  if (!noticed.has(id)) continue;
  const file = byFile.get(path) ?? { all: 0, noticed: 0 };
  byFile.set(path, file);
  file.all++;
  if (noticed.get(id)) file.noticed++;
  else console.log(placeOf(mutation));
}
const share = ({ all, noticed: some }) => `${some} of ${all} (${((100 * some) / all).toFixed(1)} %)`;
console.log();
for (const [path, file] of byFile) console.log(`${share(file)} noticed in ${path}`);
const all = [...byFile.values()].reduce((sum, file) => ({
  all: sum.all + file.all,
  noticed: sum.noticed + file.noticed,
}));
console.log(`${share(all)} noticed in all`);
