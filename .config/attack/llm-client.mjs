// A hostile client of a simulated provider. Usage: llm-client.mjs PORT KIND; prints the statuses of its requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.mjs';

const [port, kind] = process.argv.slice(2);
const statuses = {};
const count = ({ status }) => void (statuses[status] = (statuses[status] ?? 0) + 1);
const deep = '['.repeat(100_000);
const kinds = {
  async row() {
    for (let i = 0; i < 3000; i++) count(await ask(port, { size: 200_000 }));
  },
  async large() {
    const asked = Array.from({ length: 60 }, (_, i) =>
      sleep(20 * i).then(() => ask(port, { size: 31 << 20, hold: 2000 })),
    );
    for (const one of await Promise.all(asked)) count(one);
  },
  async deep() {
    for (let i = 0; i < 300; i++) count(await ask(port, { body: `{"messages":[],"tools":${deep}` }));
  },
  async foreign() {
    for (let i = 0; i < 300; i++)
      count(await ask(port, { size: 10, headers: { origin: 'https://evil.example' } }));
  },
};
await kinds[kind]();
process.stdout.write(`${JSON.stringify(statuses)}\n`);
