// A small whole agent: work from a Fold (Coven) gateway, answers of a model over @anthropic-ai/sdk, and three tools.
// Check it with: wireproof check --statement conformance/examples/whole-agent.yaml
// Usage: node whole-agent.mjs HOST:PORT (or WIREPROOF_ADDRESS); the SDK reads ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY,
// and CONTEXT_WINDOW may say how many tokens the model has room for.
import { randomUUID } from 'node:crypto';
import { hostname, platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';

const address = process.argv[2] ?? process.env.WIREPROOF_ADDRESS;
const proto = `${import.meta.dirname}/../../spec/fold/coven.proto`;
const decoding = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
const { CovenControl } = grpc.loadPackageDefinition(protoLoader.loadSync(proto, decoding)).coven;
const model = new Anthropic({ maxRetries: 1, timeout: 30_000 });

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const tools = {
  echo: { description: 'Gives a text back.', input_schema: text, run: async ({ text: said }) => said },
  write: { description: 'Writes a note.', input_schema: text, gated: true, run: async () => 'written' },
  wait: {
    description: 'Waits.',
    input_schema: { type: 'object', properties: { ms: { type: 'integer' } }, required: ['ms'] },
    run: async ({ ms }, signal) => `waited ${await sleep(ms, ms, { signal })} ms`,
  },
};
const offered = Object.entries(tools).map(([name, { description, input_schema }]) => ({
  name,
  description,
  input_schema,
}));

const contextWindow = Number(process.env.CONTEXT_WINDOW ?? 200_000);
const answerTokens = 1024;
/** How long the model may be silent (ms). The SDK's own timeout ends when an answer begins. */
const silentAtMost = 60_000;
/** About as many tokens as a tokenizer would count, and rather too many. */
const tokens = (value) => Buffer.byteLength(JSON.stringify(value)) / 3;
const room = contextWindow - answerTokens - tokens(offered);

/** The turns of each thread: lists of messages that begin with a message of the gateway. */
const threads = new Map();

/** Forgets the oldest turns until the rest fits. @throws Error when the last one alone does not */
function fit(turns, most) {
  while (turns.length > 1 && tokens(turns.flat()) > most) turns.shift();
  if (tokens(turns.flat()) > most) throw new Error('the message does not fit into the context window');
}

/** The requests that run, by id, in the order of their begin. */
const running = new Map();
const decisions = new Map();
const acks = new Map(); // of injections, by id: a repeated one is acknowledged again, and does nothing
let waiting = []; // injections that no model request has had yet

class Request {
  stop = new AbortController();
  said = '';

  constructor(call, { request_id, thread_id, content }) {
    Object.assign(this, { call, id: request_id, thread: thread_id || request_id, content });
  }

  send(event) {
    if (this.over) return;
    if (event.text) this.said += event.text;
    this.call.write({ response: { request_id: this.id, ...event } });
  }

  end(event) {
    this.send(event);
    this.over = true;
    running.delete(this.id);
    this.stop.abort();
  }

  async run() {
    this.turns = threads.get(this.thread) ?? [];
    threads.set(this.thread, this.turns);
    this.turn = [{ role: 'user', content: this.content }];
    this.turns.push(this.turn);
    try {
      let rounds = 0;
      while (!this.over && (await this.round(rounds++))) if (rounds > 16) throw new Error('too many rounds');
      this.end({ done: { full_response: this.said } });
    } catch (error) {
      this.end({ error: error.message || 'the model failed' });
    }
  }

  /** One answer of the model, and its tools. Returns whether another answer is due. */
  async round(number) {
    this.inject(number);
    const answer = await this.ask();
    const {
      input_tokens,
      output_tokens,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: wrote,
    } = answer.usage;
    this.send({
      usage: { input_tokens, output_tokens, cache_read_tokens: read ?? 0, cache_write_tokens: wrote ?? 0 },
    });
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    const runs = answer.stop_reason === 'tool_use' ? calls.filter(isWhole) : [];
    const kept = answer.content.filter((block) => block.type !== 'tool_use' || runs.includes(block));
    if (kept.length > 0) this.turn.push({ role: 'assistant', content: kept });
    if (runs.length < calls.length || answer.stop_reason === 'max_tokens')
      this.send({ text: '\n[The answer was cut.]' });
    if (runs.length > 0) {
      const results = [];
      for (const call of runs) results.push(await this.tool(call));
      this.turn.push({ role: 'user', content: results });
      return true;
    }
    return waiting.some(
      ({ priority, owner }) => priority === 'INJECTION_PRIORITY_IMMEDIATE' && owner === this.id,
    );
  }

  /** The answer of the model. When the model says that the prompt is too long, it asks twice more with less. */
  async ask() {
    let most = room;
    for (let shortened = 0; ; shortened++) {
      fit(this.turns, most);
      try {
        return await this.stream();
      } catch (error) {
        if (shortened === 2 || !/prompt is too long/.test(error.message)) throw error;
        most = tokens(this.turns.flat()) / 2;
      }
    }
  }

  async stream() {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), silentAtMost);
    const stream = model.messages.stream(
      { model: 'wireproof-1', max_tokens: answerTokens, messages: this.turns.flat(), tools: offered },
      { signal: AbortSignal.any([this.stop.signal, silence.signal]) },
    );
    stream.on('streamEvent', () => timer.refresh());
    let partial = '';
    stream.on('text', (delta) => {
      partial += delta;
      this.send({ text: delta });
    });
    try {
      return await stream.finalMessage();
    } catch (error) {
      // The thread remembers what was said.
      if (partial.trim() !== '') this.turn.push({ role: 'assistant', content: partial });
      throw silence.signal.aborted ? new Error('the model fell silent') : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Puts the injections that are due behind the conversation. */
  inject(number) {
    const isDue = ({ priority, owner }) =>
      priority !== 'INJECTION_PRIORITY_DEFERRED' ||
      owner === undefined ||
      (!running.has(owner) && number === 0);
    const due = waiting.filter(isDue);
    waiting = waiting.filter((one) => !isDue(one));
    for (const { content } of due) this.turn.push({ role: 'user', content });
  }

  async tool({ id, name, input }) {
    if (this.over) return { type: 'tool_result', tool_use_id: id, content: 'cancelled', is_error: true };
    const tool = tools[name];
    const use = { id, name, input_json: JSON.stringify(input) };
    const state = (to) => this.send({ tool_state: { id, state: `TOOL_STATE_${to}` } });
    const result = (output, is_error, end) => {
      this.open = undefined;
      state(end);
      this.send({ tool_result: { id, output, is_error } });
      return { type: 'tool_result', tool_use_id: id, content: output, is_error };
    };
    this.send({ tool_use: use });
    state('PENDING');
    this.open = () => state('CANCELLED');
    if (tool?.gated && !this.approvesAll) {
      this.send({ tool_approval_request: use });
      state('AWAITING_APPROVAL');
      const decision = await new Promise((resolve) => {
        decisions.set(id, resolve);
        this.stop.signal.addEventListener('abort', () => resolve());
        setTimeout(resolve, 300_000).unref();
      });
      decisions.delete(id);
      if (!decision?.approved) return result('The user denied this call.', true, 'DENIED');
      this.approvesAll = decision.approve_all;
    }
    state('RUNNING');
    try {
      const output = await tool.run(input, this.stop.signal);
      return result(output, false, 'COMPLETED');
    } catch (error) {
      return result(error.message, true, 'FAILED');
    }
  }

  cancel(reason) {
    this.open?.();
    this.end({ cancelled: { reason } });
  }
}

/** Whether a call has what its tool needs. A call that was cut under a false stop reason has not. */
const isWhole = ({ name, input }) => tools[name]?.input_schema.required.every((key) => key in input) === true;

/** The last request of each thread. Requests of one thread run one after another. */
const queues = new Map();

const receive = {
  send_message(message, call) {
    const request = new Request(call, message);
    running.set(request.id, request);
    const before = queues.get(request.thread) ?? Promise.resolve();
    queues.set(
      request.thread,
      before.then(() => !request.over && request.run()),
    );
  },
  inject_context({ injection_id, content, priority }, call) {
    const accepted = tokens(content) < contextWindow / 2;
    if (accepted && !acks.has(injection_id))
      waiting.push({ content, priority, owner: running.keys().next().value });
    const ack = { injection_id, accepted, ...(accepted ? {} : { reason: 'context too large' }) };
    if (!acks.has(injection_id)) acks.set(injection_id, ack);
    call.write({ injection_ack: acks.get(injection_id) });
  },
  tool_approval: (decision) => decisions.get(decision.id)?.(decision),
  cancel_request: ({ request_id, reason }) => running.get(request_id)?.cancel(reason),
  shutdown(_, call) {
    for (const request of running.values()) request.end({ error: 'the agent stops' });
    call.end();
    setTimeout(process.exit, 2000, 0);
  },
};

const client = new CovenControl(address, grpc.credentials.createInsecure());
const call = client.AgentStream();
call.on('data', (message) => receive[message.payload]?.(message[message.payload], call));
call.on('error', ({ message }) => console.error(message)).on('end', () => process.exit(0));
const metadata = {
  working_directory: process.cwd(),
  hostname: hostname(),
  os: platform(),
  backend: 'anthropic',
};
const protocol_features = ['token_usage', 'tool_states', 'injection', 'cancellation'];
call.write({
  register: { agent_id: `whole-${randomUUID()}`, name: 'A whole agent', metadata, protocol_features },
});
