/**
 * What codex sends on a WebSocket, measured with @openai/codex 0.171.0 (`supports_websockets`), without its long texts: a
 * request that warms up, the first request, the result of a call; and after the connection was lost, the whole conversation.
 */
import { expect, it } from 'vitest';
import { isObject } from '../../kit/base/index.ts';
import type { JsonObject } from '../../kit/base/index.ts';
import { script } from '../script/builder.ts';
import { Stepped } from './streamer.test-helper.ts';

const message = (role: string, text: string): JsonObject => ({
  type: 'message',
  id: `msg_${text.replaceAll(/\W/g, '')}`,
  role,
  content: [{ type: 'input_text', text }],
});

const execCommand = {
  type: 'function',
  name: 'exec_command',
  description: 'Runs a command in a PTY.',
  strict: false,
  parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] },
};

const always = {
  type: 'response.create',
  model: 'gpt-5',
  stream: true,
  tools: [
    execCommand,
    { type: 'namespace', name: 'multi_agent_v1', description: 'Agents.', tools: [] },
    { type: 'web_search' },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: null,
  store: false,
  include: [],
  prompt_cache_key: '01a220b5',
  client_metadata: { session_id: '01a220b5' },
};

const call = { cmd: 'touch whole.txt' };

function open(role: Stepped, peer: string): void {
  const metadata = { ':carrier': 'ws', ':method': 'GET', ':path': '/v1/responses' };
  const beta = { 'openai-beta': 'responses_websockets=2026-02-06' };
  role.step({ type: 'opened', peer, metadata: { ...metadata, ...beta } });
}

const say = (role: Stepped, peer: string, more: JsonObject): void =>
  role.step({ type: 'message', peer, message: { body: { ...always, ...more } } });

const latest = (role: Stepped, peer: string): JsonObject => {
  const data = role.sent(peer).at(-1)?.data;
  return isObject(data) ? data : {};
};

const responseIn = ({ response }: JsonObject): JsonObject => (isObject(response) ? response : {});

const latestId = (role: Stepped, peer: string): string => String(responseIn(latest(role, peer))['id']);

/** The warm-up, and the request of the user. */
function begun(role: Stepped, peer: string): void {
  open(role, peer);
  say(role, peer, { input: [message('developer', 'You are a coding agent.')], generate: false });
  const input = [message('developer', 'Skills'), message('user', 'Context'), message('user', 'Make a file.')];
  say(role, peer, { previous_response_id: latestId(role, peer), input });
}

const output = { type: 'function_call_output', call_id: 'call_1', output: 'Process exited with code 0' };

it('is a turn with a call on one connection', () => {
  const role = new Stepped(script().toolCall('exec_command', call, { id: 'call_1' }).turn().text('Done.'));
  begun(role, 'w');
  say(role, 'w', { previous_response_id: latestId(role, 'w'), input: [output] });
  expect(latest(role, 'w')).toMatchObject({
    type: 'response.completed',
    response: { output: [{ content: [{ text: 'Done.' }] }] },
  });
});

it('is cut in the middle of a call', () => {
  const role = new Stepped(
    script().toolCall('exec_command', call, { id: 'call_1' }).cutAt({ json: 'inside-string' }),
  );
  begun(role, 'w');
  expect(latest(role, 'w')).toMatchObject({
    type: 'response.incomplete',
    response: {
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'function_call', status: 'incomplete' }],
    },
  });
});

it('goes on with the whole conversation on a new connection', () => {
  const role = new Stepped(script().toolCall('exec_command', call, { id: 'call_1' }).turn().text('Done.'));
  begun(role, 'w');
  role.step({ type: 'left', peer: 'w' });
  open(role, 'x');
  const made = {
    type: 'function_call',
    call_id: 'call_1',
    name: 'exec_command',
    arguments: JSON.stringify(call),
  };
  say(role, 'x', {
    input: [message('developer', 'Skills'), message('user', 'Make a file.'), made, output],
  });
  expect(latest(role, 'x')).toMatchObject({ type: 'response.completed' });
});
