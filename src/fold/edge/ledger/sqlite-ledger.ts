/**
 * The ledger in an SQLite file: each entry is on the disk when `append` returns. One process at a time can have the file
 * open: SQLite's exclusive lock is the kernel's, so it always ends with its process.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { WireproofError, isObject } from '../../../kit/base/index.ts';
import { statsOf } from '../../gateway/ledger.ts';
import type { Ledger, UsageEntry } from '../../gateway/ledger.ts';
import { textOf } from '../../json.ts';
import { countsOf, usageCounts } from '../../messages.ts';
import type { TokenCounts } from '../../messages.ts';
import { forgetOwner, nameOwner, noteOwner } from './ledger-owner.ts';
import { codeOf, importSqlite, loadSqlite, messageOf } from './sqlite-package.ts';
import type { SqliteDatabase, SqliteStatement } from './sqlite-package.ts';

/** The version of the file's layout, in its `user_version`. */
const version = 1;
/** "Fold", in the file's `application_id`, which distinguishes a ledger from other programs' files. */
const application = 0x466f6c64;

const columns = ['at', 'request_id', 'agent_id', 'thread_id', ...usageCounts];

const schema = `
  CREATE TABLE usage (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    ${usageCounts.map((name) => `${name} INTEGER NOT NULL`).join(', ')}
  ) STRICT;
  CREATE INDEX usage_of_thread ON usage (thread_id, request_id);
  CREATE TRIGGER usage_stays BEFORE UPDATE ON usage BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER usage_is_kept BEFORE DELETE ON usage BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  PRAGMA application_id = ${application};
  PRAGMA user_version = ${version};`;

/** Sums of 32-bit halves, because SQLite fails at a sum beyond 64 bits; {@link sumsOf} adds them. */
const sums = usageCounts
  .map((name) => `sum(${name} >> 32) AS ${name}_high, sum(${name} & 4294967295) AS ${name}_low`)
  .join(', ');

const queries = {
  append: `INSERT INTO usage (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  // With min() the other columns come from its row: the request's first entry.
  thread: `SELECT request_id, agent_id, min(id) AS first, ${sums} FROM usage
    WHERE thread_id = ? GROUP BY request_id ORDER BY first`,
  stats: `SELECT ${sums} FROM usage`,
  requests: 'SELECT count(*) AS requests FROM (SELECT 1 FROM usage GROUP BY thread_id, request_id)',
} as const;

const usage = (message: string, cause?: unknown): WireproofError =>
  new WireproofError('usage', message, { cause });
const environment = (message: string, cause?: unknown): WireproofError =>
  new WireproofError('environment', message, { cause });

type Row = Readonly<Record<string, unknown>>;

const rowOf = (value: unknown): Row => (isObject(value) ? value : {});
const bigintOf = (value: unknown): bigint => (typeof value === 'bigint' ? value : 0n);

/** The sums of a row: exact up to 2^53, then the nearest number. */
function sumsOf(row: Row): TokenCounts {
  const counts = countsOf({});
  for (const name of usageCounts)
    counts[name] = Number((bigintOf(row[`${name}_high`]) << 32n) + bigintOf(row[`${name}_low`]));
  return counts;
}

const pragma = (db: SqliteDatabase, name: string): unknown =>
  rowOf(db.prepare(`PRAGMA ${name}`).get([]))[name];

/** The real path of a file, so that two names of one file are one ledger. */
function locate(path: string): string {
  if (path === '' || path === ':memory:')
    throw usage(`expected the ledger's file; came "${path}"; give a path, or none for memory`);
  const file = resolve(path);
  try {
    return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
  } catch (cause) {
    const folder = dirname(file);
    throw usage(`the ledger ${file} needs the folder ${folder}, which is not there; make it`, cause);
  }
}

/** An error of SQLite as a WireproofError. */
function failure(file: string, doing: string, cause: unknown): WireproofError {
  if (cause instanceof WireproofError) return cause;
  const code = codeOf(cause);
  if (code.startsWith('SQLITE_BUSY'))
    return environment(
      `the ledger ${file} is in use by ${nameOwner(file)}; stop that, or give another file`,
      cause,
    );
  if (code.startsWith('SQLITE_NOTADB'))
    return usage(`expected a ledger in ${file}; came a file that is not SQLite's; give another`, cause);
  return environment(
    `the ledger ${file} cannot be ${doing}: ${messageOf(cause)}; see to its folder, rights and disk`,
    cause,
  );
}

/** Creates the tables of a new file, or refuses a file that is not a ledger of this version. */
function establish(db: SqliteDatabase, file: string): void {
  const [owner, layout] = [pragma(db, 'application_id'), Number(pragma(db, 'user_version'))];
  const { objects } = rowOf(db.prepare('SELECT count(*) AS objects FROM sqlite_master').get([]));
  if (owner === 0 && layout === 0 && objects === 0) return db.exec(schema);
  if (owner !== application)
    throw usage(`expected a ledger in ${file}; came another program's SQLite file; give another`);
  if (layout !== version)
    throw usage(
      `the ledger ${file} has layout ${layout}, and this version knows layout ${version} only; use the newer version that wrote it`,
    );
}

