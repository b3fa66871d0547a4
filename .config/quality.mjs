// Writes measurements into spec/quality.md. Each script that measures owns the table of one section.
import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

const page = 'spec/quality.md';

/** The cells of a line of a table. */
const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * Writes the table of a section, and the day of it. Rows of the section that these do not name stay, when `partly`.
 *
 * @param section - its heading
 * @param rows - lists of cells; the first cell names a row
 */
export function writeMeasured(section, rows, { partly = false } = {}) {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(`## ${section}\n`);
  if (rest === undefined) throw new Error(`${page} has no section "${section}"`);
  const [own, ...after] = rest.split(/^(?=## )/m);
  const lines = own.split('\n');
  const head = lines.findIndex((line) => line.startsWith('|'));
  const old = lines
    .slice(head + 2)
    .filter((line) => line.startsWith('|'))
    .map(cellsOf);
  const fresh = new Map(rows.map((cells) => [String(cells[0]), cells.map(String)]));
  const kept = partly ? old.map((cells) => fresh.get(cells[0]) ?? cells) : [];
  const names = new Set(kept.map(([name]) => name));
  const all = [...kept, ...[...fresh.values()].filter(([name]) => !names.has(name))];
  const words = lines.slice(0, head).filter((line) => !line.startsWith('Measured on '));
  const day = new Date().toISOString().slice(0, 10);
  const table = [...lines.slice(head, head + 2), ...all.map((cells) => `| ${cells.join(' | ')} |`)];
  const measured = `Measured on ${day} under Node ${process.version} with ${cpus().length} cores.`;
  const made = [...words.join('\n').trim().split('\n'), '', measured, '', ...table, '', ''].join('\n');
  writeFileSync(page, `${before}## ${section}\n\n${made}${after.join('')}`.trimEnd() + '\n');
  execFileSync(process.execPath, ['node_modules/prettier/bin/prettier.cjs', '--write', page]);
  console.log(`written to ${page}, "${section}"`);
}
