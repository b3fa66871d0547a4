// One server of the LLM bench, in a process of its own: the streamer, or a bare node:http server that writes the same
// bytes, an event a write. Prints its port; stops when its stdin ends.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';

const [mode, file, delay] = process.argv.slice(2);
const dist = (path) => import(resolve('dist', path));
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

/** The events of a recorded body. */
const events = (text) => text.match(/[^\n][\s\S]*?\n\n/g).map((event) => Buffer.from(event));

function bare() {
  const all = events(readFileSync(file, 'utf8'));
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      let at = 0;
      const write = () => {
        while (at < all.length) if (!response.write(all[at++])) return response.once('drain', write);
        response.end();
      };
      write();
    });
  });
  server.listen(0, '127.0.0.1', () => say({ port: server.address().port }));
}

async function ours() {
  const { checkScript } = await dist('src/llm/index.js');
  const { serveScript } = await dist('src/llm/edge/index.js');
  const { value: script } = checkScript(JSON.parse(readFileSync(file, 'utf8')));
  let seen = 0;
  const served = await serveScript({
    script:
      delay === undefined
        ? script
        : { ...script, turns: script.turns.map((t) => ({ ...t, delay: Number(delay) })) },
    ...(mode === 'traced' ? { onEvent: () => void seen++ } : {}),
  });
  say({ port: served.port });
}

await (mode === 'bare' ? bare() : ours());
process.stdin.resume().on('end', () => process.exit());
