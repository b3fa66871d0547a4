/**
 * Programs that ask on the WebSocket of Responses are judged by their requests, as on HTTP. OpenAI, guide WebSocket mode: a
 * request that continues a response has the new items only.
 */
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { isArray, isObject, jsonOf } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { serveScript } from '../../../src/llm/edge/index.ts';
import { script } from '../../../src/llm/index.ts';
import type { Script } from '../../../src/llm/index.ts';
import { clientRules } from './rules/index.ts';
import { clientJudging } from './topics.ts';

const tools = [{ type: 'custom', name: 'apply_patch' }];
const patch = '*** Begin Patch\n*** Update File: a.ts\n+const a = 1;\n*** End Patch\n';

/** Sends each request when the answer to the one before is over. `next` makes it of the last response. */
async function played(
  served: Script,
  ...requests: readonly ((last: JsonObject) => JsonObject)[]
): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  const provider = await serveScript({ script: served, onEvent: (event) => events.push(event) });
  const socket = new WebSocket(`ws://127.0.0.1:${provider.port}/v1/responses`);
  await new Promise((resolve) => socket.on('open', resolve));
  let last: JsonObject = {};
  for (const next of requests) {
    const over = new Promise<JsonObject>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const event = jsonOf(data.toString('utf8'));
        if (
          !isObject(event) ||
          !/^(response\.(completed|incomplete|failed)|error)$/.test(String(event['type']))
        )
          return;
        resolve(isObject(event['response']) ? event['response'] : event);
      });
    });
    socket.send(JSON.stringify({ type: 'response.create', model: 'm', tools, store: false, ...next(last) }));
    last = await over;
    socket.removeAllListeners('message');
  }
  socket.close();
  await new Promise((resolve) => socket.on('close', resolve));
  await provider.close();
  return events;
}

/** The words in results that show that the complete call ran, and the cut one. */
const witness = {
  row: 'LLM-C01',
  tool: 'apply_patch',
  control: 'wp1-ran',
  forbidden: 'wp2-ran',
  file: false,
};

/** The rows that a trace exercises, and those that it violates. */
function judged(events: readonly TraceEvent[]): {
  exercised: readonly string[];
  violated: readonly string[];
} {
  const judge = new Judge({ rules: clientRules, ...clientJudging });
  const mark = {
    wire: 'llm',
    conn: '',
    stream: '',
    from: 'kit',
    to: 'kit',
    kind: 'mark',
    at: 0,
    seq: -1,
  } as const;
  const begun = [{ run: { drive: 'turns', timeouts: {} } }, { case: { witness } }];
  for (const event of [...begun.map((data) => ({ ...mark, data })), ...events]) judge.step(event);
  const found = [...judge.end()];
  return {
    exercised: found.flatMap(([id, { exercised }]) => (exercised > 0 ? [id] : [])),
    violated: found.flatMap(([id, { violations }]) => (violations.length > 0 ? [id] : [])),
  };
}

const asks = (): JsonObject => ({ input: 'Edit a.ts' });
const callIn = ({ output }: JsonObject): string => {
  const call = isArray(output)
    ? output.find((item) => isObject(item) && item['type'] === 'custom_tool_call')
    : undefined;
  return isObject(call) ? String(call['call_id']) : '';
};
const answering =
  (output: string) =>
  (last: JsonObject): JsonObject => ({
    previous_response_id: last['id'] ?? null,
    input: [{ type: 'custom_tool_call_output', call_id: callIn(last), output }],
  });
const goesOn = ({ id = null }: JsonObject): JsonObject => ({ previous_response_id: id, input: 'Go on.' });

describe('a program on the WebSocket of Responses', () => {
  it('that answers a whole call is right, also after a request that wants no answer', async () => {
    const whole = script().customToolCall('apply_patch', patch).turn().text('Done.').build();
    const events = await played(
      whole,
      () => ({ input: 'Soon.', generate: false }),
      (last) => ({ ...goesOn(last) }),
      answering('done'),
    );
    const { exercised, violated } = judged(events);
    expect(exercised).toContain('LLM-C08');
    expect(violated).toEqual([]);
  });

  const cut = script()
    .customToolCall('apply_patch', patch)
    .turn()
    .customToolCall('apply_patch', patch)
    .cutAt({ char: 30 })
    .turn()
    .text('Again.')
    .build();

  it('that goes on after a cut call is right', async () => {
    const { exercised, violated } = judged(await played(cut, asks, answering('wp1-ran'), goesOn));
    expect(exercised).toContain('LLM-C01');
    expect(violated).toEqual([]);
  });

  it('that ran a cut call violates LLM-C01', async () => {
    const events = await played(cut, asks, answering('wp1-ran'), answering('wp2-ran'));
    expect(judged(events).violated).toContain('LLM-C01');
  });
});
