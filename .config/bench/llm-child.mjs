// One server of the LLM bench, in a process of its own: the streamer, or a bare node:http server that writes the same
// bytes, an event a write. Prints its port; stops when its stdin ends.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [mode, file, pause] = process.argv.slice(2);
const delay = Number(pause ?? 0);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

/** The events of a recorded body. */
const events = (text) => text.match(/[^\n][\s\S]*?\n\n/g).map((event) => Buffer.from(event));

function atOnce(response, all) {
  let at = 0;
  const write = () => {
    while (at < all.length) if (!response.write(all[at++])) return response.once('drain', write);
    response.end();
  };
  write();
}

/** What is before the first token and behind the last is not held back. */
function apart(response, all) {
  let at = 0;
  let due = performance.now();
  const write = () => {
    while (at < all.length && due <= performance.now()) {
      response.write(all[at]);
      if (all[at++].includes('_delta"')) due += delay;
    }
    if (at < all.length) setTimeout(write, due - performance.now());
    else response.end();
  };
  write();
}

function bare() {
  const all = events(readFileSync(file, 'utf8'));
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      if (delay === 0) return atOnce(response, all);
      request.socket.setNoDelay(true);
      apart(response, all);
    });
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
    say({ port: /** @type {import('node:net').AddressInfo} */ (server.address()).port }),
  );
}

async function ours() {
  const { checkScript } = await import('../../dist/src/llm/index.js');
  const { serveScript } = await import('../../dist/src/llm/edge/index.js');
  const checked = checkScript(JSON.parse(readFileSync(file, 'utf8')));
  if (!checked.ok) throw new Error(`${file}: ${checked.error.message}`);
  let seen = 0;
  const served = await serveScript({
    script: checked.value,
    ...(mode === 'traced' ? { onEvent: () => void seen++ } : {}),
  });
  say({ port: served.port });
}

await (mode === 'bare' ? bare() : ours());
process.stdin.resume().on('end', () => process.exit());
