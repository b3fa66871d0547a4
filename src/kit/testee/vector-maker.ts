/** Makes a protocol's golden vectors from its case tables, and from a seed for random tests. */
import {
  caseFolder,
  readCaseTables,
  readRequirements,
  vectorGenerator,
  vectorInput,
  vectorSchema,
} from '../spec/index.ts';
import type { JsonObject } from '../base/index.ts';
import type { Case, CaseBuilders, Vector, VectorFile } from '../spec/index.ts';
import { seededRandom } from '../world/index.ts';
import type { Random } from '../world/index.ts';
import type { VectorMaker } from '../suite/index.ts';
import type { Judgement } from './rules.ts';
import type { Answer } from './testee.ts';

/** Random tests of a theme, by operation. The same seed gives the same tests. */
export type RandomTests = (seed: string, random: Random) => { readonly [op: string]: readonly Vector[] };

/** The sources of a protocol's vectors. */
export interface VectorSource {
  readonly protocol: string;
  /** The builders that the case table of a theme may use; absent: none. */
  readonly buildersOf?: (theme: string) => CaseBuilders;
  /** Makes a test from its case; absent: {@link vectorOf}. */
  readonly vectorOf?: (test: Case, theme: string) => Vector;
  /** Tests by theme that are made of something else than a table, such as a schema; absent: there are none. */
  readonly made?: { readonly [theme: string]: () => { readonly [op: string]: readonly Vector[] } };
  /** Random tests by theme. They follow the hand-written tests; absent: there are no random tests. */
  readonly random?: { readonly [theme: string]: RandomTests };
}

/** A reference, and the judge of its answers. */
export interface JudgedReference {
  readonly reference: Answer;
  readonly judge: (test: Vector, request: JsonObject, answer: JsonObject) => Judgement;
}

/** The maker of a protocol's vectors. It also tests the reference with them. */
export const vectorMaker = (source: VectorSource, { reference, judge }: JudgedReference): VectorMaker => ({
  files: (seed) => vectorFiles(source, seed),
  referenceFault(op, test) {
    const request: JsonObject = { ...vectorInput(test), id: test.id, op };
    const judgement = judge(test, request, reference(request));
    if (judgement === 'exercised') return undefined;
    return judgement !== undefined && 'violated' in judgement
      ? judgement.violated
      : 'its answer shows nothing';
  },
});

/** The flag of random tests, and its explanation. */
const random = { flag: 'random', note: 'Made from the seed.' } as const;

/** A test as its table has it, with the defaults of absent members. */
export const vectorOf = (test: Case): Vector =>
  ({ flags: [], result: 'valid', ...test }) as unknown as Vector;

/**
 * The files of vectors for a seed. The same seed gives the same files. Each theme has its own sequence of random numbers,
 * so that a new test in one theme does not change another theme.
 *
 * @throws WireproofError 'usage' on an invalid case table
 */
export function vectorFiles(source: VectorSource, seed: string): readonly VectorFile[] {
  const { protocol, buildersOf = () => ({}), vectorOf: testOf = vectorOf } = source;
  const { made: madeOf = {}, random: randomOf = {} } = source;
  const { files, notes } = readCaseTables(caseFolder(protocol), buildersOf);
  const explained = { ...notes, [random.flag]: random.note };
  const { revision } = readRequirements(protocol);
  const themes = new Map(files.map(({ theme, groups }) => [theme, groups]));
  for (const theme of Object.keys({ ...madeOf, ...randomOf })) if (!themes.has(theme)) themes.set(theme, []);
  return [...themes].map(([theme, groups]) => {
    const drawn = randomOf[theme]?.(seed, seededRandom(`${seed} ${theme}`)) ?? {};
    const further = madeOf[theme]?.() ?? {};
    const ops = new Set([...groups.map(({ op }) => op), ...Object.keys({ ...further, ...drawn })]);
    const all = [...ops].map((op) => {
      const cases = groups.filter((group) => group.op === op).flatMap((group) => group.cases);
      const randomly = (drawn[op] ?? []).map((test) => ({ ...test, flags: withFlag(test, random.flag) }));
      return { op, tests: [...cases.map((one) => testOf(one, theme)), ...(further[op] ?? []), ...randomly] };
    });
    const used = new Set(all.flatMap(({ tests }) => tests.flatMap(({ flags }) => flags)));
    return {
      name: `${theme}.json`,
      vectors: {
        schema: vectorSchema,
        protocol,
        revision,
        generator: vectorGenerator(protocol, seed),
        notes: Object.fromEntries(Object.entries(explained).filter(([flag]) => used.has(flag))),
        groups: all,
      },
    };
  });
}

const withFlag = ({ flags }: Vector, flag: string): readonly string[] => [...flags, flag].toSorted();
