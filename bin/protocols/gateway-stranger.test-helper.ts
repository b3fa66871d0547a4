/** Gateways that this project did not write, as small programs: for tests of whole checks. */
import { join } from 'node:path';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { program } from '../run.test-helper.ts';
import { simulatedGateway } from './gateway.test-helper.ts';

/**
 * The simulated gateway, with another HTTP face in front of its own. `late`: the face listens 3 s after gRPC does. `absent`: it never does.
 * `refusing`: it refuses every call with 401.
 */
export const fronted = (how: 'late' | 'absent' | 'refusing'): readonly string[] => [
  process.execPath,
  program('front.mjs', frontProgram),
  how,
  '{http_port}',
  ...simulatedGateway.map((arg) => arg.replace('127.0.0.1:{http_port}', '127.0.0.1:{inner}')),
];

const frontProgram = `import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { connect, createServer as createTcp } from 'node:net';
const [how, port, ...command] = process.argv.slice(2);
const probe = createTcp().listen(0, '127.0.0.1');
await new Promise((resolve) => probe.once('listening', resolve));
const inner = probe.address().port;
await new Promise((resolve) => probe.close(resolve));
const [file, ...args] = command.map((arg) => arg.replace('{inner}', String(inner)));
const gateway = spawn(file, args, { stdio: 'inherit' });
gateway.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => gateway.kill('SIGTERM'));
if (how === 'refusing')
  createServer((request, response) => {
    request.resume();
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"who are you?"}');
  }).listen(Number(port), '127.0.0.1');
else if (how === 'late')
  setTimeout(() => {
    createTcp((outer) => {
      const socket = connect(inner, '127.0.0.1');
      for (const one of [outer, socket]) one.on('error', () => { outer.destroy(); socket.destroy(); });
      outer.pipe(socket).pipe(outer);
    }).listen(Number(port), '127.0.0.1');
  }, 3000);
`;

/** How a stranger differs from the published gateway. */
export interface Stranger {
  /** The service of its agents; default coven.CovenControl. */
  readonly service?: string;
  /** Whether it has no ClientService. */
  readonly agentsOnly?: boolean;
  /** Whether it stores no end without a text, as published gateways do: nobody sees an empty done. */
  readonly noEmptyEnds?: boolean;
  /** The bearer token that ClientService demands. */
  readonly token?: string;
  /** It exits with EADDRINUSE this often before it starts; counted in a file. */
  readonly busyPorts?: number;
  /** Whether another program listens on its port before it exits. */
  readonly stolen?: boolean;
  /** The file with that count. */
  readonly count?: string;
}

/**
 * A gateway in plain grpc-js with the published ClientService as it is in the field: a send without an idempotency_key
 * is refused, a repeated key is not sent again, and the ends of requests come as stored events.
 */
export const strangerGateway = (how: Stranger = {}): readonly string[] => [
  process.execPath,
  program('stranger-gateway.mjs', strangerProgram),
  '{listen}',
  JSON.stringify({ proto: join(packageRoot(), 'spec/fold/coven.proto'), ...how }),
  '{tmp}',
];

