import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../kit/spec/index.ts';
import { memoryLedger } from '../../gateway/ledger.ts';
import type { UsageEntry } from '../../gateway/ledger.ts';
import { usageCounts } from '../../messages.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';
import { importSqlite, loadSqlite } from './sqlite-package.ts';
import type { SqliteDatabase } from './sqlite-package.ts';

const Database = await loadSqlite(importSqlite).catch(() => undefined);
if (Database === undefined)
  console.log('libsql is not installed: the tests of a ledger in a file are skipped');

const folder = mkdtempSync(join(tmpdir(), 'wireproof-ledger-'));
const children = new Set<ChildProcess>();
/** Kills a process, and waits until it has ended. */
async function killed(process: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => process.once('close', resolve));
  process.kill('SIGKILL');
  if (children.has(process)) await gone;
}
afterEach(() => Promise.all([...children].map(killed)));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const fresh = (): string => join(folder, `${files++}.db`);

const entry = (request: string, thread: string, usage: UsageEntry['usage'], agent_id = 'a'): UsageEntry => ({
  at: 1_768_780_800_000,
  request_id: request,
  agent_id,
  thread_id: thread,
  usage,
});
const refused = (code: string, text: string): unknown =>
  expect.objectContaining({ name: 'WireproofError', code, message: expect.stringContaining(text) });

/** A connection of its own, for looking and for spoiling. */
function raw<T>(file: string, work: (db: SqliteDatabase) => T): T {
  if (Database === undefined) throw new Error('libsql is not installed');
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
const one = (file: string, sql: string): unknown => raw(file, (db) => db.prepare(sql).all([])[0]);

const module = pathToFileURL(join(packageRoot(), 'dist/src/fold/edge/ledger/sqlite-ledger.js')).href;

/** Another process with the ledger: runs `body` with `ledger` open. */
function child(file: string, body: string): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const script = `
    import { writeSync } from 'node:fs';
    import { openSqliteLedger } from ${JSON.stringify(module)};
    const say = (text) => writeSync(1, text + '\\n');
    try { const ledger = await openSqliteLedger(${JSON.stringify(file)}); ${body} }
    catch (error) { say(error.code + ': ' + error.message); }`;
  const started = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(started);
  started.once('close', () => children.delete(started));
  return Object.assign(started, { stdout: started.stdout });
}

/** What a child says until it ends, or until `enough` of it. */
function heard(
  from: ReturnType<typeof child>,
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    from.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (enough(text)) resolve(text);
    });
    from.on('close', () => resolve(text));
  });
}

const holding = `say('held'); setInterval(() => {}, 1000);`;
const isHeld = (text: string): boolean => text.includes('held');

