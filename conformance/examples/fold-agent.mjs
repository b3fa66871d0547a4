// A Fold (Coven) agent that obeys Wireproof's directives: copy it, and put your own library where it talks gRPC.
// spec/fold/README.md explains both. Usage: node fold-agent.mjs HOST:PORT (or WIREPROOF_ADDRESS; heeds AGENT_ID)
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { fstatSync } from 'node:fs';
import { hostname, platform } from 'node:os';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';

const { argv, cwd, env, exit, pid, stdin } = process;
const address = argv[2] ?? env.WIREPROOF_ADDRESS;
const proto = `${import.meta.dirname}/../../spec/fold/coven.proto`;
const decoding = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
const { CovenControl } = grpc.loadPackageDefinition(protoLoader.loadSync(proto, decoding)).coven;
const protocol_features = ['token_usage', 'tool_states', 'injection', 'cancellation'];

let agent_id = env.AGENT_ID || `example-agent-${pid}`;
let stream; // the present registration, and all that is lost with it
const send = (payload) => stream.call.write(payload);

/** What a request does at each step of its directive. */
const steps = {
  __proto__: null,
  think: (request, thinking) => request.send({ thinking }),
  async say(request, text, times = 1) {
    for (; times > 0; times--) await request.breathe().then(() => request.send({ text }));
  },
  wait_ms: (request, ms) => request.wait('time', ms),
  hold: (request) => (request.releases > 0 ? request.releases-- : request.wait('release')),
  async tool(request, { name, input = {}, outcome = 'ok', output = '', ...gate }) {
    let state = { ok: 'COMPLETED', fail: 'FAILED', timeout: 'TIMEOUT' }[outcome];
    if (!name || !state) throw new Error('not a tool step');
    const tool = { id: randomUUID(), name, input_json: JSON.stringify(input) };
    const enter = (to) => request.send({ tool_state: { id: tool.id, state: `TOOL_STATE_${to}` } });
    const decided = `approval of ${tool.id}`;
    request.send({ tool_use: tool });
    request.toolInHand = { enter };
    enter('PENDING');
    if (gate.approval && !request.approvesAll) {
      request.on(decided, (decision) => (request.approvesAll ||= decision?.approved && decision.approve_all));
      request.send({ tool_approval_request: tool });
      enter('AWAITING_APPROVAL');
      const decision = await request.wait(decided, gate.approval_timeout_ms ?? 300_000);
      if (!decision?.approved) [state, output] = ['DENIED', 'denied'];
    }
    if (state !== 'DENIED') enter('RUNNING');
    if (state !== 'DENIED' && gate.hold) await steps.hold(request);
    enter(state);
    request.toolInHand = undefined;
    request.send({ tool_result: { id: tool.id, output, is_error: state !== 'COMPLETED' } });
  },
  usage: (request, usage) => request.send({ usage }),
  file: (request, { base64, ...file }) => request.send({ file: { ...file, data: base64 } }),
  session(request, event) {
    if (event === 'init') return request.send({ session_init: { session_id: randomUUID() } });
    if (event !== 'orphaned') throw new Error('not a session event');
    request.send({ session_orphaned: { reason: 'as directed' } });
    request.end({ error: 'session orphaned' });
  },
  async pack_tool(request, { name, input = {} }) {
    const request_id = randomUUID();
    send({ execute_pack_tool: { request_id, tool_name: name, input_json: JSON.stringify(input) } });
    const answer = await request.wait(`result of ${request_id}`, 30_000);
    request.send({ text: answer ? (answer[answer.result] ?? '') : 'timeout' });
  },
  heartbeat: () => send({ heartbeat: { timestamp_ms: Date.now() } }),
  fail: (request, error) => request.end({ error }),
  echo_injections: (request) => (request.echoes = true),
  reject_injections: (request, reason) => (request.refusal = reason),
};

