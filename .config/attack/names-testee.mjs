// A testee whose every text acts on a terminal, in a CI log, in XML or in a page. Usage: names-testee.mjs [NAME…]
import { createInterface } from 'node:readline';
import { hostileTexts } from './hostile-texts.mjs';

let count = 0;
const next = () => hostileTexts[count++ % hostileTexts.length];
const answers = {
  hello: () => ({ ok: { name: next(), version: next(), ops: ['toon.decode', 'toon.encode'], features: [] } }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op } = JSON.parse(line);
  const answer = answers[op]?.() ?? { error: { code: next(), message: next() } };
  process.stderr.write(`${next()}\n`);
  process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
}