describe.skipIf(Database === undefined)('a ledger in a file', () => {
  it('says what a ledger in memory says, closed and opened in between', async () => {
    const name = fc.constantFrom('', 'a', 'ä\u{1f600}', "x' --", 'b');
    const count = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    const usage = fc.record(Object.fromEntries(usageCounts.map((counted) => [counted, count])), {
      requiredKeys: [],
    });
    const agents = new Map([
      ['', 'x'],
      ['a', 'y'],
    ]);
    const entries = fc.array(fc.tuple(name, name, usage), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(entries, fc.nat(11), async (list, pause) => {
        const file = fresh();
        const memory = memoryLedger();
        let ledger = await openSqliteLedger(file);
        for (const [i, [request, thread, used]] of list.entries()) {
          const appended = entry(request, thread, used, agents.get(request) ?? 'z');
          memory.append(appended);
          ledger.append(appended);
          if (i !== pause) continue;
          ledger.close();
          ledger = await openSqliteLedger(file);
        }
        for (const thread of ['', 'a', 'ä\u{1f600}', "x' --", 'b', 'unheard of'])
          expect(ledger.thread(thread)).toEqual(memory.thread(thread));
        expect(ledger.stats()).toEqual(memory.stats());
        ledger.close();
      }),
      { numRuns: 25 },
    );
  });

  it('is empty at first, and stays so when nothing was appended', async () => {
    const ledger = await openSqliteLedger(fresh());
    expect(ledger.thread('t')).toEqual([]);
    expect(ledger.stats()).toEqual(memoryLedger().stats());
    ledger.close();
  });

  it('adds beyond 32 bits, beyond 53 and beyond 64', async () => {
    const ledger = await openSqliteLedger(fresh());
    const most = 2 ** 31 - 1;
    for (let i = 0; i < 3; i++) ledger.append(entry('r', 't', { input_tokens: most }));
    expect(ledger.stats().total_input).toBe(3 * most);
    for (let i = 0; i < 1100; i++)
      ledger.append(entry('big', 't', { output_tokens: Number.MAX_SAFE_INTEGER }));
    const sum = Number(1100n * BigInt(Number.MAX_SAFE_INTEGER));
    expect(sum).toBeGreaterThan(2 ** 63);
    expect(ledger.stats().total_output).toBe(sum);
    expect(ledger.thread('t')[1]?.output_tokens).toBe(sum);
    ledger.close();
  });

  it('refuses what is no count, and takes the next that is', async () => {
    const ledger = await openSqliteLedger(fresh());
    for (const wrong of [0.5, NaN, Infinity, 2 ** 53])
      expect(() => ledger.append(entry('r', 't', { input_tokens: wrong }))).toThrow(
        'expected a time and whole',
      );
    ledger.append(entry('r', 't', { input_tokens: 1 }));
    expect(ledger.stats()).toMatchObject({ total_input: 1, request_count: 1 });
    ledger.close();
  });

  it('keeps each entry as it was, and lets none be changed or deleted', async () => {
    const file = fresh();
    const ledger = await openSqliteLedger(file);
    ledger.append({ ...entry('r', 't', { input_tokens: 1, thinking_tokens: 5 }), at: 1_768_780_800_000.75 });
    ledger.close();
    expect(one(file, 'SELECT * FROM usage')).toMatchObject({
      at: 1_768_780_800_000,
      request_id: 'r',
      agent_id: 'a',
      thread_id: 't',
      input_tokens: 1,
      output_tokens: 0,
      thinking_tokens: 5,
    });
    for (const sql of ['UPDATE usage SET input_tokens = 9', 'DELETE FROM usage'])
      expect(() => raw(file, (db) => db.exec(sql))).toThrow('the ledger is append-only');
  });

  it('closed is one file, and another process has it at once', async () => {
    const file = fresh();
    const ledger = await openSqliteLedger(file);
    ledger.append(entry('r', 't', { input_tokens: 1 }));
    expect(existsSync(`${file}.owner`)).toBe(true);
    ledger.close();
    ledger.close();
    expect(readdirSync(folder).filter((name) => join(folder, name).startsWith(file))).toHaveLength(1);
    expect(await heard(child(file, 'say(ledger.stats().total_input); ledger.close();'))).toBe('1\n');
    expect(() => ledger.append(entry('r', 't', {}))).toThrow('is closed');
    expect(() => ledger.stats()).toThrow('is closed');
  });

  it('is refused to a second process, which hears whose it is, and free when the first is killed', async () => {
    const file = fresh();
    const first = child(file, holding);
    expect(await heard(first, isHeld)).toBe('held\n');
    const second = await heard(child(file, holding));
    expect(second).toContain(`environment: the ledger ${file} is in use by process ${first.pid}; stop that`);
    await expect(openSqliteLedger(file)).rejects.toThrow(refused('environment', `process ${first.pid};`));
    await killed(first);
    expect(existsSync(`${file}.owner`)).toBe(true);
    const ledger = await openSqliteLedger(file);
    expect(JSON.parse(readFileSync(`${file}.owner`, 'utf8'))).toMatchObject({ pid: process.pid });
    ledger.close();
  });

  it('is refused a second time in one process, and under another name', async () => {
    const file = fresh();
    const ledger = await openSqliteLedger(file);
    symlinkSync(file, `${file}.link`);
    const own = refused('environment', `is in use by process ${process.pid}`);
    await expect(openSqliteLedger(file)).rejects.toThrow(own);
    await expect(openSqliteLedger(`${file}.link`)).rejects.toThrow(own);
    ledger.append(entry('r', 't', {}));
    ledger.close();
  });

  it('names no process that is not the owner: one gone, or a later one of its number', async () => {
    const file = fresh();
    const holder = child(file, holding);
    await heard(holder, isHeld);
    const gone = spawnSync('true').pid;
    for (const [note, named] of [
      [{ ...JSON.parse(readFileSync(`${file}.owner`, 'utf8')), pid: gone }, 'another process'],
      [{ ...JSON.parse(readFileSync(`${file}.owner`, 'utf8')), started: '1' }, 'another process'],
      [{ host: 'elsewhere', pid: 7, started: '1' }, 'process 7 on elsewhere'],
      ['nonsense', 'another process'],
    ]) {
      writeFileSync(`${file}.owner`, JSON.stringify(note));
      await expect(openSqliteLedger(file)).rejects.toThrow(refused('environment', `in use by ${named};`));
    }
  });

  it('of many processes that begin at once, one has it', async () => {
    const file = fresh();
    const all = Array.from({ length: 8 }, () => child(file, holding));
    const said = await Promise.all(all.map((each) => heard(each, (text) => text.includes('\n'))));
    expect(said.filter(isHeld)).toHaveLength(1);
    expect(said.filter((text) => text.startsWith('environment: '))).toHaveLength(7);
  });

  it('has every acknowledged row after kill -9, six times, and is whole', { timeout: 120_000 }, async () => {
    const file = fresh();
    const acknowledged: string[] = [];
    for (let round = 0; round < 6; round++) {
      const appending = `for (let i = 0; ; i++) {
        const id = '${round}-' + i;
        ledger.append({ at: Date.now(), request_id: id, agent_id: 'a', thread_id: 't', usage: { input_tokens: 1 } });
        say(id);
      }`;
      const appender = child(file, appending);
      const all = heard(appender);
      // Not before it appends: a busy machine takes its time to start it.
      await heard(appender, (text) => text.includes('\n'));
      setTimeout(() => appender.kill('SIGKILL'), Math.random() * 300);
      const said = await all;
      expect(said).not.toContain('environment');
      acknowledged.push(...said.split('\n').slice(0, -1));
    }
    const ledger = await openSqliteLedger(file);
    const kept = ledger.thread('t').map((request) => request.request_id);
    expect(acknowledged.length).toBeGreaterThan(6);
    expect(new Set(kept).size).toBe(kept.length);
    expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([]);
    // Each round may have one row that was durable but not yet said.
    expect(kept.length - acknowledged.length).toBeLessThanOrEqual(6);
    ledger.close();
    expect(one(file, 'PRAGMA integrity_check')).toMatchObject({ integrity_check: 'ok' });
  });

  it('of a newer layout is refused, and left as it is', async () => {
    const file = fresh();
    (await openSqliteLedger(file)).close();
    raw(file, (db) => db.exec('PRAGMA user_version = 2'));
    const before = readFileSync(file);
    await expect(openSqliteLedger(file)).rejects.toThrow(
      refused('usage', 'has layout 2, and this version knows layout 1 only; use the newer version'),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}.owner`)).toBe(false);
  });

  it('of another program, or no SQLite file, is refused and left as it is', async () => {
    const [theirs, text] = [fresh(), fresh()];
    raw(theirs, (db) => db.exec('CREATE TABLE music (id)'));
    writeFileSync(text, 'dear diary, '.repeat(500));
    for (const [file, said] of [
      [theirs, "another program's SQLite file"],
      [text, 'a file that is not SQLite'],
    ] as const) {
      const before = readFileSync(file);
      await expect(openSqliteLedger(file)).rejects.toThrow(refused('usage', said));
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  it('is refused where it cannot be: no folder, a folder, no name', async () => {
    await expect(openSqliteLedger(join(folder, 'no', 'x.db'))).rejects.toThrow(
      refused('usage', 'is not there'),
    );
    await expect(openSqliteLedger(folder)).rejects.toThrow(refused('environment', 'cannot be opened'));
    await expect(openSqliteLedger('')).rejects.toThrow(refused('usage', "expected the ledger's file"));
    await expect(openSqliteLedger(':memory:')).rejects.toThrow(refused('usage', 'or none for memory'));
  });
});

it('without its package a ledger in a file is refused with what to install', async () => {
  const missing = (): Promise<unknown> => Promise.reject(new Error("Cannot find package 'libsql'"));
  const said = refused('usage', 'install it (npm install libsql)');
  await expect(openSqliteLedger(fresh(), missing)).rejects.toThrow(said);
  await expect(openSqliteLedger(fresh(), () => Promise.resolve({}))).rejects.toThrow(said);
  const name: string = './no-such-package.ts';
  await expect(openSqliteLedger(fresh(), () => import(name))).rejects.toThrow(said);
});
