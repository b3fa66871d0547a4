// `npm run sizes`: the sizes of the package, beside those on record. A figure that has grown by more than a tenth fails.
// `npm run sizes -- --write` puts today's figures on record: do so when the growth is worth it, and say why in the commit.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { install, makeProject, run } from './consumer/project.mjs';
import { pack } from './pack.mjs';

const record = new URL('sizes.json', import.meta.url);
const tolerated = 1.1;

/** Prints the URL of each module that is loaded. */
const inUrl = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
const hook = `import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.startsWith('file:')) writeSync(2, url + '\\n');
  return next(url, context);
}
`;
const watch = inUrl(
  `import Module, { register } from 'node:module';
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
register(${JSON.stringify(inUrl(hook))});
for (const kind of ['.js', '.json']) {
  const before = Module._extensions[kind];
  Module._extensions[kind] = (module, file) => (writeSync(2, pathToFileURL(file).href + '\\n'), before(module, file));
}`,
);

/** The modules that a command loads, and their bytes. */
async function loadedBy(project, ...args) {
  const command = join(project, 'node_modules/wireproof/dist/bin/wireproof.cjs');
  const script = `const { spawnSync } = require('node:child_process');
const { stderr } = spawnSync(process.execPath, ['--import', ${JSON.stringify(watch)}, ...${JSON.stringify([command, ...args])}], { input: '', encoding: 'utf8' });
process.stdout.write(stderr);`;
  const said = await run(project, process.execPath, ['-e', script]);
  const files = new Set(said.split('\n').filter((line) => line.startsWith('file:')));
  const bytes = [...files].reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
  return { modules: files.size, bytes };
}

/** The packages in a project, with those of scopes. */
function packagesIn(project) {
  const folder = join(project, 'node_modules');
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.')) return [];
    return name.startsWith('@') ? readdirSync(join(folder, name)) : [name];
  }).length;
}

/** Measures a tarball, and the project that installed it. */
export async function measureSizes({ files, size, unpackedSize }, project) {
  const help = await loadedBy(project, '--help');
  const testee = await loadedBy(project, 'testee', 'toon/codec');
  return {
    'files in the package': files.length,
    'bytes unpacked': unpackedSize,
    'bytes packed': size,
    'packages installed': packagesIn(project),
    'modules of --help': help.modules,
    'bytes of the modules of --help': help.bytes,
    'modules of testee toon/codec': testee.modules,
    'bytes of the modules of testee toon/codec': testee.bytes,
  };
}

/** Prints the table. @throws Error when a figure has grown too much */
export function checkSizes(sizes) {
  const before = JSON.parse(readFileSync(record, 'utf8'));
  const grown = [];
  for (const [name, value] of Object.entries(sizes)) {
    const old = before[name] ?? 0;
    if (value > old * tolerated) grown.push(name);
    const change = old === 0 ? 'new' : `${((value / old - 1) * 100).toFixed(1)} %`;
    console.log(
      `sizes: ${name.padEnd(42)} ${String(value).padStart(9)}  on record ${String(old).padStart(9)}  ${change}`,
    );
  }
  if (grown.length > 0)
    throw new Error(
      `grown by more than a tenth: ${grown.join(', ')}. Make it smaller, or put it on record: npm run sizes -- --write`,
    );
}

async function main() {
  const root = mkdtempSync(join(tmpdir(), 'wireproof-sizes-'));
  try {
    const packed = pack(root);
    const project = makeProject(root, 'project');
    await install(project, join(root, packed.filename));
    const sizes = await measureSizes(packed, project);
    if (process.argv.includes('--write')) writeFileSync(record, `${JSON.stringify(sizes, null, 2)}\n`);
    checkSizes(sizes);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
