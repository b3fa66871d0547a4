/**
 * The ledger in an SQLite file: what `append` returned from is on the disk. One process has the file, for as
 * long as it is open: SQLite's exclusive lock is the kernel's, so it ends when its process does, however that is.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { WireproofError, isObject } from '../../../kit/base/index.ts';
import { countsOf, tokenCounts, totalOf } from '../../gateway/ledger.ts';
import type { Ledger, TokenCounts, UsageEntry } from '../../gateway/ledger.ts';
import { forgetOwner, nameOwner, noteOwner } from './ledger-owner.ts';
import { codeOf, importSqlite, loadSqlite, messageOf } from './sqlite-package.ts';
import type { SqliteDatabase, SqliteStatement } from './sqlite-package.ts';

/** The layout that this version writes, in the file's `user_version`. */
const version = 1;
/** "Fold", in the file's `application_id`: no other program's file is taken for a ledger. */
const application = 0x466f6c64;

const columns = ['at', 'request_id', 'agent_id', 'thread_id', ...tokenCounts];

const schema = `
  CREATE TABLE usage (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    ${tokenCounts.map((name) => `${name} INTEGER NOT NULL`).join(', ')}
  ) STRICT;
  CREATE INDEX usage_of_thread ON usage (thread_id, request_id);
  CREATE TRIGGER usage_stays BEFORE UPDATE ON usage BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  CREATE TRIGGER usage_is_kept BEFORE DELETE ON usage BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
  PRAGMA application_id = ${application};
  PRAGMA user_version = ${version};`;

/** In halves, since SQLite fails at a sum beyond 64 bits; put together in {@link sumsOf}. */
const sums = tokenCounts
  .map((name) => `sum(${name} >> 32) AS ${name}_high, sum(${name} & 4294967295) AS ${name}_low`)
  .join(', ');

const queries = {
  append: `INSERT INTO usage (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  // With min() the other columns are those of its row: the request's first entry.
  thread: `SELECT request_id, agent_id, min(id) AS first, ${sums} FROM usage
    WHERE thread_id = ? GROUP BY request_id ORDER BY first`,
  stats: `SELECT ${sums} FROM usage`,
  requests: 'SELECT count(*) AS requests FROM (SELECT 1 FROM usage GROUP BY thread_id, request_id)',
} as const;

type Row = Readonly<Record<string, unknown>>;

const rowOf = (value: unknown): Row => (isObject(value) ? value : {});
const bigintOf = (value: unknown): bigint => (typeof value === 'bigint' ? value : 0n);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Exact up to 2^53, then the nearest number. */
function sumsOf(row: Row): TokenCounts {
  const counts = countsOf({});
  for (const name of tokenCounts)
    counts[name] = Number((bigintOf(row[`${name}_high`]) << 32n) + bigintOf(row[`${name}_low`]));
  return counts;
}

const pragma = (db: SqliteDatabase, name: string): unknown =>
  rowOf(db.prepare(`PRAGMA ${name}`).get([]))[name];

/** Where the file really is, so that two names of one file are one ledger. */
function locate(path: string): string {
  if (path === '' || path === ':memory:')
    throw new WireproofError(
      'usage',
      `expected the ledger's file; came "${path}"; give a path, or none for memory`,
    );
  const file = resolve(path);
  try {
    return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
  } catch (cause) {
    const folder = dirname(file);
    throw new WireproofError(
      'usage',
      `the ledger ${file} needs the folder ${folder}, which is not there; make it`,
      { cause },
    );
  }
}

/** What went wrong with the file, as one of ours. */
function failure(file: string, doing: string, cause: unknown): WireproofError {
  if (cause instanceof WireproofError) return cause;
  const code = codeOf(cause);
  if (code.startsWith('SQLITE_BUSY'))
    return new WireproofError(
      'environment',
      `the ledger ${file} is in use by ${nameOwner(file)}; stop that, or give another file`,
      { cause },
    );
  if (code.startsWith('SQLITE_NOTADB'))
    return new WireproofError(
      'usage',
      `expected a ledger in ${file}; came a file that is not SQLite's; give another`,
      { cause },
    );
  return new WireproofError(
    'environment',
    `the ledger ${file} cannot be ${doing}: ${messageOf(cause)}; see to its folder, rights and disk`,
    { cause },
  );
}

/** Makes a new file's tables, or refuses a file that is not a ledger this version knows. */
function establish(db: SqliteDatabase, file: string): void {
  const [owner, layout] = [pragma(db, 'application_id'), Number(pragma(db, 'user_version'))];
  const { objects } = rowOf(db.prepare('SELECT count(*) AS objects FROM sqlite_master').get([]));
  if (owner === 0 && layout === 0 && objects === 0) return db.exec(schema);
  if (owner !== application)
    throw new WireproofError(
      'usage',
      `expected a ledger in ${file}; came another program's SQLite file; give another`,
    );
  if (layout !== version)
    throw new WireproofError(
      'usage',
      `the ledger ${file} has layout ${layout}, and this version knows layout ${version} only; use the newer version that wrote it`,
    );
}