/** Locks the file for this connection, and makes every commit wait for the disk. */
function claim(db: SqliteDatabase, file: string): void {
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
  establish(db, file);
  db.exec('COMMIT');
  // Then a commit is one write and one fsync (on macOS, of the drive too), and the log needs no shared memory.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
  const [journal, synchronous] = [pragma(db, 'journal_mode'), pragma(db, 'synchronous')];
  if (journal !== 'wal' || synchronous !== 2)
    throw environment(
      `expected a write-ahead log and full syncs for ${file}; came ${String(journal)} and ${String(synchronous)}; give a file on another disk`,
    );
  noteOwner(file);
}

/**
 * Releases the file. The package closes it only when its statements are collected as garbage, so the lock is released
 * here: a change of the journal mode moves the rows of the log into the file, and a read in normal mode unlocks it.
 */
function release(db: SqliteDatabase, steps: readonly string[]): void {
  for (const step of steps)
    try {
      db.exec(step);
    } catch {
      // Durable rows stay durable; at worst the lock ends with the process.
    }
  db.close();
}

const unlock = 'PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_master';

function connect(Database: new (path: string) => SqliteDatabase, file: string): SqliteDatabase {
  let db: SqliteDatabase | undefined;
  try {
    db = new Database(file);
    claim(db, file);
    return db;
  } catch (error) {
    const refusal = failure(file, 'opened', error);
    if (db !== undefined) release(db, ['ROLLBACK', unlock]);
    throw refusal;
  }
}

/** The time and counts of an entry, as SQLite's integers. */
function integers(file: string, entry: UsageEntry): bigint[] {
  const counts = countsOf(entry.usage);
  const values = [Math.floor(entry.at), ...usageCounts.map((name) => counts[name])];
  if (values.every(Number.isSafeInteger)) return values.map(BigInt);
  throw new WireproofError(
    'internal',
    `expected a time and whole counts for the ledger ${file}; came ${JSON.stringify(entry)}`,
  );
}

/** The ledger of an open file. */
function ledgerOf(db: SqliteDatabase, file: string): Ledger {
  const append = db.prepare(queries.append);
  const read = (query: string): SqliteStatement => db.prepare(query).safeIntegers();
  const [thread, stats, requests] = [read(queries.thread), read(queries.stats), read(queries.requests)];
  let open = true;
  const run = <T>(doing: string, work: () => T): T => {
    if (!open) throw new WireproofError('internal', `the ledger ${file} is closed`);
    try {
      return work();
    } catch (error) {
      throw failure(file, doing, error);
    }
  };
  return {
    append(entry) {
      run('written', () => {
        const [at = 0n, ...counts] = integers(file, entry);
        append.run([at, entry.request_id, entry.agent_id, entry.thread_id, ...counts]);
      });
    },
    thread: (id) =>
      run('read', () => thread.all([id]).map(rowOf)).map((row) => ({
        request_id: textOf(row, 'request_id'),
        agent_id: textOf(row, 'agent_id'),
        ...sumsOf(row),
      })),
    stats: () =>
      run('read', () =>
        statsOf(sumsOf(rowOf(stats.get([]))), Number(bigintOf(rowOf(requests.get([]))['requests']))),
      ),
    close() {
      if (!open) return;
      open = false;
      forgetOwner(file);
      release(db, ['PRAGMA journal_mode = DELETE', unlock]);
    },
  };
}

/**
 * Opens the ledger in a file, or creates it. An appended entry survives any end of the process, and of the machine if
 * its disk keeps the data that it has confirmed. Each `append` blocks until the disk has the entry (some milliseconds).
 *
 * @param load for tests: imports the SQLite package
 * @throws {WireproofError} `usage` when the optional package is not installed, or the file is not a ledger of this
 *   version; `environment` when another process has it open, or it cannot be read or written
 * @example
 * ```ts no-run: leaves a file behind
 * const ledger = await openSqliteLedger('usage.db');
 * ledger.append({ at: Date.now(), request_id: 'r1', agent_id: 'a', thread_id: 't', usage: { input_tokens: 3 } });
 * ledger.close();
 * ```
 */
export async function openSqliteLedger(
  path: string,
  load: () => Promise<unknown> = importSqlite,
): Promise<Ledger> {
  const file = locate(path);
  const db = connect(await loadSqlite(load), file);
  try {
    return ledgerOf(db, file);
  } catch (error) {
    const refusal = failure(file, 'opened', error);
    forgetOwner(file);
    release(db, ['PRAGMA journal_mode = DELETE', unlock]);
    throw refusal;
  }
}
