// A hostile client of a Koda engine. Usage: koda-client.mjs URL prompts COUNT: it sends that number of prompts at once on four
// sockets and reads nothing; koda-client.mjs URL endless: it sends prompts without end.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

const [url, kind, count] = process.argv.slice(2);
let sent = 0;
const prompt = () =>
  JSON.stringify({ type: 'user_prompt', text: `prompt ${sent++} ${'x'.repeat(400)}`, images: [] });

function open() {
  return new Promise((done) => {
    const socket = new WebSocket(url);
    socket.on('error', () => done(undefined));
    socket.on('open', () => done(socket));
    socket.on('close', () => kind === 'endless' && process.exit(0));
  });
}

if (kind === 'endless') {
  const socket = await open();
  if (socket === undefined) throw new Error(`no connection to ${url}`);
  for (; socket.readyState === socket.OPEN; await sleep(0))
    for (let i = 0; i < 50 && socket.bufferedAmount < 1 << 20; i++) socket.send(prompt());
} else {
  const sockets = (await Promise.all([1, 2, 3, 4].map(open))).filter((socket) => socket !== undefined);
  for (const socket of sockets) {
    socket.pause();
    for (let i = 0; i < Number(count); i++) socket.send(prompt());
  }
  await sleep(5000);
  for (const socket of sockets) socket.terminate();
  process.stdout.write('{}');
}