/** Locks the file for this connection, and makes every commit wait for the disk. */
function claim(db: SqliteDatabase, file: string): void {
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
  establish(db, file);
  db.exec('COMMIT');
  // A commit is then one write and one fsync (on macOS, of the drive too); and the log needs no shared memory.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
  const [journal, synchronous] = [pragma(db, 'journal_mode'), pragma(db, 'synchronous')];
  if (journal !== 'wal' || synchronous !== 2)
    throw new WireproofError(
      'environment',
      `expected a write-ahead log and full syncs for ${file}; came ${String(journal)} and ${String(synchronous)}; give a file on another disk`,
    );
  noteOwner(file);
}

/**
 * Lets go of the file. The package closes it only when its statements are garbage, so the lock is given up by
 * hand: leaving the log behind moves its rows into the file, and the read without exclusive mode unlocks.
 */
function release(db: SqliteDatabase, steps: readonly string[]): void {
  for (const step of steps)
    try {
      db.exec(step);
    } catch {
      // What is durable stays so: at worst the lock goes with the process.
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

/** SQLite's integers, of what a gateway counted. */
function integers(file: string, entry: UsageEntry): bigint[] {
  const counts = countsOf(entry.usage);
  const values = [Math.floor(entry.at), ...tokenCounts.map((name) => counts[name])];
  if (values.every(Number.isSafeInteger)) return values.map(BigInt);
  throw new WireproofError(
    'internal',
    `expected a time and whole counts for the ledger ${file}; came ${JSON.stringify(entry)}`,
  );
}

type Statements = { readonly [K in keyof typeof queries]: SqliteStatement };

/** The open ledger. */
class SqliteLedger implements Ledger {
  readonly #db: SqliteDatabase;
  readonly #file: string;
  readonly #statements: Statements;
  #open = true;

  constructor(db: SqliteDatabase, file: string) {
    this.#db = db;
    this.#file = file;
    const prepare = (name: keyof typeof queries): SqliteStatement => db.prepare(queries[name]);
    this.#statements = {
      append: prepare('append'),
      thread: prepare('thread').safeIntegers(),
      stats: prepare('stats').safeIntegers(),
      requests: prepare('requests').safeIntegers(),
    };
  }

  append(entry: UsageEntry): void {
    this.#do('written', ({ append }) => {
      const [at = 0n, ...counts] = integers(this.#file, entry);
      append.run([at, entry.request_id, entry.agent_id, entry.thread_id, ...counts]);
    });
  }

  thread(id: string): ReturnType<Ledger['thread']> {
    const rows = this.#do('read', ({ thread }) => thread.all([id]).map(rowOf));
    return rows.map((row) => ({
      request_id: textOf(row['request_id']),
      agent_id: textOf(row['agent_id']),
      ...sumsOf(row),
    }));
  }

  stats(): ReturnType<Ledger['stats']> {
    const all = this.#do('read', ({ stats }) => sumsOf(rowOf(stats.get([]))));
    const { requests } = this.#do('read', (statements) => rowOf(statements.requests.get([])));
    return {
      total_input: all.input_tokens,
      total_output: all.output_tokens,
      total_cache_read: all.cache_read_tokens,
      total_cache_write: all.cache_write_tokens,
      total_thinking: all.thinking_tokens,
      total_tokens: totalOf(all),
      request_count: Number(bigintOf(requests)),
    };
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    forgetOwner(this.#file);
    release(this.#db, ['PRAGMA journal_mode = DELETE', unlock]);
  }

  #do<T>(doing: string, work: (statements: Statements) => T): T {
    if (!this.#open) throw new WireproofError('internal', `the ledger ${this.#file} is closed`);
    try {
      return work(this.#statements);
    } catch (error) {
      throw failure(this.#file, doing, error);
    }
  }
}

/**
 * Opens the ledger in a file, or begins it. What `append` returned from survives the end of the process, in
 * whatever way, and of the machine as far as its disk keeps what it says it has. Each `append` waits for the
 * disk (some milliseconds on a common one), and blocks meanwhile.
 *
 * @param load for tests: imports the SQLite package
 * @throws {WireproofError} `usage` when the optional package is not installed or the file is no ledger of a
 *   layout known here; `environment` when another process has it open, or it cannot be read or written
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
    return new SqliteLedger(db, file);
  } catch (error) {
    const refusal = failure(file, 'opened', error);
    forgetOwner(file);
    release(db, ['PRAGMA journal_mode = DELETE', unlock]);
    throw refusal;
  }
}
