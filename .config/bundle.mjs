// Joins the modules of the package into few files: one for each verb of the command and each door, and parts that they
// share. So an error of one door is that of the others, a command starts in two thirds of the time, and nothing is packed
// twice. What the parts are made of stays in dist/src and dist/conformance, which are not packed.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { doors } from './doors.mjs';

const programs = readdirSync('dist/bin/program').filter((name) => name.endsWith('.cjs'));
const text = programs.map((name) => readFileSync(`dist/bin/program/${name}`, 'utf8')).join('\n');
// The verbs, and what the program itself loads late.
const verbs = [
  ...new Set([...text.matchAll(/import\(["']\.\.\/([a-z-]+\/[a-z-]+)\.js["']\)/g)].map(([, name]) => name)),
];
if (verbs.length < 10)
  throw new Error(`only ${verbs.length} verbs in ${programs.join(', ')} of dist/bin/program`);
const bundle = await rolldown({
  input: Object.fromEntries([
    ...verbs.map((name) => [`bin/${name}`, `dist/bin/${name}.js`]),
    // Not a verb; other steps of the build read it.
    ['bin/registry', 'dist/bin/registry.js'],
    ...Object.entries(doors).map(([name, module]) => [`doors/${name}`, `dist/${module}.js`]),
  ]),
  external: /^(?:node:|[a-z@])/,
  platform: 'node',
});

/** Modules that the build generates are parts of their own, to be written without spaces: nobody reads them. */
const generated = 'generated-';
const nameOfGenerated = (id) => {
  const [, room, file] = /([\w-]+)\/generated\/([\w-]+)\.js$/.exec(id) ?? [];
  return `${generated}${room}-${file}`;
};
rmSync('dist/parts', { recursive: true, force: true });
const { output } = await bundle.write({
  dir: 'dist',
  chunkFileNames: 'parts/[name]-[hash].js',
  // The declarations have the comments.
  // An old Node.js is refused before the parts are read.
  banner: ({ name }) =>
    name.startsWith('doors/')
      ? `import '${'../'.repeat(name.split('/').length - 1)}bin/node-version.cjs';`
      : '',
  comments: { legal: true, annotation: false, jsdoc: false },
  codeSplitting: { groups: [{ test: /\/generated\//, name: nameOfGenerated, debugName: 'generated' }] },
});
for (const chunk of output)
  if (chunk.type === 'chunk' && chunk.name.startsWith(generated))
    writeFileSync(
      `dist/${chunk.fileName}`,
      minifySync(chunk.fileName, chunk.code, { module: true, compress: {}, mangle: {} }).code,
    );

// What was joined stands in dist/bin no longer, nor do the tests.
const written = new Set(output.map(({ fileName }) => fileName));
for (const name of readdirSync('dist/bin', { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.js') && !written.has(`bin/${name.replaceAll('\\', '/')}`)) rmSync(`dist/bin/${name}`);
