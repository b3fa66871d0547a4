/** The known failures that a check applies: those of its statement, or of the file of `--expected`. */
import { didYouMean, WireproofError } from '../../src/kit/base/index.ts';
import { baselineOf, readBaselines } from '../../src/kit/spec/index.ts';
import type { Baseline, ExpectedFailure, Requirement, Statement } from '../../src/kit/spec/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';
import { driveOf } from './options.ts';
import type { CheckFlags } from './options.ts';
import type { CheckSubject } from './subjects.ts';

/** What a check is asked for. */
interface Asked {
  readonly subject: CheckSubject;
  readonly flags: CheckFlags;
  /** Takes a sentence about the request that changes no verdict. */
  note(text: string): void;
}

/** The target of a planned check. */
interface PlannedTarget {
  readonly suite: Suite;
  readonly statement: Statement | undefined;
  /** Its command or address. */
  readonly target: string;
  /** The requirements of the suite. */
  readonly rows: readonly Requirement[];
}

/** The known failures of a target. @throws WireproofError 'usage' when one is no requirement of its suite */
export function expectedOf(asked: Asked, planned: PlannedTarget): readonly ExpectedFailure[] {
  const { expected: file } = asked.flags;
  const { statement, rows } = planned;
  const expected = (file === undefined ? statement?.expected_failures : fromFile(file, asked, planned)) ?? [];
  const ids = rows.map(({ id }) => id);
  const unknown = expected.findIndex(({ id }) => !ids.includes(id));
  const { id = '' } = expected[unknown] ?? {};
  if (unknown < 0) return expected;
  const where = file ?? asked.subject.at?.(`/expected_failures/${unknown}/id`);
  throw new WireproofError(
    'usage',
    `${where === undefined ? '' : `${where}: `}expected_failures names ${id}${didYouMean(id, ids)}, which is not a requirement of ${planned.suite.id}; wireproof list requirements ${planned.suite.id} lists them`,
  );
}

/** The known failures of a target in a file. A note says when the file has none of this target. */
function fromFile(
  file: string,
  { subject, flags, note }: Asked,
  { suite, statement, target }: PlannedTarget,
): readonly ExpectedFailure[] {
  const baselines = readBaselines(file);
  const named = driveOf(suite, flags, statement);
  const drive = named === 'auto' ? undefined : named;
  const own = baselineOf(baselines, {
    suites: [suite.id, subject.suite, statement?.suite].filter((id) => id !== undefined),
    names: [subject.name, target].filter((name) => name !== undefined),
    drive,
  });
  if (own !== undefined) return own.expected_failures;
  const wanted = inWords({
    suite: suite.id,
    target: subject.name ?? target,
    ...(drive === undefined ? {} : { drive }),
  });
  const others = baselines.map(inWords).join('; ');
  note(
    `${file} has no known failures of ${wanted}; ${others === '' ? 'it is empty' : `it has those of ${others}`}`,
  );
  return [];
}

/** A baseline, named in words. */
const inWords = ({ suite, target = 'any target', drive }: Omit<Baseline, 'expected_failures'>): string =>
  `${target} (${suite}${drive === undefined ? '' : `, drive ${drive}`})`;
