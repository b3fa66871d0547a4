// A gateway of the bench, in a process of its own: the reference gateway, or a bare node:http server that pipes what it
// gets. Prints its port; on each line of its stdin it prints its CPU time so far (ms); it stops when its stdin ends.
import { Agent, createServer, request } from 'node:http';
import { createInterface } from 'node:readline';

const [mode, upstream, client, provider] = process.argv.slice(2);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

function piped() {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((asked, answer) => {
    const { host: _, ...headers } = asked.headers;
    const onward = request({ port: upstream, path: asked.url, method: asked.method, headers, agent });
    onward.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    asked.pipe(onward);
  });
  return new Promise((done) =>
    server.listen({ port: 0, host: '127.0.0.1' }, () =>
      done(/** @type {import('node:net').AddressInfo} */ (server.address()).port),
    ),
  );
}

async function ours() {
  const { serveGateway } = await import('../../dist/src/llm/edge/gateway/index.js');
  const { gatewayDialects } = await import('../../dist/src/llm/gateway/index.js');
  const dialect = (word) => gatewayDialects.find((one) => one === word) ?? 'anthropic';
  const url = `http://127.0.0.1:${upstream}`;
  const routes = [{ client: dialect(client), provider: dialect(provider), url }];
  return (await serveGateway({ routes })).port;
}

say({ port: await (mode === 'ours' ? ours() : piped()) });
createInterface({ input: process.stdin })
  .on('line', () => {
    const { user, system } = process.cpuUsage();
    say({ cpu: (user + system) / 1000 });
  })
  .on('close', () => process.exit());
