// Attacks by names and messages: every format of reports of a hostile target, and merges of hostile shards.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { hostileTexts } from './hostile-texts.mjs';
import { hostile, run } from './kit.mjs';

const formats = {
  junit: 'xml',
  ctrf: 'json',
  json: 'json',
  badge: 'json',
  markdown: 'md',
  github: 'md',
  html: 'html',
};

const readers = {
  json: (text) => void JSON.parse(text),
  xml(text) {
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(text).close();
  },
  md() {},
  html: (text) => {
    if (/<script>alert|<img src=x/.test(text)) throw new Error('markup of a target');
  },
};

/** Characters that act on a terminal, or turn the direction of a text. JSON has them escaped. */
// eslint-disable-next-line no-control-regex
const acts = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** What is wrong with a text for people: it acts, or begins a line as a CI command does that the kit did not make. */
const printedFaults = (name, text) => [
  ...(acts.test(text) ? [`${name} has a character that acts`] : []),
  ...(/^\s*(?:::error file=x|##vso)/m.test(text) ? [`${name} has a CI command of the target`] : []),
];

/** The faults of the written reports. */
const reportFaults = (folder) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('report.'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const kind = name.split('.').at(-1);
      try {
        readers[kind](text);
      } catch (error) {
        return [`${name}: ${/** @type {Error} */ (error).message.slice(0, 80)}`];
      }
      return kind === 'json' || kind === 'html' ? [] : printedFaults(name, text);
    });

const reportFlags = (folder) =>
  Object.entries(formats).flatMap(([format, ending]) => [
    '--report',
    `${format}=${join(folder, `report.${format}.${ending}`)}`,
  ]);

/** Runs a command that writes all formats. `codes`: the exit codes that it may have. */
async function reported(folder, args, codes, count) {
  const ended = await run(
    [...args.slice(0, 2), ...reportFlags(folder), '--report', 'console', ...args.slice(2)],
    { cwd: folder },
  );
  const written = readdirSync(folder).filter((name) => name.startsWith('report.')).length;
  const wrong = [
    ...(codes.includes(ended.code) ? [] : [`exit ${ended.code}`]),
    ...(written === count ? [] : [`${written} reports`]),
    ...reportFaults(folder),
    ...printedFaults('stdout', ended.stdout),
    ...printedFaults('stderr', ended.stderr),
  ];
  return { ...ended, wrong };
}

/** The members of a report that hold words, not names that other parts refer to. */
const words = new Set(['message', 'reason', 'target', 'text', 'title', 'replay', 'section', 'document']);

/** Puts hostile texts in the place of words: the same one for the same words, so that shards still agree. */
function poisoned(value) {
  if (Array.isArray(value)) return value.map(poisoned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    words.has(key) && typeof one === 'string'
      ? hostileTexts[one.length % hostileTexts.length]
      : poisoned(one),
  ]);
  return Object.fromEntries(entries);
}

const inFolder = (name, tries, attack) => ({
  name,
  tries,
  async attack() {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-attack-'));
    try {
      return await attack(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});

const target = () => [
  '--',
  process.execPath,
  hostile('names-testee.mjs'),
  ...hostileTexts.slice(0, 8).map((text) => text.replaceAll('\0', '')),
];

/** The reports of two shards of a hostile target, changed. */
async function shards(folder, change) {
  for (const part of [1, 2]) {
    const file = join(folder, `shard-${part}.json`);
    await run([
      'check',
      'toon/codec',
      '--shard',
      `${part}/2`,
      '--seed',
      '1',
      '--allow-inconclusive',
      '--trace',
      'off',
      '--report',
      `json=${file}`,
      ...target(),
    ]);
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')), part)));
  }
  return [join(folder, 'shard-1.json'), join(folder, 'shard-2.json')];
}

const merged = (name, change, codes) =>
  inFolder(`report merge: ${name}`, 2, async (folder) => {
    const files = await shards(folder, change);
    const refused = codes.length === 1 && codes[0] === 2;
    return reported(folder, ['report', 'merge', ...files], codes, refused ? 0 : Object.keys(formats).length);
  });

/** The rows of the attack table. */
export const names = [
  inFolder('toon/codec: hostile names in all formats of reports', 1, (folder) =>
    reported(
      folder,
      ['check', 'toon/codec', '--trace', 'all', ...target()],
      [1],
      Object.keys(formats).length,
    ),
  ),
  merged('shards with hostile texts', poisoned, [1]),
  merged('shards of different targets', (report, part) => ({ ...report, target: hostileTexts[part] }), [2]),
  merged('twice the same shard', (report) => ({ ...report, shard: { ...report.shard, part: 1 } }), [2]),
  merged(
    'a shard without its findings',
    (report, part) => (part === 1 ? report : { ...report, shard: { ...report.shard, findings: [] } }),
    [0, 1, 2, 4],
  ),
];
