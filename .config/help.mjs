// Writes what the command needs to print its help without loading a suite: the facts of every protocol's descriptor, and
// the root help, rendered by the program itself. Not to a terminal, so 80 columns wide.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { registry } from '../dist/bin/registry.js';
import { scenariosOf, suiteRows } from '../dist/src/kit/suite/index.js';

const protocols = registry.protocols.map(
  ({ name, title, suites, testees = [], vectors, conversations = {}, simulators = [], examples }) => ({
    name,
    title,
    suites: Object.keys(suites).map((role) => `${name}/${role}`),
    testees: testees.map((role) => `${name}/${role}`),
    vectors: vectors !== undefined,
    conversations: Object.keys(conversations).map((role) => `${name}/${role}`),
    simulators,
    examples,
  }),
);
writeFileSync('dist/bin/registry.json', JSON.stringify({ protocols }));
// The names that `wireproof completion` completes, so that it loads no suite.
const suites = await registry.loadAll();
/** The values of all lists. The longest list comes first, so that the usual values do. */
const values = (lists) => [...new Set(lists.toSorted((a, b) => b.length - a.length).flat())];
/**
 * What is asked of a target here. A kind of target has some of these only.
 *
 * @typedef {{ kind: string, drive?: string, probe?: unknown, carriers?: readonly string[], drivers?: readonly string[],
 *   asksForModel?: boolean }} Target
 */
/** @type {Target[]} */
const targets = suites.map(({ target }) => target);
const names = (of) => [...new Set(suites.flatMap(of))].toSorted();
writeFileSync(
  'dist/bin/completion.json',
  JSON.stringify({
    suites: names(({ id }) => id),
    testees: protocols.flatMap(({ testees }) => testees),
    vectors: protocols.filter(({ vectors }) => vectors).map(({ name }) => name),
    scenarios: names((suite) => scenariosOf(suite).map(({ name }) => name)),
    ofSuites: {
      // A target that dials and has one drive may name it. Others with one drive leave the flag out.
      '--drive': values(
        targets.map(({ kind, drive, probe }) =>
          kind === 'dials' && drive !== undefined
            ? [drive]
            : kind === 'listens' || probe === undefined
              ? []
              : ['auto', 'passive', 'directive'],
        ),
      ),
      '--carrier': values(targets.map(({ carriers = [] }) => carriers)),
      '--operator': values(targets.map(({ drivers = [], asksForModel }) => (asksForModel ? [] : drivers))),
    },
    // Values of flags that depend on the suite or the simulator, by the first two words of the command.
    byCommand: {
      ...Object.fromEntries(
        suites.flatMap(({ id, target }) =>
          target.kind === 'listens' && target.asksForModel
            ? [[`check ${id}`, { '--drive': target.drivers }]]
            : [],
        ),
      ),
      ...Object.fromEntries(
        protocols.flatMap(({ simulators }) =>
          simulators.flatMap(({ name, flags }) => {
            const known = flags.filter((flag) => flag.known !== undefined);
            if (known.length === 0) return [];
            const of = known.map((flag) => [flag.flags.split(' ')[0], flag.known]);
            return [[`simulate ${name}`, Object.fromEntries(of)]];
          }),
        ),
      ),
    },
    requirements: names((suite) => suiteRows(suite).requirements.map(({ id }) => id)),
  }),
);
writeFileSync(
  'dist/bin/help.txt',
  execFileSync(process.execPath, ['dist/bin/program/program.cjs', '--help']),
);
