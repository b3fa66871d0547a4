// Prints how many changes the tests notice, and the changes that they do not.
import { writeMeasured } from '../quality.mjs';
import { keyOf, knownSurvivors, writeSurvivors } from './survivors.mjs';

const share = ({ all, noticed }) => `${noticed} of ${all} (${((100 * noticed) / all).toFixed(1)} %)`;

/** A change with its place. */
export const placeOf = ({ path, line, column, original, changed }) =>
  `${path}:${line}:${column} ${original} → ${changed}`.replace(/\s*\n\s*/g, ' ');

/**
 * Prints the report. A change that the list knows with a reason does not count.
 *
 * @param noticed - by mutation: whether a test noticed it
 * @param update - whether the list is written anew
 * @param write - whether the table of spec/quality.md is written
 * @returns whether the list knows every survivor
 */
export function report(mutations, noticed, { update, list, write }) {
  const known = knownSurvivors();
  const byFile = new Map();
  const survivors = [];
  const fresh = [];
  for (const mutation of mutations) {
    if (!noticed.has(mutation.id)) continue;
    const key = keyOf(mutation);
    const file = byFile.get(mutation.path) ?? { all: 0, noticed: 0, equal: 0 };
    byFile.set(mutation.path, file);
    if (!noticed.get(mutation.id) && (known.get(key) ?? '') !== '') {
      file.equal++;
      survivors.push(key);
      continue;
    }
    file.all++;
    if (noticed.get(mutation.id)) {
      file.noticed++;
      continue;
    }
    survivors.push(key);
    if (!known.has(key)) fresh.push(mutation);
    if (list || !known.has(key)) console.log(`${known.has(key) ? '' : 'new: '}${placeOf(mutation)}`);
  }
  for (const [path, file] of byFile) console.log(`${share(file)} noticed in ${path}`);
  const sum = (name) => [...byFile.values()].reduce((total, file) => total + file[name], 0);
  const all = { all: sum('all'), noticed: sum('noticed') };
  console.log(`${share(all)} noticed in all; ${sum('equal')} more alter no verdict`);
  if (write) writeMeasured('Changed rules', rowsOf(byFile), { partly: true });
  if (update) writeSurvivors(known, new Set(byFile.keys()), survivors);
  return update || fresh.length === 0;
}

/** A row for each suite, or for the rules that the suites of a protocol share. */
function rowsOf(byFile) {
  const folders = new Map();
  for (const [path, { all, noticed, equal }] of byFile) {
    const [, folder] = /conformance[\\/](.+?)[\\/]rules/.exec(path) ?? [];
    const sum = folders.get(folder) ?? { all: 0, noticed: 0, equal: 0 };
    folders.set(folder, { all: sum.all + all, noticed: sum.noticed + noticed, equal: sum.equal + equal });
  }
  return [...folders].map(([folder, { all, noticed, equal }]) => [
    folder,
    all,
    `${Math.floor((1000 * noticed) / all) / 10} %`,
    equal,
  ]);
}
