/** The golden vectors of one operation. */
import { readVectors } from '../../src/kit/spec/index.ts';
import type { VectorFile } from '../../src/kit/spec/index.ts';

/** The files with tests of an operation, without those of others. */
export const vectorsOf = (op: string): readonly VectorFile[] =>
  readVectors('sep').flatMap((file) => {
    const groups = file.vectors.groups.filter((group) => group.op === op);
    return groups.length === 0 ? [] : [{ ...file, vectors: { ...file.vectors, groups } }];
  });
