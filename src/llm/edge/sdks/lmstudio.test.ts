/** LM Studio's own SDK against the streamer, over its WebSocket: how it reads the streamer's answers. */
import { LMStudioClient, rawFunctionTool } from '@lmstudio/sdk';
import type { LLM, LLMActionOpts, PredictionResult, Tool } from '@lmstudio/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { script } from '../../script/builder.ts';
import type { ScriptBuilder } from '../../script/builder.ts';
import { rejection } from './outcome.test-helper.ts';
import { asked, opened } from './simulated.test-helper.ts';
import type { OpenedLlm } from './simulated.test-helper.ts';

const said: string[] = [];
const log = (...parts: unknown[]): void => void said.push(parts.join(' '));
const logger = { debug: log, info: log, warn: log, error: log };

/** The SDK's client of a simulated provider. */
function clientAt({ url }: OpenedLlm): LMStudioClient {
  said.length = 0;
  const client = new LMStudioClient({ baseUrl: url.replace('http', 'ws'), logger });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

const modelAt = (llm: OpenedLlm): Promise<LLM> => clientAt(llm).llm.model('m');

const ready = async (given: ScriptBuilder): Promise<{ llm: OpenedLlm; model: LLM }> => {
  const llm = await opened(given);
  return { llm, model: await modelAt(llm) };
};

/** The tool `add`, and the inputs of its calls. */
function adding(): { tool: Tool; calls: unknown[] } {
  const calls: unknown[] = [];
  const tool = rawFunctionTool({
    name: 'add',
    description: 'adds',
    parametersJsonSchema: { type: 'object', properties: {} },
    implementation: (input) => calls.push(input),
  });
  return { tool, calls };
}

/** Acts on a script with the tool `add`. */
async function acted(
  given: ScriptBuilder,
  options: LLMActionOpts = {},
): Promise<{ llm: OpenedLlm; calls: unknown[]; rounds: PredictionResult[]; error?: unknown }> {
  const { llm, model } = await ready(given);
  const { tool, calls } = adding();
  const rounds: PredictionResult[] = [];
  const onPredictionCompleted = (result: PredictionResult): void => void rounds.push(result);
  const acting = model.act('Hi', [tool], { ...options, onPredictionCompleted });
  const error = await acting.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { llm, calls, rounds, ...(error === undefined ? {} : { error }) };
}

describe('@lmstudio/sdk', () => {
  it('reads text, in parts and as a whole, without warnings', async () => {
    const { model } = await ready(script().text('Hello, wörld 👋'));
    const prediction = model.respond('Hi');
    let text = '';
    for await (const { content } of prediction) text += content;
    const { content, stats } = await prediction.result();
    expect([text, content]).toEqual(['Hello, wörld 👋', 'Hello, wörld 👋']);
    expect(stats.stopReason).toBe('eosFound');
    expect(said).toEqual([]);
  });

  it('reads thinking separately from text', async () => {
    const { model } = await ready(script().thinking('Hm.').text('Yes.'));
    const { reasoningContent, nonReasoningContent } = await model.respond('Hi');
    expect([reasoningContent, nonReasoningContent]).toEqual(['Hm.', 'Yes.']);
  });

  it('executes parallel calls in order, answers them, and has the usage of the script', async () => {
    const parallel = script()
      .toolCall('add', { a: 1, b: 'x"y\\' }, { id: '1' })
      .toolCall('add', { a: 2 }, { id: '2' })
      .usage({ input: 11, output: 22 })
      .turn()
      .match({ toolResult: '2' })
      .text('Done.');
    const { llm, calls, rounds, error } = await acted(parallel);
    expect(error).toBeUndefined();
    expect(calls).toEqual([{ a: 1, b: 'x"y\\' }, { a: 2 }]);
    expect(rounds.map(({ stats }) => stats.stopReason)).toEqual(['toolCalls', 'eosFound']);
    expect(rounds[0]?.stats).toMatchObject({
      promptTokensCount: 11,
      predictedTokensCount: 22,
      totalTokensCount: 33,
    });
    expect(asked(llm)).toBe(2);
  });

  it('does not execute a cut call without a further message about it', async () => {
    const cut = script().toolCall('add', { path: 'a', body: 'long' }).cutAt({ char: 20 });
    const { llm, calls, rounds, error } = await acted(cut);
    expect(error).toBeUndefined();
    expect(calls).toEqual([]);
    expect(rounds.map(({ stats }) => stats.stopReason)).toEqual(['maxPredictedTokensReached']);
    expect(llm.requests[0]?.answer?.calls[0]).toMatchObject({
      arguments: '{"path":"a","body":"',
      complete: false,
    });
  });

  it('throws when the server failed to parse a cut call', async () => {
    const cut = script().toolCall('add', { path: 'a' }).cutAt({ char: 5 });
    const { calls, error } = await acted(cut.with({ variants: { lmstudio: 'failed' } }));
    expect(error).toBeInstanceOf(Error);
    expect(calls).toEqual([]);
  });

  it('honours maxTokens of the request', async () => {
    const { model } = await ready(script().text('word '.repeat(100)));
    const { stats } = await model.respond('Hi', { maxTokens: 7 });
    expect(stats).toMatchObject({ stopReason: 'maxPredictedTokensReached', predictedTokensCount: 7 });
  });

  it('throws an error before the stream, without a retry', async () => {
    const overloaded = script()
      .error({ type: 'overloaded', message: 'busy', status: 503 })
      .turn()
      .text('Now.');
    const { llm, model } = await ready(overloaded);
    expect(String(await rejection(model.respond('Hi').result()))).toContain('busy');
    expect(asked(llm)).toBe(1);
  });

  it('throws an error that comes in the middle of the stream, after the text before it', async () => {
    const { model } = await ready(script().text('Part.').error({ type: 'overloaded', message: 'busy' }));
    let text = '';
    const read = async (): Promise<void> => {
      for await (const { content } of model.respond('Hi')) text += content;
    };
    expect(String(await rejection(read()))).toContain('busy');
    expect(text).toBe('Part.');
  });

  it('throws when the connection is reset', async () => {
    const { model } = await ready(script().text('Part.').with({ transport: 'reset', signal: 'missing' }));
    expect(await rejection(model.respond('Hi').result())).toBeInstanceOf(Error);
  });

  it('cancels its channel on request; the promise resolves, and the streamer knows', async () => {
    const { llm, model } = await ready(script().text('One two three four').barrier('never', { char: 8 }));
    const prediction = model.respond('Hi');
    let text = '';
    for await (const { content } of prediction) {
      text += content;
      if (text === 'One two ') await prediction.cancel();
    }
    // llm.md, (f): it sends `cancel` and expects `success` with userStopped.
    expect((await prediction.result()).stats.stopReason).toBe('userStopped');
    expect(text).toBe('One two ');
    await llm.until(() => llm.requests[0]?.answer !== undefined);
    expect(llm.requests[0]?.answer).toMatchObject({ stop: 'cancelled' });
    expect(llm.requests[0]?.answer?.bytes).toBeGreaterThan(0);
  });

  it('counts tokens with the server’s counter', async () => {
    const { model } = await ready(script().text('Hello.'));
    // llm.md, the script: four UTF-16 units make a token of the virtual tokenizer.
    expect(await model.countTokens('12345678')).toBe(2);
  });

  it('lists the model, loaded and downloaded', async () => {
    const client = clientAt(await opened(script({ model: 'my-model' }).text('x')));
    const loaded = await client.llm.listLoaded();
    expect(loaded.map(({ identifier }) => identifier)).toEqual(['my-model']);
    expect(await client.system.listDownloadedModels()).toMatchObject([{ modelKey: 'my-model' }]);
  });
});

describe('@lmstudio/sdk: what version 1.5.0 does with streams that are not well', () => {
  it('executes a call before an error that comes after it', async () => {
    const late = script().toolCall('add', { a: 1 }).error({ type: 'overloaded', message: 'busy' });
    const { calls, error } = await acted(late);
    expect(String(error)).toContain('busy');
    expect(calls).toEqual([{ a: 1 }]);
  });

  // A later answer on the same connection shows that the SDK has read the end.
  const unsettled = async (given: ScriptBuilder): Promise<readonly string[]> => {
    const { llm, model } = await ready(given);
    const settled: string[] = [];
    model.act('Hi', [adding().tool]).then(
      () => settled.push('fulfilled'),
      () => settled.push('rejected'),
    );
    await llm.until(() => llm.requests[0]?.answer?.outcome === 'complete');
    const sent = llm.trace.flatMap(({ from, data }) => (from === 'provider' ? [JSON.stringify(data)] : []));
    expect(sent.at(-1)).toContain('"type":"channelClose"');
    expect(await model.countTokens('12345678')).toBe(2);
    return settled;
  };

  it('neither ends nor throws when the channel is closed without success', async () => {
    // LLM-C06, LLM-C15.
    expect(await unsettled(script().text('Part.').with({ signal: 'missing' }))).toEqual([]);
  });

  it('neither ends nor throws at an unknown stop reason', async () => {
    // LLM-C18: it ignores such a success, and the close of its channel.
    expect(await unsettled(script().text('Part.').stop('unknown'))).toEqual([]);
  });
});
