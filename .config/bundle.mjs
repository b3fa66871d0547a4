// Joins the modules of the command into few files. Node reads these faster: `wireproof testee toon/codec` starts in two
// thirds of the time. The modules that no verb is the head of stay as they are, for programs that import the package: the
// errors and values of one door are those of the others.
import { readFileSync, readdirSync } from 'node:fs';
import { rolldown } from 'rolldown';

const programs = readdirSync('dist/bin').filter((name) => /^program(?:-[a-z]+)?\.cjs$/.test(name));
const text = programs.map((name) => readFileSync(`dist/bin/${name}`, 'utf8')).join('\n');
const verbs = [
  ...new Set([...text.matchAll(/import\(["']\.\/([a-z-]+)\.js["']\)/g)].map(([, name]) => name)),
];
if (verbs.length < 10) throw new Error(`only ${verbs.length} verbs in ${programs.join(', ')} of dist/bin`);
const bundle = await rolldown({
  input: Object.fromEntries(verbs.map((name) => [name, `dist/bin/${name}.js`])),
  external: /^(?:node:|[a-z@])/,
  platform: 'node',
});
await bundle.write({ dir: 'dist/bin', chunkFileNames: 'parts/[name]-[hash].js' });
