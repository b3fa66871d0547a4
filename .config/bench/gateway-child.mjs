// One server of the gateway bench, in a process of its own: a bare grpc-js server with the same codec, or the
// simulated gateway, free-running or with the rules live. Prints its port, then a line for each thing asked.
import { createInterface } from 'node:readline';

const [mode] = process.argv.slice(2);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
let texts = 0;
let wanted = Infinity;
const heard = () => {
  if (++texts === wanted) say({ heard: texts });
};

async function bare() {
  const { Server, ServerCredentials } = await import('@grpc/grpc-js');
  const { agentCodec, serverCodec } = await import('../../dist/src/fold/index.js');
  const server = new Server({
    'grpc.max_receive_message_length': 4 << 20,
    'grpc-node.flow_control_window': 1 << 20,
  });
  const identity = (bytes) => bytes;
  const handle = (call) => {
    call.sendMetadata(new call.metadata.constructor());
    call.on('data', (bytes) => {
      const decoded = agentCodec.decode(bytes);
      if (!decoded.ok) return;
      const { register, response, execute_pack_tool: asked } = decoded.value.message;
      if (response?.text !== undefined) heard();
      else if (register !== undefined)
        call.write(serverCodec.encode({ welcome: { server_id: 'bare', agent_id: register.agent_id ?? '' } }));
      else if (asked !== undefined)
        call.write(
          serverCodec.encode({
            pack_tool_result: { request_id: asked.request_id ?? '', error: 'no such tool' },
          }),
        );
    });
    call.on('end', () => call.end());
    call.on('error', () => {});
  };
  server.register('/coven.CovenControl/AgentStream', handle, identity, identity, 'bidi');
  return new Promise((done) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, port) =>
      done({ port, ask() {} }),
    ),
  );
}

async function gateway() {
  const { serveGateway } = await import('../../dist/src/fold/edge/index.js');
  const { Traffic } = await import('../../dist/conformance/fold/gateway/traffic.js');
  const trace = { event() {}, violated() {} };
  const traffic =
    mode === 'rules'
      ? { tap: new Traffic({ redact: undefined, judges: true, open: () => trace, markDelays() {} }).tap }
      : {};
  const server = await serveGateway({ port: 0, ...traffic });
  const ask = (agent_id) =>
    server.ask(
      { send: { content: 'bench', sender: 'bench', agent_id } },
      { reply: (reply) => void (reply.text !== undefined && heard()), end() {} },
    );
  return { port: server.port, ask };
}

const { port, ask } = await (mode === 'bare' ? bare() : gateway());
say({ port });
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  if (order.ask !== undefined) ask(order.ask);
  if (order.count !== undefined) [texts, wanted] = [0, order.count];
  if (order.memory) {
    for (let i = 0; i < 4; i++) {
      globalThis.gc?.();
      await new Promise((done) => setTimeout(done, 100));
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    say({ bytes: heapUsed + external, rss });
  }
}
