/** What pages of measurements share: a check by the built command, and a table of its verdicts. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
const command = join(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin.wireproof);

/**
 * Runs `wireproof check` with these arguments.
 *
 * @param {readonly string[]} args the suite, flags, and after `--` a target
 * @param {NodeJS.ProcessEnv} [env]
 * @returns the report
 * @throws Error with the last line of the command when it wrote no report
 */
export async function reportOf([suite, ...args], env = process.env) {
  const folder = mkdtempSync(join(tmpdir(), 'wireproof-measured-'));
  const file = join(folder, 'report.json');
  const check = [command, 'check', suite, '--report', `json=${file}`, '--trace', 'off', ...args];
  const child = spawn(process.execPath, check, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said = `${said}${text}`.slice(-4000)));
  await new Promise((resolve) => child.on('close', resolve));
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`wireproof check ${suite} wrote no report: ${said.trim().split('\n').at(-1)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A verdict in a table. An unsteady one is not the same in each run. */
const cellOf = ({ verdict, unsteady }) => {
  const word = { pass: 'pass', fail: '**fail**' }[verdict] ?? '·';
  return unsteady === true && word !== '·' ? 'sometimes' : word;
};

const rowName = ({ id, level }) => `${id.replace('LLM-', '')}${level === 'MUST' ? '' : ` (${level})`}`;

/**
 * The lines of a table: a row for each requirement that one of the columns observed.
 *
 * @param columns a name, a version and a report each
 */
export function tableOf(columns) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rows = columns[0].report.requirements.flatMap((row) => {
    const of = columns.map(({ report }) => report.requirements.find(({ id }) => id === row.id) ?? {});
    const isSeen = of.some(({ verdict }) => ['pass', 'fail'].includes(verdict));
    return isSeen ? [line([rowName(row), ...of.map(cellOf)])] : [];
  });
  const scopes = columns.map(({ report }) => report.scope.must);
  return [
    line(['row', ...columns.map(({ name }) => name)]),
    line(['---', ...columns.map(() => '---')]),
    line(['version', ...columns.map(({ version }) => version)]),
    ...rows,
    line(['MUSTs exercised', ...scopes.map(({ exercised, applicable }) => `${exercised} of ${applicable}`)]),
  ];
}
