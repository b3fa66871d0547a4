// The types of every door, read by each TypeScript: ours strictly, the oldest and the newest as less strict projects do.
import { fetch, run, write } from './project.mjs';

const lib = ['es2023', 'dom'];
const doorsOnly = ['doors.ts'];
const strict = { strict: true, exactOptionalPropertyTypes: true };
const loose = { strict: true, skipLibCheck: false, noEmit: true };

/**
 * The projects that are compiled, and the TypeScript of each; `ours` is that of the repository.
 *
 * @type {[typescript: string, options: { noEmit?: boolean, [name: string]: unknown }][]}
 */
const projects = [
  ['typescript@5.4', { module: 'node16', target: 'es2022', ...loose }],
  ['ours', { module: 'node20', target: 'es2023', ...strict }],
  ['ours', { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', ...loose }],
  ['typescript@7', { module: 'node20', target: 'es2022', ...loose }],
];

/** Imports every door, and says so where one is empty. */
export const doorsText = (doors) =>
  doors
    .map(
      (door, i) =>
        `import * as door${i} from '${door}';\nif (Object.keys(door${i}).length === 0) throw new Error('${door} is empty');\n`,
    )
    .join('');

/** Compiles the project's files with every TypeScript that can be had. @returns the versions, in words */
export async function compileAll(root, project, ours) {
  const versions = await Promise.all(
    projects.map(async ([name, options], i) => {
      const tsc = name === 'ours' ? ours : await fetch(root, name, 'typescript/bin/tsc');
      if (tsc === undefined) return [];
      const include = options.noEmit ? doorsOnly : ['use.ts', ...doorsOnly];
      const file = `tsconfig.${i}.json`;
      write(project, file, JSON.stringify({ compilerOptions: { ...options, types: [], lib }, include }));
      await run(project, process.execPath, [tsc, '-p', file]);
      return (await run(project, process.execPath, [tsc, '--version'])).trim().replace('Version ', '');
    }),
  );
  return [...new Set(versions.flat())].join(', ');
}
