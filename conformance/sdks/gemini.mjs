/**
 * Google's SDK as a testee: `generateContentStream()` and a plain loop. The parts of an answer go back as they came, so with
 * their signatures.
 * Usage: node gemini.mjs
 */
import { GoogleGenAI } from '@google/genai';
import { testee } from './testee.mjs';

const stopReasons = {
  STOP: 'end_turn',
  MAX_TOKENS: 'max_tokens',
  SAFETY: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
};

async function loop(ask, turn) {
  const { models } = new GoogleGenAI({ apiKey: 'wireproof', httpOptions: { baseUrl: ask.base_url } });
  const functionDeclarations = ask.tools.map(({ name, description, input_schema: parametersJsonSchema }) => ({
    name,
    description,
    parametersJsonSchema,
  }));
  const config = {
    abortSignal: turn.deadline,
    tools: [{ functionDeclarations }],
    ...(ask.system && { systemInstruction: ask.system }),
    ...(ask.max_tokens && { maxOutputTokens: ask.max_tokens }),
  };
  const contents = [{ role: 'user', parts: [{ text: ask.prompt }] }];
  for (let round = 0; round < ask.max_rounds; round++) {
    const parts = [];
    let stop;
    let usage;
    for await (const chunk of await models.generateContentStream({ model: ask.model, contents, config })) {
      turn.event();
      const [candidate] = chunk.candidates ?? [];
      for (const part of candidate?.content?.parts ?? []) {
        if (part.text && !part.thought) turn.text(part.text);
        if (part.text !== '' || part.thoughtSignature) parts.push(part);
      }
      stop = candidate?.finishReason ?? chunk.promptFeedback?.blockReason ?? stop;
      usage = chunk.usageMetadata ?? usage;
    }
    if (stop === undefined) throw new Error('the stream ended without a finishReason');
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    const reason = stop === 'STOP' && calls.length > 0 ? 'tool_use' : (stopReasons[stop] ?? 'unknown');
    const counts = usage && {
      input_tokens: usage.promptTokenCount ?? 0,
      output_tokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
    };
    turn.stopped(reason, counts);
    const results = calls.map(({ id, name, args = {} }) => {
      const call = { id, name, input: args };
      turn.called(call);
      if (reason !== 'tool_use') return undefined;
      return { functionResponse: { ...(id && { id }), name, response: { output: turn.execute(call) } } };
    });
    if (reason !== 'tool_use') return;
    contents.push({ role: 'model', parts }, { role: 'user', parts: results });
  }
}

testee({ sdk: '@google/genai', dialect: 'gemini', turn: loop });
