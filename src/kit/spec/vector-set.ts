/** The content of golden vector files, and the sentences about their faults. */
import { join } from 'node:path';
import type { Json, JsonObject } from '../base/index.ts';
import { canonicalJson } from './canonical-json.ts';
import { packageRoot } from './root.ts';

/**
 * The class of an input. valid: it must be accepted, and the answer must meet the expectation. invalid: it must be
 * refused. acceptable: it may be refused; when it is accepted, the answer must meet the expectation.
 */
export type VectorResult = 'valid' | 'invalid' | 'acceptable';

/** One input and its expected answer. Every other key is an input of the operation. */
export interface Vector {
  /** Permanent and unique in the protocol. */
  readonly id: string;
  /** The subject of the test, in words. */
  readonly comment: string;
  /** Keys of `notes` in the file. */
  readonly flags: readonly string[];
  /** The requirements that a wrong answer violates. */
  readonly requirements: readonly string[];
  readonly result: VectorResult;
  /** The expected members of the answer. Other members are not judged. */
  readonly expect?: JsonObject;
  /** Code of the refusal; absent: any code. */
  readonly error?: string;
  readonly [input: string]: Json | undefined;
}

/** The tests of one operation. */
export interface VectorGroup {
  readonly op: string;
  readonly tests: readonly Vector[];
}

/** The content of a file of vectors. */
export interface VectorSet {
  readonly schema: string;
  readonly protocol: string;
  readonly revision: string;
  /** The command that makes the same bytes. */
  readonly generator: string;
  readonly notes: { readonly [flag: string]: string };
  readonly groups: readonly VectorGroup[];
}

export interface VectorFile {
  /** Its name in the folder, such as `header.json`. */
  readonly name: string;
  readonly vectors: VectorSet;
}

/** A fault of a folder of vectors, and its position. */
export interface VectorFault {
  readonly file: string;
  /** `line:column`; absent when the fault is of the whole file. */
  readonly at?: string;
  readonly what: string;
}

/** The manifest of a folder of vectors, or of conversations: the SHA-256 of each file. */
export interface VectorManifest {
  readonly schema: string;
  readonly protocol: string;
  readonly revision: string;
  readonly generator: string;
  readonly files: {
    readonly [name: string]: {
      readonly bytes: number;
      readonly sha256: string;
      /** Of a file of vectors. */
      readonly tests?: number;
      /** Of a trace. */
      readonly events?: number;
    };
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

/** The seed in a `generator`. */
export const seedOf = (generator: string): string => generator.slice(generator.lastIndexOf(' ') + 1);

/** Whether the `generator` of a manifest makes conversations instead of vectors. */
export const isOfConversations = (generator: string): boolean => generator.includes(' --conversations ');

/** The form of a seed: ids contain it. */
export const isVectorSeed = (seed: string): boolean => /^[A-Za-z0-9._-]{1,64}$/.test(seed);

const ownKeys: readonly string[] = ['id', 'comment', 'flags', 'requirements', 'result', 'expect', 'error'];

/** The inputs of a test: the members of a request besides `id` and `op`. */
export const vectorInput = (vector: Vector): JsonObject =>
  Object.fromEntries(
    Object.entries(vector).flatMap(([key, value]) =>
      value === undefined || ownKeys.includes(key) ? [] : [[key, value]],
    ),
  );

/** The folder of a protocol's vectors. */
export const vectorFolder = (protocol: string): string =>
  join(packageRoot(), 'fixtures', protocol, 'vectors');

export const textOfSet = (set: VectorSet): string => canonicalJson(set as unknown as Json);

/** A fault as a line: `file:line:column: what`. */
export const sentenceOf = ({ file, at, what }: VectorFault): string =>
  `${at === undefined ? file : `${file}:${at}`}: ${what}`;
