// A hostile model server: its stream never ends. Usage: llm-server.mjs HOST:PORT KIND
import { createServer } from 'node:http';

const [address, kind] = process.argv.slice(2);
const delta = (content) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const pieces = {
  deltas: delta('x'.repeat(1000)).repeat(50),
  tiny: delta('x').repeat(300),
  line: 'x'.repeat(60_000),
};
const port = Number(address.slice(address.lastIndexOf(':') + 1));
createServer((request, response) => {
  request.resume();
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const flood = () => {
    for (let i = 0; i < 16; i++) if (!response.write(pieces[kind])) return void response.once('drain', flood);
    setImmediate(flood);
  };
  flood();
}).listen(port, '127.0.0.1');
setTimeout(() => process.exit(0), 100_000);
