// Copies the declarations that the doors need to dist/types. Those of other modules are not packed: nobody can import them.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { doors } from './doors.mjs';

const from = 'dist';
const to = 'dist/types';
const references = /(?:\bfrom|\bimport\(|\bimport)\s*["'](\.[^"']+)["']/g;

const waiting = Object.values(doors).map((module) => `${module}.d.ts`);
const copied = new Set();
rmSync(to, { recursive: true, force: true });
for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
  if (copied.has(file)) continue;
  copied.add(file);
  const text = readFileSync(join(from, file), 'utf8');
  mkdirSync(dirname(join(to, file)), { recursive: true });
  copyFileSync(join(from, file), join(to, file));
  for (const [, name] of text.matchAll(references)) {
    const module = normalize(join(dirname(file), name)).replaceAll('\\', '/');
    waiting.push(module.replace(/\.([cm]?)[jt]s$/, '.d.$1ts'));
  }
}