/** The steps of a directive as [name, argument, times]; other content is said back. Throws what is malformed. */
function parse(content) {
  const json = /^\s*\{[^]*"wireproof"/.test(content) ? JSON.parse(content) : {};
  const { v = 1, do: list } = Object.hasOwn(json, 'wireproof') ? json.wireproof : { do: [{ say: content }] };
  const parsed = list.map(({ times, ...step }) => [...Object.entries(step).flat(), times]);
  if (v === 1 && parsed.every((step) => step.length === 3)) return parsed;
  throw new Error('not a directive of version 1, or a step without exactly one name');
}

/** One SendMessage on its way to its one terminal. What it waits for is emitted to it. */
class Request extends EventEmitter {
  ended = new AbortController();
  releases = 0; // those that came while it was not holding
  text = ''; // what it said, up to 1 MiB and a little more
  async run() {
    let doing = 'directive';
    try {
      this.ended.signal.throwIfAborted(); // cancelled in the queue
      stream.running.add(this);
      const directive = parse(this.content);
      if (directive[0]?.[0] === 'echo_injections') for (const kept of stream.inbox) kept.owner ??= this;
      for (const [name, argument, times] of directive) {
        doing = name;
        await this.breathe(); // counts as part of the step: what comes meanwhile has its place after it
        await steps[name](this, argument, times);
        await this.placeInjections();
      }
      this.end({ done: { full_response: Buffer.byteLength(this.text) > 2 ** 20 ? '' : this.text } });
    } catch {
      this.end({ error: `unsupported: ${doing}` }); // nothing, if the request has ended
    }
  }
  send(event) {
    this.ended.signal.throwIfAborted();
    if (event.text && this.text.length <= 2 ** 20) this.text += event.text;
    send({ response: { request_id: this.request_id, ...event } });
  }
  /** Sends the terminal, if there is still a stream; what the request was waiting for throws. */
  end(terminal) {
    if (this.ended.signal.aborted) return;
    if (terminal) this.toolInHand?.enter('CANCELLED');
    if (terminal) this.send(terminal);
    stream.requests.delete(this.request_id);
    stream.running.delete(this);
    for (const kept of stream.inbox) if (kept.owner === this) kept.owner = undefined;
    this.ended.abort();
  }
  /** Waits until the event is emitted, and returns what was emitted with it: nothing after `ms`. */
  async wait(event, ms) {
    if (ms !== undefined) setTimeout(() => this.emit(event), Math.min(ms, 2 ** 31 - 1));
    return (await once(this, event, this.ended))[0];
  }
  /** Lets others run, and lets a gateway catch up that reads slower than the agent writes. */
  breathe = () => (stream.call.writableNeedDrain ? this.wait('drain') : turn(undefined, this.ended));
  /** After each step: the place of the NORMAL injections of this request, and of those kept for it. */
  async placeInjections() {
    const mine = ({ owner }) => owner === this;
    while (stream.inbox.some(mine)) {
      await this.breathe();
      const [{ content }] = stream.inbox.splice(stream.inbox.findIndex(mine), 1);
      if (this.echoes) this.send({ text: content });
    }
  }
}

/** What the agent does with each message of the gateway; any other does not concern it. */
const receive = {
  welcome: (welcome) => (agent_id = welcome.agent_id || agent_id),
  registration_error({ suggested_id }) {
    agent_id = suggested_id || `${agent_id}-1`;
    stream.call.cancel(); // from here on a loss like any other
  },
  send_message({ request_id, thread_id, content }) {
    const request = Object.assign(new Request(), { request_id, thread_id, content });
    const before = [...stream.requests.values()].findLast((r) => r.thread_id && r.thread_id === thread_id);
    stream.requests.set(request_id, request);
    request.finished = before ? before.finished.then(() => request.run()) : request.run();
  },
  tool_approval: (decision) => tell(`approval of ${decision.id}`, decision),
  inject_context({ injection_id, content, priority }) {
    const [owner] = stream.running;
    const repeated = stream.acks.get(injection_id);
    const refuser = content !== 'release' && [...stream.running].find(({ refusal }) => refusal !== undefined);
    const ack = repeated ?? { injection_id, accepted: !refuser, reason: refuser?.refusal };
    stream.acks.set(injection_id, ack);
    send({ injection_ack: ack });
    if (repeated || refuser) return;
    if (content === 'release') stream.running.forEach((each) => each.emit('release') || each.releases++);
    else if (priority === 'INJECTION_PRIORITY_DEFERRED') stream.inbox.push({ content });
    else if (priority !== 'INJECTION_PRIORITY_IMMEDIATE' || !owner) stream.inbox.push({ content, owner });
    else if (owner.echoes) owner.send({ text: content });
  },
  cancel_request: ({ request_id, reason }) => stream.requests.get(request_id)?.end({ cancelled: { reason } }),
  pack_tool_result: (result) => tell(`result of ${result.request_id}`, result),
  shutdown({ reason }) {
    stream.stopping = true;
    stream.requests.forEach((request) => request.end({ error: `shutdown: ${reason}` }));
    stream.call.end();
    setTimeout(exit, 5000, 0); // should the gateway not end the stream
  },
};
const tell = (event, value) => stream.running.forEach((request) => request.emit(event, value));

const stop = () => (stream.lost ? exit(0) : receive.shutdown({ reason: 'the agent is stopped' }));
process.on('SIGTERM', stop).on('SIGINT', stop);
if (fstatSync(0).isFIFO() || fstatSync(0).isSocket()) stdin.resume().on('end', stop);

for (let tries = 0; ; tries++) {
  // A channel for each try: one that failed would add its own backoff to ours.
  const options = { 'grpc.use_local_subchannel_pool': 1, 'grpc.enable_http_proxy': 0 };
  const client = new CovenControl(address, grpc.credentials.createInsecure(), options);
  const call = client.AgentStream();
  stream = { call, requests: new Map(), running: new Set(), acks: new Map(), inbox: [], opened: Date.now() };
  call.on('data', (message) => stream.stopping || receive[message.payload]?.(message[message.payload]));
  call.on('drain', () => tell('drain'));
  call.on('error', () => {}); // the status tells it too
  const metadata = { working_directory: cwd(), hostname: hostname(), os: platform(), backend: 'none' };
  send({ register: { agent_id, name: 'Wireproof example', metadata, protocol_features } });
  const { code, details } = await new Promise((resolve) => call.on('status', resolve));
  stream.lost = true;
  stream.requests.forEach((request) => request.end());
  client.close();
  if (stream.stopping || tries === 20) exit(stream.stopping ? 0 : 1);
  console.error(`stream ended: ${grpc.status[code]} ${details}`);
  if (Date.now() - stream.opened > 500) tries = 0;
  await sleep(Math.min(500 * 2 ** tries, 4000));
}
