/** The part of the optional package libsql that the SQLite ledger uses. */
import { WireproofError, isObject } from '../../../kit/base/index.ts';

/** A prepared statement. */
export interface SqliteStatement {
  run(values: readonly (string | bigint)[]): unknown;
  get(values: readonly string[]): unknown;
  all(values: readonly string[]): unknown[];
  /** Makes integers `bigint`. */
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

/** A variable in `import()`, so that the project compiles without the optional package. */
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

/** The first line of an error's message. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? message;
}

/** SQLite's name of an error, such as SQLITE_BUSY; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