const strangerProgram = `import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { createServer } from 'node:net';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const [listen, text, tmp] = process.argv.slice(2);
const { proto, service = 'coven.CovenControl', agentsOnly = false, noEmptyEnds = false, token, busyPorts = 0, count, stolen = false } = JSON.parse(text);
if (!existsSync(tmp)) throw new Error('no scratch folder ' + tmp);
writeFileSync(tmp + '/ledger', 'kept');
if (busyPorts > 0) {
  const starts = existsSync(count) ? Number(readFileSync(count, 'utf8')) : 0;
  writeFileSync(count, String(starts + 1));
  if (starts < busyPorts && stolen) {
    // Another program listens there, and answers nothing.
    const [host, port] = listen.split(':');
    const thief = createServer((socket) => socket.destroy()).listen(Number(port), host);
    await new Promise((resolve) => setTimeout(resolve, 700));
    thief.close();
  }
  if (starts < busyPorts) {
    console.error('Error: listen EADDRINUSE: address already in use ' + listen);
    process.exit(1);
  }
}
const root = protobuf.loadSync(proto);
root.resolveAll();
const type = (name) => root.lookupType('coven.' + name);
const codec = (name) => ({
  serialize: (message) => Buffer.from(type(name).encode(type(name).fromObject(message)).finish()),
  deserialize: (bytes) => type(name).toObject(type(name).decode(bytes), { enums: String, oneofs: false }),
});
const method = (path, input, output, streams = {}) => ({
  path, requestStream: false, responseStream: false, ...streams,
  requestSerialize: codec(input).serialize, requestDeserialize: codec(input).deserialize,
  responseSerialize: codec(output).serialize, responseDeserialize: codec(output).deserialize,
});
const agents = new Map();
const listeners = new Set();
const keys = new Set();
let ids = 0;
const publish = (key, payload) => {
  for (const one of listeners)
    if (one.key === key) one.call.write({ conversationKey: key, timestamp: new Date().toISOString(), ...payload });
};
const fail = (call, code, details) => call.emit('error', { code, details });
const agentStream = (call) => {
  call.sendMetadata(new (call.metadata.constructor)());
  let id;
  call.on('data', ({ register, response }) => {
    if (id === undefined) {
      if (register === undefined || !register.agentId) return fail(call, status.INVALID_ARGUMENT, 'register first');
      if (agents.has(register.agentId)) return fail(call, status.ALREADY_EXISTS, 'already registered');
      id = register.agentId;
      const requests = new Set();
      agents.set(id, { call, requests });
      call.write({ welcome: { serverId: 'stranger', agentId: id, instanceId: 'i' + ++ids } });
      return;
    }
    const { requestId, ...event } = response ?? {};
    const { requests } = agents.get(id);
    if (!requests.has(requestId)) return;
    if (event.text !== undefined) publish(id, { text: { content: event.text } });
    const end = event.done !== undefined ? ['done', event.done.fullResponse ?? ''] : event.error !== undefined ? ['error', event.error] : undefined;
    if (end === undefined) return;
    requests.delete(requestId);
    if (noEmptyEnds && end[1] === '') return;
    publish(id, { event: { id: 'e' + ++ids, conversationKey: id, direction: 'outbound_from_agent', type: end[0], text: end[1] } });
  });
  const gone = () => {
    if (id !== undefined && agents.get(id)?.call === call) {
      for (const _ of agents.get(id).requests) publish(id, { event: { type: 'error', text: 'agent lost' } });
      agents.delete(id);
    }
  };
  call.on('end', () => { gone(); call.end(); });
  call.on('cancelled', gone);
  call.on('error', gone);
};
const checked = (call) => token === undefined || call.metadata.get('authorization')[0] === 'Bearer ' + token;
const sendMessage = (call, done) => {
  const { conversationKey = '', content = '', idempotencyKey = '' } = call.request;
  if (!checked(call)) return done({ code: status.UNAUTHENTICATED, details: 'a token, please' });
  if (idempotencyKey === '') return done({ code: status.INVALID_ARGUMENT, details: 'idempotency_key is required' });
  if (keys.has(idempotencyKey)) return done(null, { status: 'duplicate', messageId: 'm0' });
  keys.add(idempotencyKey);
  const agent = agents.get(conversationKey);
  if (agent === undefined) return done({ code: status.NOT_FOUND, details: 'agent not found' });
  const requestId = 'r' + ++ids;
  agent.requests.add(requestId);
  publish(conversationKey, { event: { type: 'message', direction: 'inbound_to_agent', text: content } });
  agent.call.write({ sendMessage: { requestId, threadId: 't-' + conversationKey, sender: 'stranger', content } });
  done(null, { status: 'accepted', messageId: requestId });
};
const streamEvents = (call) => {
  if (!checked(call)) return fail(call, status.UNAUTHENTICATED, 'a token, please');
  const listener = { key: call.request.conversationKey, call };
  listeners.add(listener);
  call.sendMetadata(new (call.metadata.constructor)());
  call.on('cancelled', () => listeners.delete(listener));
};
const server = new Server();
server.addService(
  { agentStream: method('/' + service + '/AgentStream', 'AgentMessage', 'ServerMessage', { requestStream: true, responseStream: true }) },
  { agentStream },
);
const clients = '/' + service.slice(0, service.lastIndexOf('.') + 1) + 'ClientService/';
if (!agentsOnly)
  server.addService(
    {
      sendMessage: method(clients + 'SendMessage', 'ClientSendMessageRequest', 'ClientSendMessageResponse'),
      streamEvents: method(clients + 'StreamEvents', 'StreamEventsRequest', 'ClientStreamEvent', { responseStream: true }),
    },
    { sendMessage, streamEvents },
  );
server.bindAsync(listen, ServerCredentials.createInsecure(), (error) => { if (error) throw error; });
process.stdin.resume().on('end', () => process.exit(0));
`;
