/**
 * `--last-failed`: the failures of the last run of a suite against a target. Each has a file of its own in the project, so
 * that checks which end at the same time do not overwrite each other's.
 */
import { createHash } from 'node:crypto';
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WireproofError, isArray, isObject, jsonOf } from '../../src/kit/base/index.ts';
import type { Report } from '../../src/kit/base/index.ts';
import { readUserFile, replaceFile } from '../../src/kit/spec/index.ts';
import type { Requirement, Statement } from '../../src/kit/spec/index.ts';
import { scenariosOf } from '../../src/kit/suite/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';
import { printError } from '../output/terminal.ts';
import { namesIn } from '../traces/folder.ts';
import type { CheckFlags } from './options.ts';

/** A row that failed, and the scenario that showed it; absent: it takes the whole run to see it. */
interface FailedRow {
  readonly id: string;
  readonly scenario?: string;
}

/** The failures of a suite against a target. */
interface RunRecord {
  readonly suite: string;
  readonly target: string;
  readonly failed: readonly FailedRow[];
}

/** The format of a file. */
const format = 'last-run/2';
/** The most files, of which the oldest is removed, and the most bytes of one. */
const most = { files: 64, bytes: 1 << 20 } as const;

const usage = (message: string): WireproofError => new WireproofError('usage', message);
const note = (text: string): void => printError(`note: ${text}\n`);

/** The last run of a suite against a target, and what this one adds. */
export class LastRun {
  readonly #suite: Suite;
  readonly #target: string;
  readonly #statement: Statement | undefined;
  readonly #file: string;
  readonly #scenarioOf = new Map<string, string>();

  /** @param target - the target's name: the one in its statement, or else its command or address */
  constructor(suite: Suite, target: string, statement: Statement | undefined) {
    this.#suite = suite;
    this.#target = target;
    this.#statement = statement;
    const name = createHash('sha256').update(target).digest('hex').slice(0, 16);
    this.#file = join(
      statement?.folder ?? '.',
      '.wireproof/last-run',
      `${suite.id.replaceAll('/', '-')}-${name}.json`,
    );
  }

  /**
   * The flags that select the failures of the last run. Without a failure, nothing is left out: a run of nothing would be
   * green without having seen anything.
   *
   * @throws WireproofError 'usage' beside another selection
   */
  narrowed(flags: CheckFlags, rows: readonly Requirement[]): CheckFlags {
    if (flags.lastFailed !== true) return flags;
    const { only, scenario, shard } = flags;
    if (only.length > 0 || scenario.length > 0 || shard !== undefined)
      throw usage('--last-failed selects by itself; leave --only, --scenario and --shard out');
    const owed = new Set(rows.filter(({ excluded }) => excluded === undefined).map(({ id }) => id));
    const failed = (this.#read()?.failed ?? []).filter(({ id }) => owed.has(id));
    if (failed.length === 0) {
      note(
        `no failure of an earlier run of ${this.#suite.id} against this target is kept; all of it is played`,
      );
      return { ...flags, lastFailed: false };
    }
    const names = failed.map((row) => row.scenario);
    const known = new Set(scenariosOf(this.#suite, this.#statement).map(({ name }) => name));
    const isKnown = names.every((name) => name !== undefined && known.has(name));
    note(`only what failed last: ${failed.map(({ id }) => id).join(', ')}`);
    return {
      ...flags,
      only: failed.map(({ id }) => id),
      scenario: isKnown ? [...new Set(names.filter((name) => name !== undefined))] : [],
    };
  }

  /** Notes the scenario that shows a failure. */
  failedIn(id: string, scenario: string | undefined): void {
    if (scenario !== undefined && scenario !== '') this.#scenarioOf.set(id, scenario);
  }

  /** Keeps the failures of a run. Where it played a part, a row that it did not judge keeps its state. */
  remember(report: Report, { shard }: CheckFlags): void {
    if (shard !== undefined) return;
    try {
      this.#write(report);
    } catch (error) {
      if (!(error instanceof WireproofError)) throw error;
      note(`--last-failed will not know this run: ${error.message}`);
    }
  }

  #write(report: Report): void {
    const before = this.#read();
    const isPart = report.interrupted || report.scope.selected !== undefined;
    const judged = new Set(
      report.requirements
        .filter(({ verdict }) => verdict === 'pass' || verdict === 'fail')
        .map(({ id }) => id),
    );
    const failed = [
      ...(isPart ? (before?.failed ?? []).filter(({ id }) => !judged.has(id)) : []),
      ...failuresOf(report).map((id): FailedRow => {
        const scenario = this.#scenarioOf.get(id);
        return scenario === undefined ? { id } : { id, scenario };
      }),
    ];
    if (failed.length === 0) return removeFile(this.#file);
    const record = { wireproof: format, suite: this.#suite.id, target: this.#target, failed };
    replaceFile(this.#file, (draft) => writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`));
    removeOldest(dirname(this.#file));
  }

  /** The record of the last run; undefined when it is absent, of another format, or cannot be read: a target may have written it. */
  #read(): RunRecord | undefined {
    try {
      const value = jsonOf(readUserFile(this.#file, { kind: 'the failures of a run', most: most.bytes }));
      const isOwn = isObject(value) && value['wireproof'] === format && isRecord(value);
      return isOwn && value.suite === this.#suite.id && value.target === this.#target ? value : undefined;
    } catch (error) {
      if (error instanceof WireproofError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

/** Removes the records of the targets that were checked longest ago. It touches no other file: a target may have moved the folder. */
function removeOldest(folder: string): void {
  const paths = namesIn(folder)
    .filter((name) => /^[a-z-]+-[0-9a-f]{16}\.json$/u.test(name))
    .map((name) => join(folder, name));
  const time = new Map(paths.map((path) => [path, lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  const newestFirst = paths.toSorted((a, b) => (time.get(b) ?? 0) - (time.get(a) ?? 0));
  for (const path of newestFirst.slice(most.files)) removeFile(path);
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WireproofError('environment', `cannot remove ${path}: ${why}`, { cause });
  }
}

/** The rows that failed and are not expected to. */
const failuresOf = ({ requirements }: Report): readonly string[] =>
  requirements
    .filter(({ verdict, expected_failure }) => verdict === 'fail' && expected_failure === undefined)
    .map(({ id }) => id);

const isText = (value: unknown): value is string => typeof value === 'string';

const isRecord = (value: unknown): value is RunRecord =>
  isObject(value) &&
  isText(value['suite']) &&
  isText(value['target']) &&
  isArray(value['failed']) &&
  value['failed'].every(
    (row: unknown) =>
      isObject(row) && isText(row['id']) && (row['scenario'] === undefined || isText(row['scenario'])),
  );
