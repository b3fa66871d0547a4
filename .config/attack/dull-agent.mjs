// A dull agent of Fold: registers, and never answers, or ends each stream at its first request. Usage: dull-agent.mjs ADDRESS hang|close|reset|exit
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { agentCodec, serverCodec } from 'wireproof/fold';

const [address, kind] = process.argv.slice(2);
const identity = (bytes) => bytes;
const path = '/coven.CovenControl/AgentStream';
const register = { agent_id: 'dull', name: 'dull', capabilities: ['chat'] };
const client = new Client(address, credentials.createInsecure());

function connect() {
  const call = client.makeBidiStreamRequest(path, identity, identity, new Metadata());
  call.write(Buffer.from(agentCodec.encode({ register })));
  let over = false;
  const again = () => {
    if (over) return;
    over = true;
    setTimeout(connect, 200);
  };
  call.on('error', again);
  call.on('end', again);
  call.on('data', (bytes) => {
    const decoded = serverCodec.decode(bytes);
    const message = decoded.ok ? decoded.value.message : {};
    if (message.send_message === undefined) return;
    if (kind === 'close') call.end();
    if (kind === 'reset') call.cancel();
    if (kind === 'exit') process.exit(1);
  });
}
connect();
setTimeout(() => process.exit(0), 150_000);
