// Changes one token of a rule at a time, and looks whether the tests of its suites notice: npm run mutate [-- SUITE…]
// Prints the share of the changes that a test notices, and each survivor that .config/mutate/survivors.txt does not have.
//   --list    prints all survivors        --update  writes survivors.txt anew
//   --again   plays only the changes in it --search  looks for a changed session that notices a survivor
//   --day     plays one rule file, another each day
//   --sessions  judges the hand-written sessions alone: seconds, while one writes them
//   --tries N  changed sessions that a search tries for each survivor (5000)
//   --write   writes the table of spec/quality.md
//   --file    plays the rule files whose path has a text, such as --file rules/auth
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import { Script } from 'node:vm';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { groupsOf } from './mutate/groups.mjs';
import { Judgings } from './mutate/judgings.mjs';
import { instrument } from './mutate/mutations.mjs';
import { report } from './mutate/report.mjs';
import { searchSuite } from './mutate/search.mjs';
import { keyOf, knownSurvivors } from './mutate/survivors.mjs';

/** The folder of a rule file: its suite, or `PROTOCOL/shared`. */
const folderOf = ({ path }) => rulesFile.exec(`/${path}`)?.[1] ?? '';

/** One rule file a day, with the suites that use it. The suites of Fold take minutes: they have no day. */
function ofTheDay(mutations, suites) {
  const paths = [...new Set(mutations.map(({ path }) => path))]
    .filter((path) => !path.includes('/fold/'))
    .toSorted();
  const path = paths[Math.floor(Date.now() / 86_400_000) % paths.length];
  const folder = folderOf({ path });
  const [protocol] = folder.split('/');
  const used = suites.filter(
    (id) => id === folder || (folder === `${protocol}/shared` && id.startsWith(`${protocol}/`)),
  );
  return { suites: used, chooses: (mutation) => mutation.path === path };
}

const rulesFile = /[\\/]conformance[\\/](\w+[\\/]\w+)[\\/]rules[\\/][\w-]+\.ts$/;

/** Bundles the kit with instrumented rules. `probing`: for a search. @returns a function that evaluates its modules, and the mutations */
async function bundle(probing) {
  const mutations = [];
  const instrumented = {
    name: 'instrument the rules',
    transform(_, path) {
      if (!rulesFile.test(path)) return undefined;
      const made = instrument(readFileSync(path, 'utf8'), relative('.', path), mutations.length, probing);
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

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    again: { type: 'boolean', default: false },
    day: { type: 'boolean', default: false },
    file: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    sessions: { type: 'boolean', default: false },
    search: { type: 'boolean', default: false },
    tries: { type: 'string', default: '5000' },
    update: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const { load, mutations } = await bundle(values.search);
const judgings = new Judgings(load);
const { suites: ids, chooses } = values.day
  ? ofTheDay(mutations, judgings.kit.registry.suites)
  : {
      suites: judgings.kit.registry.suites.filter((id) => wanted.length === 0 || wanted.includes(id)),
      chooses: () => true,
    };
if (ids.length === 0) throw new Error(`no suite is called ${wanted.join(' or ')}`);
const known = knownSurvivors();

/** By mutation: whether a test of any suite noticed it. Suites of one protocol share rules. */
const noticed = new Map();
for (const id of ids) {
  const began = performance.now();
  const suite = await judgings.suite(id);
  const sessions = judgings.kit.sessionsOf(suite.protocol).get(id) ?? [];
  const groups = groupsOf(judgings.kit, suite, sessions, values.sessions);
  const isAsked = (mutation) =>
    [id, `${suite.protocol}/shared`].includes(folderOf(mutation)) &&
    chooses(mutation) &&
    mutation.path.includes(values.file) &&
    (!values.again || known.has(keyOf(mutation)));
  const own = new Set(mutations.filter(isAsked).map((mutation) => mutation.id));
  const killers = await judgings.judgeSuite(id, groups, (mutation) => own.has(mutation));
  const survived = (mutation) => killers.get(mutation) === undefined && noticed.get(mutation) !== true;
  if (values.search)
    await searchSuite(judgings, suite, [...own].filter(survived), mutations, Number(values.tries));
  for (const mutation of own) noticed.set(mutation, !survived(mutation));
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stderr.write(`${id}: ${own.size} changes, ${groups.length} tests, ${seconds} s\n`);
}

if (!report(mutations, noticed, values)) {
  console.log(
    'A new survivor needs a session or a mutant that notices it, or a reason in .config/mutate/survivors.txt.',
  );
  process.exitCode = 1;
}
