/** A small agent, as its author would write it, in three dialects and several manners. */
import { program } from '../run.test-helper.ts';

/** How the agent treats calls that it must not run, and what else it asks. */
export const manners = {
  /** Drops a bad call, and asks the model to go on. */
  refuses: {},
  /** Mends whatever came, and runs it. */
  runs: { mends: true },
  /** Mends a call only when its retry with a larger limit is cut too. */
  'runs-second': { mends: true, patience: 1 },
  /** Refuses; before, it looks for the server, lists the models, counts tokens and asks for a title. */
  'title-first': { title: true },
  /** Answers a bad call with a result that quotes it, without an error flag. */
  quotes: { quotes: true },
  /** Reads its stdin to the end before it asks, as programs do that take a prompt there. */
  'reads-stdin': { stdin: true },
  /** Shows the half of an answer that broke off, and exits with code 0. */
  half: { half: true },
  /** Does not stream. It tries an error of the server again. */
  whole: { whole: true },
} as const;

/** One of the manners. */
export type Manner = keyof typeof manners;

/** The dialects that the agent speaks. */
export const agentDialects = ['anthropic', 'openai-chat', 'ollama'] as const;

/** One of the dialects. */
export type AgentDialect = (typeof agentDialects)[number];

/** The command of the agent. */
export const agentCommand = (dialect: AgentDialect, manner: Manner): readonly string[] => [
  process.execPath,
  file(),
  dialect,
  JSON.stringify(manners[manner]),
];

let written: string | undefined;
const file = (): string => (written ??= program('small-agent.mjs', source));

/** The statement of the agent: its tool joins two texts, so that its result is not in its input. */
export const agentStatement = `suite: llm/client
carrier: http
tools:
  quick: { name: join, input: { a: '{nonce}', b: ran }, shows: '{nonce}-ran' }
`;

