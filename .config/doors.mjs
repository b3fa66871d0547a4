// The doors of the package: the name below `wireproof/`, and the module of src or bin behind it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What package.json names, but the pattern that stands for each protocol and the kit, and data. */
const named = Object.values(exports).flatMap((door) =>
  door === null || typeof door === 'string' || door.types.includes('*') ? [] : [door],
);

const nameOf = ({ default: file }) => file.slice('./dist/doors/'.length, -'.js'.length);
const moduleOf = ({ types }) => types.slice('./dist/types/'.length, -'.d.ts'.length);

const protocols = readdirSync('src').filter((name) => existsSync(`src/${name}/index.ts`));

/** From the name of a door, such as `fold/simulate`, to its module, such as `src/fold/edge/simulate/index`. */
export const doors = Object.fromEntries([
  ...named.map((door) => [nameOf(door), moduleOf(door)]),
  ...protocols.map((name) => [name, `src/${name}/index`]),
]);
