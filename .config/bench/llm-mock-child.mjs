// One simulated provider of the bench against aimock, in a process of its own. Prints its port; on each line of its stdin
// it prints the CPU time (ms) and the peak memory (MB) so far; it stops when its stdin ends.
import { createInterface } from 'node:readline';

const [mode, bytes, delay] = process.argv.slice(2);
const text = 'abc '.repeat(Number(bytes) / 4);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

async function ours() {
  const { script } = await import('../../dist/src/llm/index.js');
  const { simulateLlm } = await import('../../dist/src/llm/edge/index.js');
  const built = script().text(text).times('always');
  const llm = await simulateLlm(delay === undefined ? built : built.with({ delay: `${delay}ms` }), {});
  return Number(new URL(llm.url).port);
}

async function aimock() {
  const { LLMock } = await import('@copilotkit/aimock');
  const mock = new LLMock({ port: 0, chunkSize: 4, latency: Number(delay ?? 0), logLevel: 'silent' });
  mock.onMessage(/./, { content: text });
  await mock.start();
  return Number(new URL(mock.url).port);
}

say({ port: await (mode === 'ours' ? ours() : aimock()) });
createInterface({ input: process.stdin })
  .on('line', () => {
    const { user, system } = process.cpuUsage();
    say({ cpu: (user + system) / 1000, peak: process.resourceUsage().maxRSS / 1024 });
  })
  .on('close', () => process.exit());
