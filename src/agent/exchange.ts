/**
 * The exchange of a Fold request with the model: one `ClientCall` with one attempt. Retries belong to the machine of the
 * turn, because the conversation may grow between two attempts (an injection), or become smaller (an overflow).
 */
import type { Usage } from '../kit/base/index.ts';
import type { TokenUsage } from '../fold/index.ts';
import { ClientCall, defaultRetries } from '../llm/index.ts';
import type { CallOptions, CallOutput, Converse, Decoded, LlmRequest, ResponseEvent } from '../llm/index.ts';
import { OutputMeter, promptOf } from '../tokens/index.ts';
import { modelOf, outputLimit } from './budget.ts';
import type { AgentOutputs, AgentRequest } from './state.ts';

/** The default of the longest silence of a response (ms). */
const defaultIdle = 60_000;

/** The longest silence while a provider counts (ms). */
const countIdle = 5000;

/** Sends a request to the model. */
export function beginExchange(out: AgentOutputs, request: AgentRequest, asks: LlmRequest): void {
  const { llm, parts = {} } = out.whole;
  request.asked++;
  const idle = llm.idle ?? defaultIdle;
  const meter = new OutputMeter({ limit: outputLimit(out.whole, request) });
  begin(out, request, { request: parts.request?.(asks) ?? asks, idle, converse: parts.converse }, meter);
}

/** Asks the provider to count a request. */
export function beginCount(
  out: AgentOutputs,
  request: AgentRequest,
  asks: LlmRequest,
  converse: Converse,
): void {
  const idle = Math.min(countIdle, out.whole.llm.idle ?? defaultIdle);
  begin(out, request, { request: asks, idle, converse }, undefined);
}

function begin(
  out: AgentOutputs,
  request: AgentRequest,
  { converse, ...asks }: Pick<CallOptions, 'request' | 'idle'> & { readonly converse: Converse | undefined },
  meter: OutputMeter | undefined,
): void {
  const { llm, random } = out.whole;
  const call = new ClientCall({
    ...asks,
    baseUrl: llm.baseUrl,
    headers: llm.headers ?? {},
    retries: { ...defaultRetries, attempts: 1 },
    random: random(`model request ${out.state.exchanges}`),
    ...(converse === undefined ? {} : { converse }),
  });
  request.exchange = { call, peer: '', shown: false, meter };
  drive(out, request, call.start());
}

/** Does the outputs of the call. Returns the response when it is over. */
export function drive(
  out: AgentOutputs,
  request: AgentRequest,
  outputs: readonly CallOutput[],
): Decoded | undefined {
  for (const output of outputs) {
    if (output.do !== 'done') driveOne(out, request, output);
    else {
      out.state.links.delete(request.exchange?.peer ?? '');
      request.exchange = undefined;
      return output.decoded;
    }
  }
  return undefined;
}

function driveOne(
  out: AgentOutputs,
  request: AgentRequest,
  output: Exclude<CallOutput, { do: 'done' }>,
): void {
  const { exchange } = request;
  if (exchange === undefined) return;
  const { peer } = exchange;
  switch (output.do) {
    case 'dial':
      exchange.peer = `model-${++out.state.exchanges}`;
      out.state.links.set(exchange.peer, request.id);
      out.dial(exchange.peer, output.metadata);
      if (out.state.full) out.outputs.push({ type: 'pause', peer: exchange.peer });
      return;
    case 'send':
      return out.send(peer, { chunk: output.bytes });
    case 'half_close':
      return out.halfClose(peer);
    case 'close':
      out.state.links.delete(peer);
      return out.close(peer, 0, '');
    case 'timer':
      return out.startTimerOf(request, output.ms);
    case 'no_timer':
      return out.stopTimerOf(request);
    case 'show':
      return show(out, request, output.event);
    default:
      output satisfies never;
  }
}

/** Shows texts and thoughts as they come. Calls are shown when they run: only then they are known to be whole. */
function show(out: AgentOutputs, request: AgentRequest, event: ResponseEvent): void {
  const { exchange } = request;
  if (exchange !== undefined && !silent.has(event.type)) exchange.shown = true;
  const warning = exchange?.meter?.add(outputOf(event));
  if (warning !== undefined) out.tell('warning', JSON.stringify({ request: request.id, ...warning }));
  if (event.type === 'text' && event.text !== '') out.respond(request, { text: event.text });
  else if (event.type === 'thinking' && event.text !== '') out.respond(request, { thinking: event.text });
}

/** Events that are no output of the model. */
const silent: ReadonlySet<ResponseEvent['type']> = new Set(['warning', 'error', 'usage']);

/** What an event adds to the output of a response. */
function outputOf(event: ResponseEvent): string {
  if (event.type === 'tool_input') return event.partial;
  return event.type === 'text' || event.type === 'thinking' ? event.text : '';
}

/** Closes the exchange of a request that is stopped, at once (LLM-C10). Returns the text that the model has said. */
export function abandonExchange(out: AgentOutputs, request: AgentRequest): string {
  const { exchange } = request;
  if (exchange === undefined) return '';
  const abandon = out.whole.parts?.abandon ?? ((call: ClientCall) => call.abort());
  const decoded = drive(out, request, abandon(exchange.call));
  request.exchange = undefined;
  return decoded?.response.content ?? '';
}

/** While the gateway takes nothing more, nothing more is read from the provider. */
export function holdExchanges(out: AgentOutputs, type: 'pause' | 'resume'): void {
  for (const peer of out.state.links.keys()) out.outputs.push({ type, peer });
}

/** The timer of an exchange fired. While the gateway takes nothing, the provider is not to blame for a silence. */
export function exchangeTimer(
  out: AgentOutputs,
  request: AgentRequest,
  call: ClientCall,
): Decoded | undefined {
  if (!out.state.full) return drive(out, request, call.timer());
  out.startTimerOf(request, out.whole.llm.idle ?? defaultIdle);
  return undefined;
}

/** Notes the usage of one response, and reports it: one event, count by count (section 1). */
export function reportUsage(out: AgentOutputs, request: AgentRequest, usage: Usage | undefined): void {
  if (usage === undefined) return;
  noteUsage(out, request, usage);
  if (!out.advertises('token_usage')) return;
  const usages = out.whole.parts?.usages ?? ((counts: Usage) => [tokenUsage(counts)]);
  for (const one of usages(usage)) out.respond(request, { usage: one });
}

/** Adds the usage of one response up, and tells the application (the plan's "Token Visibility"). */
function noteUsage(out: AgentOutputs, request: AgentRequest, usage: Usage): void {
  const [input, output] = [promptOf(usage), usage.outputTokens];
  for (const used of [request.used, out.state.used]) {
    used.responses++;
    used.input += input;
    used.output += output;
  }
  const { name: model, window } = modelOf(out.whole, request);
  out.tell('usage', JSON.stringify({ request: request.id, model, input, output, window }));
}

/** The largest count of the schema, a signed 32-bit number. */
const mostTokens = 0x7fffffff;
const count = (tokens = 0): number => Math.min(mostTokens, Math.max(0, Math.trunc(tokens)));

/**
 * The usage of a response as Fold has it.
 *
 * @example
 * tokenUsage({ inputTokens: 12, outputTokens: 3 }).output_tokens; // 3
 */
export const tokenUsage = (usage: Usage): TokenUsage => ({
  input_tokens: count(usage.inputTokens),
  output_tokens: count(usage.outputTokens),
  cache_read_tokens: count(usage.cacheReadTokens),
  cache_write_tokens: count(usage.cacheWriteTokens),
  thinking_tokens: count(usage.thinkingTokens),
});