const source = String.raw`
const [dialect, mannerText] = process.argv.slice(2);
const manner = JSON.parse(mannerText);
const base = {
  anthropic: process.env.ANTHROPIC_BASE_URL,
  'openai-chat': process.env.OPENAI_BASE_URL,
  ollama: process.env.OLLAMA_HOST,
}[dialect];
const path = { anthropic: '/v1/messages', 'openai-chat': '/chat/completions', ollama: '/api/chat' }[dialect];
const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
const about = { name: 'join', description: 'Joins two texts.' };
const tools = dialect === 'anthropic'
  ? [{ ...about, input_schema: schema }]
  : [{ type: 'function', function: { ...about, parameters: schema } }];
const join = ({ a, b }) => a + '-' + b;
const stopsForTools = { anthropic: 'tool_use', 'openai-chat': 'tool_calls', ollama: 'stop' }[dialect];
let limit = 1000;

const post = (url, body) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function ask(messages, more = { tools }) {
  const stream = manner.whole !== true;
  const limits = dialect === 'ollama' ? { options: { num_predict: limit } } : { max_tokens: limit };
  for (let attempt = 0; ; attempt++) {
    const response = await post(base + path, { model: 'm', stream, messages, ...limits, ...more });
    if (response.status >= 500 && attempt < 3) {
      const seconds = Number(response.headers.get('retry-after') ?? 0);
      await response.text();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 100));
      continue;
    }
    return stream && response.status === 200 ? read(response) : whole(response);
  }
}

async function whole(response) {
  const body = await response.json();
  if (response.status !== 200) return { text: '', calls: [], stop: '', error: true, ended: true };
  if (dialect === 'anthropic') {
    const text = body.content.map((block) => block.text ?? '').join('');
    const calls = body.content.filter(({ type }) => type === 'tool_use').map(({ id, name, input }) => ({ id, name, args: JSON.stringify(input) }));
    return { text, calls, stop: body.stop_reason, error: false, ended: true };
  }
  const message = dialect === 'ollama' ? body.message : body.choices[0].message;
  const calls = (message.tool_calls ?? []).map(({ id, function: f }) => ({ id, name: f.name, args: typeof f.arguments === 'string' ? f.arguments : JSON.stringify(f.arguments) }));
  return { text: message.content ?? '', calls, stop: dialect === 'ollama' ? body.done_reason : body.choices[0].finish_reason, error: false, ended: true };
}

async function read(response) {
  const answer = { text: '', calls: [], stop: '', error: false, ended: false };
  let rest = '';
  try {
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop();
      for (const line of lines) take(line, answer);
    }
  } catch {
    answer.error = true;
  }
  return answer;
}

function take(line, answer) {
  const text = dialect === 'ollama' ? line : line.startsWith('data: ') ? line.slice(6) : '';
  if (text === '') return;
  if (text === '[DONE]') return void (answer.ended = true);
  const event = JSON.parse(text);
  if (event.error !== undefined && event.error !== null) answer.error = true;
  if (dialect === 'anthropic') {
    if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
      answer.calls.push({ id: event.content_block.id, name: event.content_block.name, args: '' });
    if (event.delta?.text) answer.text += event.delta.text;
    if (event.delta?.partial_json) answer.calls.at(-1).args += event.delta.partial_json;
    if (event.delta?.stop_reason) answer.stop = event.delta.stop_reason;
    if (event.type === 'message_stop') answer.ended = true;
  } else if (dialect === 'ollama') {
    answer.text += event.message?.content ?? '';
    for (const { id, function: f } of event.message?.tool_calls ?? [])
      answer.calls.push({ id, name: f.name, args: JSON.stringify(f.arguments) });
    if (event.done) [answer.stop, answer.ended] = [event.done_reason, true];
  } else {
    const [choice] = event.choices ?? [];
    answer.text += choice?.delta?.content ?? '';
    for (const { index, id, function: f } of choice?.delta?.tool_calls ?? []) {
      answer.calls[index] ??= { id, name: f.name, args: '' };
      answer.calls[index].args += f.arguments ?? '';
    }
    if (choice?.finish_reason) answer.stop = choice.finish_reason;
  }
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Anything that can be made an object. */
function mended(args) {
  const tries = [args, args + '}', args + '"}', args.replace(/,\s*}/, '}')];
  const value = tries.map(parsed).find((one) => one !== undefined);
  return Array.isArray(value) ? value[0] : value;
}

/** Calls that a model's template wrote as text. */
function leaked(answer) {
  const [, name, args] = /\{"name": "(\w+)", "arguments": (.*)$/s.exec(answer.text) ?? [];
  if (name !== undefined) answer.calls.push({ id: 'leaked', name, args });
}

function assistant(text, calls) {
  const content = text === '' ? 'Well.' : text;
  if (dialect === 'anthropic')
    return { role: 'assistant', content: [{ type: 'text', text: content }, ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))] };
  const made = calls.map(({ id, name, input }) =>
    dialect === 'ollama'
      ? { function: { name, arguments: input } }
      : { id, type: 'function', function: { name, arguments: JSON.stringify(input) } });
  return { role: 'assistant', content, ...(made.length > 0 ? { tool_calls: made } : {}) };
}

function results(calls) {
  if (dialect === 'anthropic')
    return [{ role: 'user', content: calls.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result })) }];
  return calls.map(({ id, name, result }) =>
    dialect === 'ollama' ? { role: 'tool', tool_name: name, content: result } : { role: 'tool', tool_call_id: id, content: result });
}

if (manner.title) {
  await fetch(new URL(base).origin + '/', { method: 'HEAD' });
  await fetch(new URL(base).origin + '/v1/models');
  await post(new URL(base).origin + '/v1/messages/count_tokens', { model: 'm', messages: [{ role: 'user', content: 'x' }] });
  await ask([{ role: 'user', content: 'Make a title: join the texts.' }], {});
}

if (manner.stdin) for await (const _ of process.stdin);

const messages = [{ role: 'user', content: 'Join the texts.' }];
let cuts = 0;
for (let round = 0; round < 8; round++) {
  const answer = await ask(messages);
  const honest = answer.ended && !answer.error && answer.stop === stopsForTools;
  const good = honest && answer.calls.every(({ args }) => isObject(parsed(args)));
  if (manner.mends && answer.calls.length === 0) leaked(answer);
  if ((answer.error || !answer.ended) && answer.calls.length === 0) {
    if (manner.half) console.log(answer.text);
    else {
      console.error('Error: the answer broke off');
      process.exitCode = 1;
    }
    break;
  }
  if (good && answer.calls.length === 0 && !answer.text.includes('{"name"')) break;
  if (answer.calls.length === 0 && !answer.text.includes('{"name"') && answer.stop !== 'max_tokens') break;
  const runs = good || (manner.mends && (cuts >= (manner.patience ?? 0) || answer.stop === stopsForTools));
  if (runs && answer.calls.length > 0) {
    const calls = answer.calls.map((call) => ({ ...call, input: mended(call.args) ?? {} }));
    messages.push(assistant(answer.text, calls));
    messages.push(...results(calls.map((call) => ({ ...call, result: join(call.input) }))));
  } else if (manner.mends) {
    cuts++;
    limit *= 2;
  } else if (manner.quotes && answer.calls.length > 0) {
    const calls = answer.calls.map((call) => ({ ...call, input: {} }));
    messages.push(assistant(answer.text, calls));
    messages.push(...results(calls.map((call) => ({ ...call, result: 'The call was not run: ' + call.args }))));
  } else {
    messages.push(assistant('', []), { role: 'user', content: 'A call was not usable, and was not run. Go on.' });
  }
}
`;
