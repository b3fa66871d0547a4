/** `wireproof fixtures`: makes golden vectors and conversations for tests in any language, and checks a folder of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WireproofError } from '../../src/kit/base/index.ts';
import { visible } from '../../src/kit/report/index.ts';
import {
  isOfConversations,
  isVectorSeed,
  manifestName,
  placesOfTests,
  readManifest,
  readRequirements,
  readVectors,
  seedOf,
  sentenceOf,
  vectorDifferences,
  vectorFolder,
  verifyVectors,
  writeVectors,
} from '../../src/kit/spec/index.ts';
import type { VectorFault, VectorFile } from '../../src/kit/spec/index.ts';
import type { VectorMaker } from '../../src/kit/suite/index.ts';
import { exitCodes } from '../output/exit.ts';
import { registry } from '../registry.ts';

async function makerOf(protocol: string): Promise<VectorMaker> {
  const load = registry.protocol(protocol)?.vectors;
  if (load !== undefined) return load();
  throw new WireproofError(
    'usage',
    `there are no vectors of "${protocol}"; the protocols with vectors are ${vectorProtocols().join(', ')}`,
  );
}

const vectorProtocols = (): readonly string[] =>
  registry.protocols.filter(({ vectors }) => vectors !== undefined).map(({ name }) => name);

const countOf = ({ vectors }: VectorFile): number =>
  vectors.groups.reduce((n, { tests }) => n + tests.length, 0);

const total = (files: readonly VectorFile[]): string =>
  `${files.reduce((n, file) => n + countOf(file), 0)} tests in ${files.length} files`;

/** The flags of `fixtures generate`. */
export interface GenerateFlags {
  readonly seed: string;
  readonly out?: string;
  readonly force?: boolean;
  /** Instead of vectors: this number of random conversations of each suite. */
  readonly conversations?: string;
}

/** Runs `fixtures generate`. */
export async function generate(protocol: string, flags: GenerateFlags): Promise<void> {
  const { seed, force = false, conversations } = flags;
  const { out = conversations === undefined ? 'vectors' : 'conversations' } = flags;
  if (conversations !== undefined) {
    const { generateConversations } = await import('./conversations.ts');
    process.stdout.write(await generateConversations(protocol, { conversations, seed, out, force }));
    return;
  }
  const maker = await makerOf(protocol);
  if (!isVectorSeed(seed)) {
    throw new WireproofError('usage', `--seed ${seed}: expected up to 64 letters, digits, ".", "_" or "-"`);
  }
  const files = maker.files(seed);
  const counts = new Map(files.map((file) => [file.name, `  ${countOf(file)} tests`]));
  const written = writeVectors(out, files, { force });
  const width = Math.max(...written.map((name) => name.length));
  for (const name of written)
    process.stdout.write(`${name.padEnd(width)}${counts.get(name) ?? ''}`.trimEnd().concat('\n'));
  process.stdout.write(`wrote ${total(files)} to ${out}; seed ${seed}\n`);
}

/** The flags of `fixtures verify`. */
export interface VerifyFlags {
  readonly json?: boolean;
}

/** Runs `fixtures verify`. `target`: a protocol, or a folder that `fixtures generate` made. */
export async function verify(target: string, folder: string | undefined, flags: VerifyFlags): Promise<void> {
  const { protocol, dir, isOfTraces } = placeOf(target, folder);
  if (isOfTraces) {
    const { conversationFaults } = await import('./conversations.ts');
    const { files, faults } = await conversationFaults(dir);
    return show(
      {
        protocol,
        dir,
        counts: { files },
        faults,
        valid: `${files} conversations are valid: manifest, seed, rules`,
      },
      flags,
    );
  }
  const maker = await makerOf(protocol);
  const form = verifyVectors(dir);
  const files = form.length > 0 ? [] : readVectors(protocol, dir);
  const faults = form.length > 0 ? form : contentFaults(protocol, dir, files, maker);
  const seed = seedOf(files[0]?.vectors.generator ?? '');
  const valid = `${total(files)} are valid: form, manifest, seed ${seed}, answers of the reference`;
  show({ protocol, dir, counts: counted(files), faults, valid }, flags);
}

