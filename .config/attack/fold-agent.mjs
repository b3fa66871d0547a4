// A hostile agent of Fold: registers, and then floods the gateway. Usage: fold-agent.mjs ADDRESS KIND
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { agentCodec, serverCodec } from 'wireproof/fold';

const [address, kind] = process.argv.slice(2);
const identity = (bytes) => bytes;
const client = new Client(address, credentials.createInsecure(), {
  'grpc.max_send_message_length': -1,
  'grpc.max_receive_message_length': -1,
});
const path = '/coven.CovenControl/AgentStream';
const text = (size) =>
  Buffer.from(agentCodec.encode({ response: { request_id: asked, text: 'x'.repeat(size) } }));
let asked = 'r0';
const floods = {
  texts: () => text(60_000),
  tiny: () => text(1),
  garbage: () => Buffer.alloc(60_000, 0xff),
  'tiny-garbage': () => Buffer.from([0xff]),
  surplus: () => Buffer.from(agentCodec.encode({ heartbeat: { timestamp_ms: '1' } })),
};

const call = client.makeBidiStreamRequest(path, identity, identity, new Metadata());
const register = { agent_id: 'hostile', name: 'hostile', capabilities: ['chat'] };
call.write(Buffer.from(agentCodec.encode({ register })));
call.on('error', () => process.exit(0));
call.on('end', () => process.exit(0));
let flooding = false;
call.on('data', (bytes) => {
  const decoded = serverCodec.decode(bytes);
  const message = decoded.ok ? decoded.value.message : {};
  if (message.send_message?.request_id !== undefined) asked = message.send_message.request_id;
  if (flooding || (message.welcome === undefined && message.send_message === undefined)) return;
  if (message.send_message === undefined) return;
  flooding = true;
  flood();
});
function flood() {
  const bytes = floods[kind]();
  for (;;) {
    for (let i = 0; i < 64; i++) if (!call.write(bytes)) return void call.once('drain', flood);
    return void setImmediate(flood);
  }
}
setTimeout(() => process.exit(0), 60_000);
