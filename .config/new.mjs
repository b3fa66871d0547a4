// `npm run new -- suite NAME`: makes the four rooms of a protocol from the files of .config/new/, and adds its line to
// conformance/index.ts. The template protocol is named sample, its live role responder.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Script } from 'node:vm';

const help = `Makes the skeleton of a protocol: spec/NAME, fixtures/NAME, src/NAME, conformance/NAME, and one line in conformance/index.ts.

  npm run new -- suite NAME         the suites NAME/codec (a testee) and NAME/responder (a live role)
  npm run new -- suite NAME/ROLE    the suites NAME/codec and NAME/ROLE

NAME and ROLE are 2 to 20 lower-case letters. Nothing that exists is overwritten.

Examples:
  npm run new -- suite relay
  npm run new -- suite relay/station
`;

const root = join(import.meta.dirname, '..');
const template = join(import.meta.dirname, 'new');
const rooms = ['spec', 'fixtures', 'src', 'conformance'];
const registry = join(root, 'conformance/index.ts');
const kitPath = join(root, 'dist/src/kit');

/** Ends with a sentence and the exit code of wrong usage. */
function refuse(sentence) {
  console.error(`${sentence}\nnpm run new -- --help shows how it is used`);
  process.exit(2);
}

/** Whether TypeScript takes a word as the name of a constant of a module. */
function isIdentifier(word) {
  try {
    void new Script(`'use strict'; const ${word} = 0;`);
    return !['await', 'undefined'].includes(word);
  } catch {
    return false;
  }
}

/** The protocol and the live role of the arguments. */
function named([kind = '', id = '', ...more]) {
  if (kind !== 'suite' || id === '' || more.length > 0) refuse('expected: suite NAME, or suite NAME/ROLE');
  const [name, role = 'responder', ...rest] = id.split('/');
  if (rest.length > 0 || ![name, role].every((word) => /^[a-z]{2,20}$/.test(word)))
    refuse(`suite ${id}: expected NAME or NAME/ROLE, each of 2 to 20 lower-case letters`);
  if (!isIdentifier(name)) refuse(`suite ${id}: ${name} is a word of JavaScript; choose another name`);
  const taken =
    ['kit', 'formats', 'examples', 'sdks'].includes(name) ||
    rooms.some((room) => existsSync(join(root, room, name)));
  if (taken) refuse(`suite ${id}: ${name} exists already; choose another name`);
  if (['caller', 'codec', 'edge', 'generated'].includes(role) || role === name)
    refuse(`suite ${id}: ${role} has another meaning in the skeleton; choose another role`);
  if (!isIdentifier(role)) refuse(`suite ${id}: ${role} is a word of JavaScript; choose another role`);
  if (!existsSync(join(kitPath, 'index.js'))) refuse('the kit is not built; run: npm run build');
  return { name, role };
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** Puts the names in the place of the template's. */
function renamed(text, { name, role }) {
  const words = {
    sample: name,
    Sample: capital(name),
    SAMPLE: name.toUpperCase(),
    responder: role,
    Responder: capital(role),
  };
  return text.replace(/sample|responder/gi, (word) => words[word] ?? word);
}

/** The text as Prettier has it; other kinds of files as they are. */
async function formatted(path, text) {
  const { format, getFileInfo, resolveConfig } = await import('prettier');
  const { inferredParser, ignored } = await getFileInfo(path, { ignorePath: join(root, '.prettierignore') });
  return ignored || inferredParser === null
    ? text
    : format(text, { ...(await resolveConfig(path)), filepath: path });
}

async function writeRooms(names) {
  for (const room of rooms) {
    for (const entry of readdirSync(join(template, room), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const from = join(entry.parentPath, entry.name);
      const path = join(root, room, names.name, renamed(from.slice(join(template, room).length), names));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, await formatted(path, renamed(readFileSync(from, 'utf8'), names)));
    }
  }
}

/** Makes the golden vectors of the cases. */
async function writeGoldenVectors(protocol) {
  const { vectorFolder, writeVectors } = await import(join(kitPath, 'spec/index.js'));
  const { vectorFiles } = await import(join(kitPath, 'testee/index.js'));
  writeVectors(vectorFolder(protocol), vectorFiles({ protocol }, '1'));
}

function register(name) {
  const [head, ...lines] = readFileSync(registry, 'utf8').trimEnd().split('\n');
  const sorted = [...lines, `export { ${name} } from './${name}/protocol.ts';`].toSorted();
  writeFileSync(registry, `${[head, ...sorted].join('\n')}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { help: { type: 'boolean', short: 'h' } },
});
if (values.help === true) {
  process.stdout.write(help);
} else {
  const unknown = Object.keys(values).find((flag) => flag !== 'help');
  if (unknown !== undefined) refuse(`--${unknown}: there is no such flag`);
  const names = named(positionals);
  await writeRooms(names);
  await writeGoldenVectors(names.name);
  register(names.name);
  console.log(`made ${rooms.map((room) => `${room}/${names.name}`).join(', ')}; added a line to conformance/index.ts
next: npm run build && npx wireproof selftest ${names.name}   (CONTRIBUTING.md, "Add a protocol")`);
}