/** What to verify. */
interface Place {
  readonly protocol: string;
  readonly dir: string;
  /** Whether the folder has conversations instead of vectors. */
  readonly isOfTraces: boolean;
}

/** Finds out what to verify. Without a protocol, the manifest of the folder names it. */
function placeOf(target: string, folder: string | undefined): Place {
  const named = registry.protocol(target) !== undefined;
  if (named && folder === undefined)
    return { protocol: target, dir: vectorFolder(target), isOfTraces: false };
  const dir = folder ?? target;
  if (existsSync(join(dir, manifestName))) {
    const { protocol, generator } = readManifest(dir);
    return { protocol: named ? target : protocol, dir, isOfTraces: isOfConversations(generator) };
  }
  if (folder === undefined)
    throw new WireproofError(
      'usage',
      `${target}: neither a protocol with vectors (${vectorProtocols().join(', ')}) nor a folder with a manifest.json`,
    );
  return { protocol: target, dir, isOfTraces: false };
}

/** The result of a verification. */
interface Verified {
  readonly protocol: string;
  readonly dir: string;
  readonly counts: { readonly files: number; readonly tests?: number };
  readonly faults: readonly VectorFault[];
  /** What is right, when there is no fault. */
  readonly valid: string;
}

function show({ protocol, dir, counts, faults, valid }: Verified, { json = false }: VerifyFlags): void {
  if (faults.length > 0) process.exitCode = exitCodes.notConformant;
  process.stdout.write(
    json
      ? `${JSON.stringify({ protocol, folder: dir, ...counts, faults }, null, 2)}\n`
      : faultText(dir, valid, faults),
  );
}

const counted = (files: readonly VectorFile[]): { readonly files: number; readonly tests: number } => ({
  files: files.length,
  tests: files.reduce((n, file) => n + countOf(file), 0),
});

/** The faults in the content of vectors whose form is valid. */
function contentFaults(
  protocol: string,
  folder: string,
  files: readonly VectorFile[],
  { files: filesOf, referenceFault }: VectorMaker,
): readonly VectorFault[] {
  const { requirements } = readRequirements(protocol);
  const known = new Set(requirements.map(({ id }) => id));
  const seed = seedOf(files[0]?.vectors.generator ?? '');
  const tests = files.flatMap((file) => {
    const faults = file.vectors.groups.flatMap(({ op, tests }) =>
      tests.flatMap((test) => {
        const unknownId = test.requirements.find((id) => !known.has(id));
        const difference = referenceFault(op, test);
        return [
          ...(unknownId === undefined ? [] : [`${unknownId} is not a requirement of ${protocol}`]),
          ...(difference === undefined ? [] : [`the reference fails: ${difference}`]),
        ].map((what) => ({ id: test.id, what }));
      }),
    );
    const placeOf = placesOfTests(folder, file, new Set(faults.map(({ id }) => id)));
    return faults.map(({ id, what }) => ({ ...placeOf(id), what: `${id}: ${what}` }));
  });
  return [...tests, ...vectorDifferences(folder, filesOf(seed))];
}

const maxShownFaults = 50;

function faultText(folder: string, valid: string, faults: readonly VectorFault[]): string {
  if (faults.length === 0) return `${folder}: ${valid}\n`;
  const lines = faults.slice(0, maxShownFaults).map((fault) => visible(`${folder}/${sentenceOf(fault)}`));
  const more = faults.length > maxShownFaults ? [`… and ${faults.length - maxShownFaults} more`] : [];
  return [
    ...lines,
    ...more,
    `${folder}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`,
    '',
  ].join('\n');
}
