/** What files of golden vectors are made of, and the words for what is wrong with one. */
import { join } from 'node:path';
import type { Json, JsonObject } from '../base/index.ts';
import { canonicalJson } from './canonical-json.ts';
import { packageRoot } from './root.ts';

/**
 * What an input is. valid: it must be taken, and what is expected must hold of the answer; invalid: it must be refused;
 * acceptable: it may be refused, and where it is taken, what is expected must hold.
 */
export type VectorResult = 'valid' | 'invalid' | 'acceptable';

/** One input and what must come of it. Every other key is an input of the operation. */
export interface Vector {
  /** Permanent and unique in the protocol. */
  readonly id: string;
  /** What is shown, in words. */
  readonly comment: string;
  /** Keys of the file's notes. */
  readonly flags: readonly string[];
  /** The rows that a wrong answer breaks. */
  readonly requirements: readonly string[];
  readonly result: VectorResult;
  /** What the answer must say; nothing is judged that is not named here. */
  readonly expect?: JsonObject;
  /** Code of the refusal; where absent, any will do. */
  readonly error?: string;
  readonly [input: string]: Json;
}

/** Tests that are put to one operation. */
export interface VectorGroup {
  readonly op: string;
  readonly tests: readonly Vector[];
}

/** What a file of vectors holds. */
export interface VectorSet {
  readonly schema: string;
  readonly protocol: string;
  readonly revision: string;
  /** The command that makes the same bytes again. */
  readonly generator: string;
  readonly notes: { readonly [flag: string]: string };
  readonly groups: readonly VectorGroup[];
}

/** A file of vectors. */
export interface VectorFile {
  /** Its name in the folder, such as `header.json`. */
  readonly name: string;
  readonly vectors: VectorSet;
}

/** What is wrong with a folder of vectors, and where. */
export interface VectorFault {
  readonly file: string;
  /** `line:column`; absent where the whole file is meant. */
  readonly at?: string;
  readonly what: string;
}

/** What a folder of vectors holds: the SHA-256 of each file. */
export interface VectorManifest {
  readonly schema: string;
  readonly protocol: string;
  readonly revision: string;
  readonly generator: string;
  readonly files: {
    readonly [name: string]: { readonly bytes: number; readonly sha256: string; readonly tests: number };
  };
}

/** The `schema` of every file of vectors. */
export const vectorSchema = 'https://wireproof.dev/formats/vectors.schema.json';

/** The largest file of vectors that is read (bytes). */
export const vectorLimit: number = 8 << 20;

/** The manifest's file. */
export const manifestName: string = 'manifest.json';

/** The `generator` of a protocol's vectors: the command that makes them. */
export const vectorGenerator = (protocol: string, seed: string): string =>
  `wireproof fixtures generate ${protocol} --seed ${seed}`;

/** The seed that a `generator` names. */
export const seedOf = (generator: string): string => generator.slice(generator.lastIndexOf(' ') + 1);

/** What a seed of vectors may be: their ids contain it. */
export const isVectorSeed = (seed: string): boolean => /^[A-Za-z0-9._-]{1,64}$/.test(seed);

const ownKeys: readonly string[] = ['id', 'comment', 'flags', 'requirements', 'result', 'expect', 'error'];

/** The inputs of a test: what a request has beside its `id` and `op`. */
export const vectorInput = (vector: Vector): JsonObject =>
  Object.fromEntries(Object.entries(vector).filter(([key]) => !ownKeys.includes(key)));

/** Where a protocol's own vectors lie. */
export const vectorFolder = (protocol: string): string =>
  join(packageRoot(), 'fixtures', protocol, 'vectors');

/** The text of a file of vectors. */
export const textOfSet = (set: VectorSet): string => canonicalJson(set as unknown as Json);

/** A fault as a line: `file:line:column: what`. */
export const sentenceOf = ({ file, at, what }: VectorFault): string =>
  `${at === undefined ? file : `${file}:${at}`}: ${what}`;
