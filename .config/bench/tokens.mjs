// A conversation of 10,000 messages: estimated, pruned and compacted, against one JSON.stringify of it; and against one of
// half the messages: 0.4 is 2.5 times the cost.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { conversation, jobsOf } from './conversation.mjs';

const n = 10_000;

/** The peak memory of a process that does one job (MB). */
const memoryOf = (job) =>
  Number(execFileSync(process.execPath, [join(import.meta.dirname, 'tokens-child.mjs'), job]));

/** The rows of tokens. */
export async function tokensRows({ row, pair }, rows) {
  const tokens = await import('../../dist/src/tokens/index.js');
  const [whole, half] = [n, n / 2].map(conversation);
  const target = Math.floor(tokens.estimateTokens(whole) / 10);
  const { stringify, ...jobs } = jobsOf(tokens, target);
  const peak = memoryOf('stringify');
  const aims = { estimate: '≥ 0.5', prune: '≥ 0.2', compact: '≥ 0.2' };
  for (const [what, job] of Object.entries(jobs)) {
    const title = `tokens, ${what} ${n.toLocaleString('en')} messages`;
    const ours = () => job(whole);
    row(
      title,
      'JSON.stringify of them',
      aims[what],
      pair(ours, () => stringify(whole), n),
      'messages',
    );
    row(
      title,
      'half of them',
      '≥ 0.4',
      pair(ours, () => job(half), n),
      'messages',
    );
    const used = memoryOf(what);
    const ratio = (used / peak).toFixed(2);
    const theirs = `JSON.stringify: ${peak.toFixed(0)} MB`;
    rows.push({
      what: `${title}, peak memory`,
      peer: theirs,
      aim: '≤ 1.2',
      ratio,
      ours: `${used.toFixed(0)} MB`,
    });
  }
}
