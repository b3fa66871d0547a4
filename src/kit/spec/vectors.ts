/**
 * Golden vectors: inputs of a codec and their expected answers, as files for tests in any language. Reads, writes and
 * checks a folder of them; spec/formats/vectors.schema.json describes their content.
 */
import { join } from 'node:path';
import { WireproofError } from '../base/index.ts';
import { placeAt, placeInJson, placesInJson } from './canonical-json.ts';
import { vectorManifest } from './generated/validators.ts';
import { bySchema, checkText, firstDifference, namesIn, readAll, readText } from './vector-read.ts';
import type { ReadFile } from './vector-read.ts';
import { textOfReadme } from './vector-readme.ts';
import { manifestName, sentenceOf, textOfSet, vectorFolder } from './vector-set.ts';
import type { Vector, VectorFault, VectorFile, VectorManifest } from './vector-set.ts';
import { sha256, writeSet } from './vector-write.ts';
import type { WriteOptions } from './vector-write.ts';

/** Reads a folder's vectors, in the order of the files' names. @throws WireproofError 'usage' with the first fault */
export function readVectors(
  protocol: string,
  folder: string = vectorFolder(protocol),
): readonly VectorFile[] {
  const faults: VectorFault[] = [];
  const files = readAll(folder, faults).map(({ name, vectors }) => ({ name, vectors }));
  const [first] = faults;
  if (first !== undefined) throw new WireproofError('usage', join(folder, sentenceOf(first)));
  return files;
}

/**
 * Writes a folder of vectors, its manifest and its README: the same bytes for the same files. Keeps files that it did not
 * make or that were changed since; removes files that it made before and no longer makes.
 *
 * @returns the names of the written files
 * @throws WireproofError 'usage' when it would overwrite a foreign file and `force` is not set
 */
export function writeVectors(
  folder: string,
  files: readonly VectorFile[],
  options: WriteOptions = {},
): readonly string[] {
  const [first] = files;
  if (first === undefined) throw new WireproofError('internal', 'there are no vectors to write');
  const { protocol, revision, generator } = first.vectors;
  const made = files.map(({ name, vectors }) => ({
    name,
    text: textOfSet(vectors),
    counts: { tests: vectors.groups.reduce((n, group) => n + group.tests.length, 0) },
  }));
  return writeSet(
    folder,
    { protocol, revision, generator, readme: textOfReadme(files), files: made },
    options,
  );
}

/** The faults of a folder of vectors in form, manifest, ids and flags. */
export function verifyVectors(folder: string): readonly VectorFault[] {
  const faults: VectorFault[] = [];
  const files = readAll(folder, faults);
  const text = namesIn(folder).includes(manifestName) ? readText(folder, manifestName, faults) : undefined;
  const manifest =
    text === undefined
      ? undefined
      : (checkText(manifestName, text, bySchema(vectorManifest), faults) as VectorManifest | undefined);
  if (text === undefined) faults.push({ file: manifestName, what: 'not there' });
  if (manifest !== undefined) faults.push(...manifestFaults(folder, manifest, files));
  return [...faults, ...idFaults(files), ...files.flatMap(flagFaults)];
}

function manifestFaults(
  folder: string,
  { files: listed, ...same }: VectorManifest,
  files: readonly ReadFile[],
): VectorFault[] {
  const there = namesIn(folder).filter((name) => name !== manifestName);
  const strays = there.filter((name) => !Object.hasOwn(listed, name));
  const lost = Object.keys(listed).filter((name) => !there.includes(name));
  return [
    ...strays.map((file) => ({ file, what: 'not in the manifest' })),
    ...lost.map((file) => ({ file, what: 'in the manifest, and not there' })),
    ...files.flatMap(({ name: file, text, vectors }) => {
      const sum = listed[file]?.sha256;
      const differs = (['protocol', 'revision', 'generator'] as const).filter((k) => vectors[k] !== same[k]);
      return [
        ...(sum === undefined || sum === sha256(text)
          ? []
          : [{ file, what: `its SHA-256 is ${sha256(text)}; the manifest says ${sum}` }]),
        ...differs.map((key) => ({
          file,
          at: placeInJson(text, `/${key}`),
          what: `${key} is "${vectors[key]}"; the manifest says "${same[key]}"`,
        })),
      ];
    }),
  ];
}

/** Every test of a file with its JSON pointer. */
const testsOf = ({ vectors }: VectorFile): (readonly [Vector, string])[] =>
  vectors.groups.flatMap(({ tests }, g) =>
    tests.map((test, t) => [test, `/groups/${g}/tests/${t}`] as const),
  );

/** A fault, and the JSON pointer of its place. */
type Pointed = readonly [pointer: string, what: string];

/** Faults with their places, which one walk over the file finds: a file may have any number of faults. */
function placed({ name, text }: ReadFile, faults: readonly Pointed[]): readonly VectorFault[] {
  const places = placesInJson(text, new Set(faults.map(([pointer]) => pointer)));
  return faults.map(([pointer, what]) => ({ file: name, at: places.get(pointer) ?? '1:1', what }));
}

function idFaults(files: readonly ReadFile[]): VectorFault[] {
  const seen = new Map<string, string>();
  return files.flatMap((file) => {
    const faults = testsOf(file).flatMap(([{ id }, pointer]): Pointed[] => {
      const before = seen.get(id);
      seen.set(id, file.name);
      return before === undefined ? [] : [[`${pointer}/id`, `the id ${id} stands in ${before} already`]];
    });
    return placed(file, faults);
  });
}

function flagFaults(file: ReadFile): readonly VectorFault[] {
  const { notes } = file.vectors;
  const faults = testsOf(file).flatMap(([{ id, flags }, pointer]) =>
    flags
      .filter((flag) => !Object.hasOwn(notes, flag))
      .map((flag): Pointed => [
        `${pointer}/flags`,
        `${id} has the flag ${flag}, which the notes do not explain`,
      ]),
  );
  return placed(file, faults);
}

/** The differences between the files of a folder and the given ones, byte for byte. */
export function vectorDifferences(folder: string, files: readonly VectorFile[]): readonly VectorFault[] {
  const there = namesIn(folder).filter((name) => name !== manifestName);
  const names = files.map(({ name }) => name);
  const faults: VectorFault[] = there
    .filter((name) => !names.includes(name))
    .map((file) => ({ file, what: 'not among the files that this seed makes' }));
  for (const { name: file, vectors } of files) {
    if (!there.includes(file)) faults.push({ file, what: 'not there; this seed makes it' });
    const text = there.includes(file) ? readText(folder, file, faults) : undefined;
    const made = textOfSet(vectors);
    if (text === undefined || text === made) continue;
    const at = placeAt(text, firstDifference(text, made));
    faults.push({ file, at, what: 'from here on, it differs from the vectors of this seed' });
  }
  return faults;
}

/** The positions of tests in their file, by their ids. */
export function placesOfTests(
  folder: string,
  file: VectorFile,
  ids: ReadonlySet<string>,
): (id: string) => Pick<VectorFault, 'file' | 'at'> {
  const wanted = testsOf(file).filter(([{ id }]) => ids.has(id));
  const pointers = new Map(wanted.toReversed().map(([{ id }, pointer]) => [id, pointer]));
  const text = ids.size === 0 ? undefined : readText(folder, file.name, []);
  const places = placesInJson(text ?? '', new Set(pointers.values()));
  return (id) => {
    const at = places.get(pointers.get(id) ?? '');
    return { file: file.name, ...(at === undefined ? {} : { at }) };
  };
}
