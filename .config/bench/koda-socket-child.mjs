// One sender of the WebSocket bench: `kit` sends messages through the codec and the carrier of the kit, `bare` sends their
// JSON through a bare ws server. Prints its port. A text from the reader asks for that many messages.
import { once } from 'node:events';

const [mode] = process.argv.slice(2);
/** @type {import('../../dist/src/koda/index.js').EngineEvent} */
const event = { type: 'text_delta', text: 'Hello, here is a bit of streamed text. ' };
const maxReceive = 1 << 20;

async function bare() {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('message', (asked) => {
      let left = Number(asked);
      const send = () => {
        for (; left > 0; left--) {
          if (socket.bufferedAmount >= maxReceive) return void setImmediate(send);
          socket.send(JSON.stringify(event));
        }
      };
      send();
    });
  });
  await once(server, 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

async function kit() {
  const { listenWebSocket } = await import('../../dist/src/kit/transport/index.js');
  const { ignoredEvents } = await import('../../dist/src/kit/world/index.js');
  const { eventCodec } = await import('../../dist/src/koda/index.js');
  const accept = (link) => {
    let left = 0;
    const send = () => {
      while (left > 0) {
        left -= 1;
        if (!link.send(eventCodec.encode(event))) return;
      }
    };
    return {
      ...ignoredEvents,
      message(bytes) {
        left = Number(Buffer.from(bytes).toString());
        send();
      },
      drained: send,
    };
  };
  const { port } = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    accept,
    maxReceive,
    messages: 'text',
  });
  return port;
}

console.log(await (mode === 'kit' ? kit() : bare()));
