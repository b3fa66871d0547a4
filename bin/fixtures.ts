/** `wireproof fixtures`: makes golden vectors for tests in any language, and checks a folder of them. */
import { WireproofError } from '../src/kit/base/index.ts';
import { visible } from '../src/kit/report/index.ts';
import {
  isVectorSeed,
  placeOfTest,
  readRequirements,
  readVectors,
  seedOf,
  sentenceOf,
  vectorDifferences,
  vectorFolder,
  verifyVectors,
  writeVectors,
} from '../src/kit/spec/index.ts';
import type { Vector, VectorFault, VectorFile } from '../src/kit/spec/index.ts';
import type { VectorMaker } from '../src/kit/suite/index.ts';
import { exitCodes } from './exit.ts';
import { registry } from './registry.ts';

async function makerOf(protocol: string): Promise<VectorMaker> {
  const load = registry.protocol(protocol)?.vectors;
  if (load !== undefined) return load();
  const there = registry.protocols.filter(({ vectors }) => vectors !== undefined).map(({ name }) => name);
  throw new WireproofError(
    'usage',
    `there are no vectors of "${protocol}"; the protocols with vectors are ${there.join(', ')}`,
  );
}

const countOf = ({ vectors }: VectorFile): number =>
  vectors.groups.reduce((n, { tests }) => n + tests.length, 0);

const total = (files: readonly VectorFile[]): string =>
  `${files.reduce((n, file) => n + countOf(file), 0)} tests in ${files.length} files`;

/** The flags of `fixtures generate`. */
export interface GenerateFlags {
  readonly seed: string;
  readonly out: string;
  readonly force?: boolean;
}

/** Runs `fixtures generate`. */
export async function generate(protocol: string, { seed, out, force = false }: GenerateFlags): Promise<void> {
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

/** Runs `fixtures verify`. */
export async function verify(
  protocol: string,
  folder: string | undefined,
  flags: VerifyFlags,
): Promise<void> {
  const maker = await makerOf(protocol);
  const dir = folder ?? vectorFolder(protocol);
  const form = verifyVectors(dir);
  const files = form.length > 0 ? [] : readVectors(protocol, dir);
  const faults = form.length > 0 ? form : contentFaults(protocol, dir, files, maker);
  if (faults.length > 0) process.exitCode = exitCodes.notConformant;
  process.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ protocol, folder: dir, ...counted(files), faults }, null, 2)}\n`
      : faultText(dir, files, faults),
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
    const fault = (test: Vector, what: string): VectorFault => ({
      ...placeOfTest(folder, file, test.id),
      what: `${test.id}: ${what}`,
    });
    return file.vectors.groups.flatMap(({ op, tests }) =>
      tests.flatMap((test) => {
        const unknownId = test.requirements.find((id) => !known.has(id));
        const difference = referenceFault(op, test);
        return [
          ...(unknownId === undefined
            ? []
            : [fault(test, `${unknownId} is not a requirement of ${protocol}`)]),
          ...(difference === undefined ? [] : [fault(test, `the reference fails: ${difference}`)]),
        ];
      }),
    );
  });
  return [...tests, ...vectorDifferences(folder, filesOf(seed))];
}

const maxShownFaults = 50;

function faultText(folder: string, files: readonly VectorFile[], faults: readonly VectorFault[]): string {
  const seed = seedOf(files[0]?.vectors.generator ?? '');
  if (faults.length === 0)
    return `${folder}: ${total(files)} are valid: form, manifest, seed ${seed}, answers of the reference\n`;
  const lines = faults.slice(0, maxShownFaults).map((fault) => visible(`${folder}/${sentenceOf(fault)}`));
  const more = faults.length > maxShownFaults ? [`… and ${faults.length - maxShownFaults} more`] : [];
  return [
    ...lines,
    ...more,
    `${folder}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`,
    '',
  ].join('\n');
}
