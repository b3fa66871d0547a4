/** The SQLite that a ledger is kept in: the optional package libsql, as far as it is used. */
import { WireproofError, isObject } from '../../../kit/base/index.ts';

/** A prepared statement. */
export interface SqliteStatement {
  run(values: readonly (string | bigint)[]): unknown;
  get(values: readonly string[]): unknown;
  all(values: readonly string[]): unknown[];
  /** Integers come as `bigint`. */
  safeIntegers(): this;
}

/** A connection to one file. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** Opens a file. */
export type SqliteConstructor = new (path: string) => SqliteDatabase;

/** Not a literal in the `import()`: without the optional package the project still compiles. */
const name: string = 'libsql';

const isConstructor = (value: unknown): value is SqliteConstructor => typeof value === 'function';

/** Imports the package. */
export const importSqlite = (): Promise<unknown> => import(name);

/**
 * The package's constructor.
 *
 * @throws {WireproofError} `usage` when the package, or its build for this platform, is not installed
 */
export async function loadSqlite(load: () => Promise<unknown>): Promise<SqliteConstructor> {
  try {
    const module = await load();
    const found = isObject(module) ? module['default'] : undefined;
    if (isConstructor(found)) return found;
    throw new Error('it exports no constructor');
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`;
    throw new WireproofError(
      'usage',
      `a ledger in a file needs the optional package "${name}", and it cannot be loaded on ${platform}: ` +
        `${messageOf(cause)}; install it (npm install ${name}), or give no path to keep the ledger in memory`,
      { cause },
    );
  }
}

/** The first line of what went wrong. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? message;
}

/** SQLite's name of an error, such as SQLITE_BUSY; empty when it is none of SQLite's. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
