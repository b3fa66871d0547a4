/** Google's own SDK against the simulator. */
import { ApiError, GoogleGenAI, Type } from '@google/genai';
import type { GenerateContentResponse } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import { opened } from './simulated.test-helper.ts';

const client = (baseUrl: string): GoogleGenAI => new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl } });

const tools = [
  {
    functionDeclarations: [
      { name: 'add', parameters: { type: Type.OBJECT, properties: { a: { type: Type.INTEGER } } } },
    ],
  },
];

describe('@google/genai', () => {
  it('reads a whole answer, with its counts', async () => {
    const llm = await opened(script().match({ dialect: 'gemini' }).thinking('hm').text('Grüße 👋'));
    const answer = await client(llm.url).models.generateContent({ model: 'gemini-x', contents: 'Hi' });
    expect(answer.text).toBe('Grüße 👋');
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP');
    expect(answer.usageMetadata).toMatchObject({
      promptTokenCount: 1,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 1,
    });
    expect(llm.requests).toMatchObject([{ dialect: 'gemini', model: 'gemini-x', turn: 0 }]);
  });

  it('reads a stream', async () => {
    const llm = await opened(script().text('One two three four.'));
    const stream = await client(llm.url).models.generateContentStream({ model: 'm', contents: 'Hi' });
    const texts: string[] = [];
    for await (const chunk of stream) texts.push(chunk.text ?? '');
    expect(texts.filter((text) => text !== '').length).toBeGreaterThan(2);
    expect(texts.join('')).toBe('One two three four.');
  });

  it('plays a conversation with a call and its result', async () => {
    const llm = await opened(script().toolCall('*', {}).turn().match({ toolResult: 'add' }).text('Done.'));
    const chat = client(llm.url).chats.create({
      model: 'm',
      config: { tools, systemInstruction: 'Be brief.' },
    });
    const { functionCalls } = await chat.sendMessage({ message: 'Add.' });
    expect(functionCalls).toMatchObject([{ name: 'add', args: { a: 1 } }]);
    const [call] = functionCalls ?? [];
    const { text } = await chat.sendMessage({
      message: [{ functionResponse: { id: call?.id ?? '', name: 'add', response: { output: '2' } } }],
    });
    expect(text).toBe('Done.');
    llm.assertDone();
  });

  it('gets MAX_TOKENS without the call that the limit cut', async () => {
    const llm = await opened(
      script().text('a').toolCall('add', { a: 12345 }).cutAt({ json: 'inside-number' }),
    );
    const answer = await client(llm.url).models.generateContent({
      model: 'm',
      contents: 'Hi',
      config: { tools },
    });
    expect(answer.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
    expect(answer.functionCalls).toBeUndefined();
  });

  it('obeys maxOutputTokens, and counts tokens', async () => {
    const llm = await opened(script().text('abcdefghijklmnop'));
    const { models } = client(llm.url);
    const answer = await models.generateContent({
      model: 'm',
      contents: 'Hi',
      config: { maxOutputTokens: 2 },
    });
    expect([answer.text, answer.candidates?.[0]?.finishReason]).toEqual(['abcdefgh', 'MAX_TOKENS']);
    expect((await models.countTokens({ model: 'm', contents: 'Hello, world' })).totalTokens).toBe(3);
  });

  it('embeds texts, each with its vector, in bounds', async () => {
    const llm = await opened(script().text('x'));
    const { models } = client(llm.url);
    const { embeddings = [] } = await models.embedContent({
      model: 'e',
      contents: ['a', 'b', 'a'],
      config: { outputDimensionality: 3 },
    });
    const [a, b, again] = embeddings.map(({ values }) => values);
    expect([a?.length, b?.length]).toEqual([3, 3]);
    expect(again).toEqual(a);
    expect(b).not.toEqual(a);
    const many = Array.from({ length: 2049 }, () => 'x');
    await expect(models.embedContent({ model: 'e', contents: many })).rejects.toThrow(/at most 2048 texts/);
  });

  it('throws an error before the stream', async () => {
    const llm = await opened(
      script().error({ type: 'overloaded', message: 'busy', status: 503 }).times('always'),
    );
    const asked = client(llm.url).models.generateContent({ model: 'm', contents: 'Hi' });
    await expect(asked).rejects.toSatisfy((error) => error instanceof ApiError && error.status === 503);
  });

  it('is told what is wrong with a request', async () => {
    const llm = await opened(script().text('x'));
    const asked = client(llm.url).models.generateContent({ model: 'm', contents: [] });
    await expect(asked).rejects.toThrow(/contents/);
  });
});

describe('the dialect, as @google/genai reads it', () => {
  it('has the signature of a call, and sends it back', async () => {
    const llm = await opened(
      script()
        .toolCall('add', { a: 1 }, { signature: 'c2ln' })
        .turn()
        .match({ toolResult: 'add' })
        .text('Done.'),
    );
    const chat = client(llm.url).chats.create({ model: 'm', config: { tools } });
    const { candidates } = await chat.sendMessage({ message: 'Add.' });
    expect(candidates?.[0]?.content?.parts?.[0]).toMatchObject({ thoughtSignature: 'c2ln' });
    const { text } = await chat.sendMessage({
      message: [{ functionResponse: { name: 'add', response: { output: '2' } } }],
    });
    expect(text).toBe('Done.');
  });

  // "Function call is missing a thought_signature": github.com/google-gemini/gemini-cli/issues/26682.
  it('refuses a call without its signature, or with another one', async () => {
    const llm = await opened(script().toolCall('add', { a: 1 }).times('always'));
    const { models } = client(llm.url);
    const { functionCalls } = await models.generateContent({
      model: 'm',
      contents: 'Add.',
      config: { tools },
    });
    const [call] = functionCalls ?? [];
    const back = (more: object) =>
      models.generateContent({
        model: 'm',
        config: { tools },
        contents: [
          { role: 'user', parts: [{ text: 'Add.' }] },
          { role: 'model', parts: [{ functionCall: call ?? {}, ...more }] },
          { role: 'user', parts: [{ functionResponse: { id: call?.id ?? '', name: 'add', response: {} } }] },
        ],
      });
    await expect(back({})).rejects.toThrow(/missing a thought_signature .* `default_api:add` , position 2/);
    await expect(back({ thoughtSignature: 'bm9uZQ==' })).rejects.toThrow(/Corrupted thought signature/);
    await expect(back({ thoughtSignature: 'skip_thought_signature_validator' })).resolves.toBeDefined();
  });

  it('sends a blocked prompt without candidates', async () => {
    const llm = await opened(script().stop('content_filter'));
    const answer = await client(llm.url).models.generateContent({ model: 'm', contents: 'Hi' });
    expect([answer.candidates, answer.promptFeedback?.blockReason]).toEqual([undefined, 'SAFETY']);
  });

  // "arguments of a single function call will be streamed out in multiple parts" (FunctionCallingConfig).
  it('sends the arguments of a call by path, and leaves a cut call open', async () => {
    const llm = await opened(
      script({ conversations: 'one' })
        .with({ chunk: { size: 6 } })
        .toolCall('add', { a: 12_345, list: ['one two', { b: true }] })
        .turn()
        .with({ chunk: { size: 6 } })
        .toolCall('add', { a: 12_345, text: 'long' })
        .cutAt({ json: 'inside-string' }),
    );
    const callsOf = async (): Promise<readonly unknown[]> => {
      const answer = await fetch(`${llm.url}/v1beta/models/m:streamGenerateContent?alt=sse`, {
        method: 'POST',
        body: JSON.stringify({
          contents: [{ parts: [{ text: 'Add.' }] }],
          tools,
          toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } },
        }),
      });
      const chunks = (await answer.text()).split('\n\n').filter((one) => one !== '');
      return chunks.flatMap((one) => {
        const { candidates } = JSON.parse(one.slice(6)) as GenerateContentResponse;
        return (candidates?.[0]?.content?.parts ?? []).flatMap((part) => part.functionCall ?? []);
      });
    };
    expect(await callsOf()).toEqual([
      { id: expect.any(String), name: 'add', willContinue: true },
      { partialArgs: [{ jsonPath: '$.a', numberValue: 12_345 }], willContinue: true },
      {
        partialArgs: [{ jsonPath: '$.list[0]', stringValue: 'one ', willContinue: true }],
        willContinue: true,
      },
      { partialArgs: [{ jsonPath: '$.list[0]', stringValue: 'two' }], willContinue: true },
      { partialArgs: [{ jsonPath: '$.list[1].b', boolValue: true }], willContinue: true },
      {},
    ]);
    expect((await callsOf()).at(-1)).toMatchObject({ willContinue: true });
  });

  it('sends one list of chunks without alt=sse', async () => {
    const llm = await opened(script().text('One two three.'));
    const answer = await fetch(`${llm.url}/v1beta/models/m:streamGenerateContent`, {
      method: 'POST',
      body: JSON.stringify({ contents: [{ parts: [{ text: 'Hi' }] }] }),
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    const chunks = (await answer.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[];
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ candidates: [one] }) => one?.content.parts[0]?.text).join('')).toBe(
      'One two three.',
    );
  });
});
