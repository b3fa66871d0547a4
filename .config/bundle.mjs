// Joins the modules of the command into few files. Node reads these faster: `wireproof testee toon/codec` starts in two
// thirds of the time. The modules of dist/src stay as they are, for programs that import the package.
import { readdirSync } from 'node:fs';
import { rolldown } from 'rolldown';

const verbs = readdirSync('dist/bin').filter((name) => /^[a-z-]+\.js$/.test(name));
const bundle = await rolldown({
  input: Object.fromEntries(verbs.map((name) => [name.replace('.js', ''), `dist/bin/${name}`])),
  external: /^(?:node:|[a-z@])/,
  platform: 'node',
});
await bundle.write({ dir: 'dist/bin', chunkFileNames: 'parts/[name]-[hash].js' });
