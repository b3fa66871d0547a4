/**
 * Synchronous work has a budget in time: a timer of 50 ms is late by less than 250 ms, whatever foreign bytes are read. Each
 * reader gets its worst inputs of 1 MB.
 */
import { describe, expect, it } from 'vitest';
import { SseParser } from '../src/kit/base/index.ts';
import type { JsonObject } from '../src/kit/base/index.ts';
import { ndjson, lineFraming } from '../src/kit/testee/index.ts';
import { agentCodec, parseDirective as parseFoldDirective, serverCodec } from '../src/fold/index.ts';
import { decodeText, parseDirective as parseKodaDirective } from '../src/koda/index.ts';
import { dialectOf } from '../src/llm/index.ts';
import { parseSep, Runner, scriptedProviders, sepTestee } from '../src/sep/index.ts';
import { parseManifest } from '../src/sep/edge/index.ts';
import { tokensTestee } from '../src/tokens/index.ts';
import {
  parseDirective as parseToonDirective,
  TOONDecoder,
  TOONEncoder,
  TOONStreamDecoder,
  toonTestee,
} from '../src/toon/index.ts';
import { VirtualClock } from '../src/kit/world/index.ts';
import { filled, lateness, manyKeys, mostLate, size, worstJson } from './readers.test-helper.ts';

/** Gives bytes as sockets and pipes do: the event loop turns between two chunks. */
async function inChunks(all: Uint8Array, take: (chunk: Uint8Array) => unknown): Promise<void> {
  for (let at = 0; at < all.length; at += 65_536) {
    take(all.subarray(at, at + 65_536));
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

/** What a reader does with an input. */
type Read<Input> = (input: Input) => unknown;

/** Holds each reader to the budget, for each input. */
function holds<Input>(
  readers: { readonly [reader: string]: Read<Input> },
  inputs: { readonly [input: string]: Input },
): void {
  describe.each(Object.entries(readers))('%s', (reader, read) => {
    it.each(Object.entries(inputs))('%s', async (input, value) => {
      const late = await lateness(() => read(value));
      console.log(`${reader}: ${input}: ${Math.round(late)} ms late`);
      expect(late).toBeLessThan(mostLate);
    });
  });
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const parsed = (text: string): unknown => JSON.parse(text);

/** The values that are JSON, not too deep. */
const values = Object.fromEntries(
  Object.entries(worstJson).filter(([, text]) => {
    try {
      parsed(text);
      return !text.startsWith('[[[[') || text.length < size;
    } catch {
      return false;
    }
  }),
);

describe('kit', () => {
  holds<string>(
    {
      'a line of a testee': (text) => ndjson.decode(bytes(text)),
      'server-sent events': (text) => {
        const parser = new SseParser(8 << 20);
        return inChunks(bytes(text), (chunk) => parser.push(chunk));
      },
    },
    { ...worstJson },
  );
  holds<string>(
    {
      'lines of a testee': (text) => {
        const framer = lineFraming();
        return inChunks(bytes(text), (chunk) => framer.push(chunk));
      },
    },
    { 'line breaks': filled('\n'), 'short lines': filled('a\n') },
  );
});

const kodaCall = (args: string): string =>
  `{"type":"tool_call_start","id":"a","name":"Write","args":${args},"preview":null,"is_sub_agent":false}`;

describe('Koda', () => {
  holds<string>(
    {
      'an event': (text) => decodeText('event', text),
      'the arguments of a call': (text) => decodeText('event', kodaCall(text)),
      'a command': (text) => decodeText('command', text),
      'the images of a prompt': (text) =>
        decodeText('command', `{"type":"user_prompt","text":"a","images":${text}}`),
      'a directive': (text) => parseKodaDirective(text),
    },
    worstJson,
  );
});

/** A frame of TOON: type 1 is INSTRUCTION. */
function toonFrame(payload: Uint8Array): Uint8Array {
  const head = Buffer.alloc(18);
  head[0] = 1;
  head[1] = 1;
  head.writeUInt32LE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

describe('TOON', () => {
  holds<string>(
    {
      'a frame': (text) => new TOONDecoder().decode(toonFrame(bytes(`{"instruction":${text}}`))),
      'a frame in pieces': (text) => {
        const decoder = new TOONStreamDecoder();
        const frame = toonFrame(bytes(`{"instruction":${text}}`));
        for (let at = 0; at < frame.length; at += 100) decoder.push(frame.subarray(at, at + 100));
      },
      'a directive': (text) => parseToonDirective(text),
      'the testee': (text) =>
        toonTestee({ id: 1, op: 'toon.decode', wire: Buffer.from(toonFrame(bytes(text))).toString('hex') }),
    },
    worstJson,
  );
  holds<string>(
    {
      'a payload that is written': (text) =>
        new TOONEncoder().encode(1, parsed(`{"instruction":${text}}`) as JsonObject, 0),
    },
    values,
  );
  holds<Uint8Array>(
    {
      'bytes of a stream': (all) => {
        const decoder = new TOONStreamDecoder();
        return inChunks(all, (chunk) => [...decoder.push(chunk)]);
      },
      'a compressed payload': (all) =>
        new TOONDecoder().decode(toonFrame(Buffer.concat([Buffer.of(0x5a), all]))),
    },
    {
      zeros: new Uint8Array(size),
      ones: new Uint8Array(size).fill(1),
      escapes: new Uint8Array(size).fill(0xff),
      'short runs': Buffer.from(filled('ff0120', '', '', 2 * size), 'hex'),
      'long runs': Buffer.from(filled('ffff20', '', '', 2 * size), 'hex'),
      'empty frames': Buffer.concat(Array.from({ length: size / 18 }, () => toonFrame(new Uint8Array()))),
      'small frames': Buffer.concat(
        Array.from({ length: size / 36 }, () => toonFrame(bytes('{"instruction":"a"}'))),
      ),
    },
  );
});

/** A field of protobuf with a length. */
function field(number: number, content: Uint8Array): Uint8Array {
  const length: number[] = [];
  let left = content.length;
  do {
    length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    left >>>= 7;
  } while (left > 0);
  return Buffer.concat([Buffer.of((number << 3) | 2, ...length), content]);
}

const foldInputs: { readonly [kind: string]: Uint8Array } = {
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 8, 12].flatMap((outer) => [
      [`a long text in ${outer}`, field(outer, field(3, bytes(filled('x'))))],
      [
        `many texts in ${outer}`,
        field(outer, Buffer.concat(Array.from({ length: size / 3 }, () => field(3, bytes('a'))))),
      ],
      [
        `many empty parts in ${outer}`,
        field(outer, Buffer.concat(Array.from({ length: size / 2 }, () => field(4, bytes(''))))),
      ],
      [
        `part ${outer} again and again`,
        Buffer.concat(Array.from({ length: size / 2 }, () => field(outer, bytes('')))),
      ],
    ]),
  ),
  zeros: new Uint8Array(size),
  'unknown numbers': Buffer.from(filled('f80101', '', '', 2 * size), 'hex'),
  'groups in groups': new Uint8Array(size).fill(0x0b),
  'lengths in lengths': new Uint8Array(size).fill(0x7a),
  'bytes that are all set': new Uint8Array(size).fill(0xff),
};

describe('Fold', () => {
  holds<Uint8Array>(
    {
      'a message of an agent': (all) => agentCodec.decode(all),
      'a message of a server': (all) => serverCodec.decode(all),
    },
    foldInputs,
  );
  holds<string>({ 'a directive': (text) => parseFoldDirective(text) }, worstJson);
});

const sepInputs: { readonly [kind: string]: string } = {
  'signs of less': filled('<'),
  'begins of tags': filled('<a '),
  'begins of actions': filled('<action '),
  'an action with a long tag': filled('a="b" ', '<action '),
  'ends of tags': filled('</action>'),
  thoughts: filled('<thought>'),
  'thoughts that end': filled('<thought></thought>'),
  comments: filled('<!--'),
  'ends of comments': filled('-', '<!--'),
  responses: filled('<response final="false">a</response>'),
  conditions: filled('<if test="a">'),
  loops: filled('<foreach in="$a">'),
  'closed loops': filled('<foreach in="$a"></foreach>'),
  groups: filled('<parallel><action type="tool" mode="sync" id="a">{"name":"n"}</action></parallel>'),
  templates: Array.from(
    { length: 12_000 },
    (_, n) => `<template name="t${n}">{"type":"tool","name":"n"}</template>`,
  ).join(''),
  actions: Array.from(
    { length: 15_000 },
    (_, n) => `<action type="tool" mode="async" id="a${n}">{"name":"n"}</action>`,
  ).join(''),
  'actions in a row': Array.from(
    { length: 11_000 },
    (_, n) => `<action type="tool" mode="async" id="a${n}" depends_on="a${n - 1}">{"name":"n"}</action>`,
  ).join(''),
  'an action with many dependencies': `<action type="tool" mode="async" id="b">{"name":"n","depends_on":[${filled('"a",')}"a"]}</action>`,
  'actions with one id': filled('<action type="tool" mode="async" id="a">{"name":"n"}</action>'),
  'names of actions': `<response>${filled('$a ')}</response>`,
  'names in parameters': `<action type="tool" mode="async" id="a">{"name":"n"}</action><action type="tool" mode="async" id="b">{"name":"n","parameters":{"t":"${filled('$a ')}"}}</action>`,
  'a body of braces': filled('{', '<action type="tool" mode="async" id="a">'),
  'a body of quotes': filled('"', '<action type="tool" mode="async" id="a">{'),
  'a body of begins of ends': filled('</', '<action type="tool" mode="async" id="a">'),
  'a feed': filled('<context_feed id="a">b'),
  ...Object.fromEntries(
    Object.entries(worstJson).map(([kind, text]) => [
      `parameters: ${kind}`,
      `<action type="tool" mode="async" id="a">{"name":"n","parameters":{"p":${text}}}</action>`,
    ]),
  ),
};

const allExtensions = Object.fromEntries(
  ['conditions', 'loops', 'groups', 'templates', 'rollback', 'sub_thoughts', 'partial_results'].map(
    (name) => [name, true],
  ),
);

describe('SEP', () => {
  holds<string>(
    {
      'the parser': (text) => parseSep(text),
      'the parser with extensions': (text) => parseSep(text, { extensions: allExtensions }),
      'the executor': (text) => run(text, false),
      'the executor with extensions': (text) => run(text, true),
      'the testee': (text) => sepTestee({ id: 1, op: 'sep.parse', chunks: [text] }),
    },
    sepInputs,
  );
  // Files that a person names are only linear: theirs are smaller.
  holds<string>(
    { 'a manifest': (text) => parseManifest(text) },
    {
      'unknown keys': manyKeys((n) => `k${n}`, '1', 30_000),
      feeds: `context_feeds:\n${filled('  - {id: a, type: on_demand, source: {type: tool, name: n}}\n', '', '', 60_000)}`,
      brackets: filled(']', '', '', 10_000),
    },
  );
});

/** Runs an output on a clock of the test, in pieces of 64 KiB as stdin gives them. */
async function run(text: string, extended: boolean): Promise<void> {
  const clock = new VirtualClock();
  const runner = new Runner({
    clock,
    providers: scriptedProviders({}, () => ({ output: 1 })),
    onEvent: () => {},
    ...(extended ? { extensions: allExtensions } : {}),
  });
  runner.begin();
  for (let at = 0; at < text.length; at += 65_536) {
    runner.write(text.slice(at, at + 65_536));
    await new Promise((resolve) => void setImmediate(resolve));
  }
  runner.endOutput();
}

const dialectInputs: { readonly [kind: string]: string } = {
  ...values,
  messages: `{"model":"m","max_tokens":9,"stream":true,"messages":${filled('{"role":"user","content":"a"},', '[', '{"role":"user","content":"a"}]')}}`,
  blocks: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":${filled('{"type":"text","text":"a"},', '[', '{"type":"text","text":"a"}]')}}]}`,
  tools: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}],"tools":[${Array.from({ length: 8000 }, (_, n) => `{"type":"function","name":"t${n}","description":"d","input_schema":{"type":"object"},"function":{"name":"t${n}","parameters":{}}}`).join(',')}]}`,
  calls: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[${Array.from({ length: 9000 }, (_, n) => `{"type":"tool_use","id":"c${n}","name":"n","input":{}}`).join(',')}]},{"role":"user","content":[${Array.from({ length: 9000 }, (_, n) => `{"type":"tool_result","tool_use_id":"c${n}","content":"a"}`).join(',')}]}]}`,
  'calls of OpenAI': `{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[${Array.from({ length: 6000 }, (_, n) => `{"type":"function","id":"c${n}","function":{"name":"n","arguments":"{}"}}`).join(',')}]},${Array.from({ length: 6000 }, (_, n) => `{"role":"tool","tool_call_id":"c${n}","content":"a"}`).join(',')}]}`,
  'items of OpenAI': `{"model":"m","input":[${Array.from({ length: 9000 }, (_, n) => `{"type":"function_call","call_id":"c${n}","name":"n","arguments":"{}"},{"type":"function_call_output","call_id":"c${n}","output":"a"}`).join(',')}]}`,
};

/** Bodies of streamed answers. */
const answerInputs: { readonly [kind: string]: string } = {
  'line breaks': filled('\n'),
  'carriage returns': filled('\r'),
  'empty data': filled('data:\n\n'),
  'small data': filled('data: {}\n\n'),
  'data of one event': filled('data: a\n'),
  'lines of objects': filled('{}\n'),
  'one line': filled('x'),
  'one event': filled('x', 'data: '),
  fields: filled('a:b\n'),
  'chunks of OpenAI': filled('data: {"id":"a","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'),
  'calls of OpenAI': Array.from(
    { length: 8000 },
    (_, n) =>
      `data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":${n},"id":"c${n}","function":{"name":"n","arguments":"{"}}]}}]}\n\n`,
  ).join(''),
  'arguments of OpenAI': filled(
    'data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}\n\n',
  ),
  'deltas of Anthropic':
    'event: message_start\ndata: {"type":"message_start","message":{"id":"a","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"n","input":{}}}\n\n' +
    filled(
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}\n\n',
    ),
  'blocks of Anthropic':
    'event: message_start\ndata: {"type":"message_start","message":{"id":"a","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n' +
    Array.from(
      { length: 7000 },
      (_, n) =>
        `event: content_block_start\ndata: {"type":"content_block_start","index":${n},"content_block":{"type":"text","text":""}}\n\n`,
    ).join(''),
  'deltas of Responses': filled(
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"a","output_index":0,"content_index":0,"delta":"a"}\n\n',
  ),
  'items of Responses': Array.from(
    { length: 7000 },
    (_, n) =>
      `event: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":${n},"item":{"type":"function_call","id":"f${n}","call_id":"c${n}","name":"n","arguments":""}}\n\n`,
  ).join(''),
  'lines of Ollama': filled('{"model":"m","message":{"role":"assistant","content":"a"},"done":false}\n'),
  'calls of Ollama': filled(
    '{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"n","arguments":{}}}]},"done":false}\n',
  ),
  ...Object.fromEntries(
    Object.entries(worstJson).map(([kind, text]) => [`data: ${kind}`, `data: ${text}\n\n`]),
  ),
};

describe('LLM', () => {
  for (const [name, dialect] of Object.entries(dialectOf)) {
    holds<string>(
      { [`a request to ${name}`]: (text) => dialect.readRequest(JSON.parse(text), {}, dialect.paths[0]) },
      dialectInputs,
    );
    holds<string>(
      {
        [`an answer of ${name}`]: async (text) => {
          const decoder = dialect.decoder();
          await inChunks(bytes(text), (chunk) => decoder.push(chunk));
          decoder.end('clean');
        },
        [`a whole answer of ${name}`]: (text) => dialect.readWhole(200, {}, bytes(text)),
      },
      answerInputs,
    );
  }
});

const tokensMessages: { readonly [kind: string]: JsonObject[] } = {
  'one long text': [{ role: 'user', content: filled('x') }],
  'one text of blanks': [{ role: 'user', content: filled(' ') }],
  'one text of lines': [{ role: 'user', content: filled('a\n') }],
  'many messages': Array.from({ length: 25_000 }, () => ({ role: 'user', content: 'a' })),
  'many calls': [
    {
      role: 'assistant',
      content: '',
      toolCalls: Array.from({ length: 20_000 }, (_, n) => ({ id: `c${n}`, name: 'n', input: {} })),
    },
  ],
  'many results': Array.from({ length: 10_000 }, (_, n) => [
    { role: 'assistant', content: '', toolCalls: [{ id: `c${n}`, name: 'n', input: {} }] },
    { role: 'tool', toolCallId: `c${n}`, content: 'a' },
  ]).flat(),
  'calls of one id': Array.from({ length: 15_000 }, () => ({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c', name: 'n', input: {} }],
  })),
};

describe('tokens', () => {
  holds<JsonObject[]>(
    {
      estimate: (messages) => tokensTestee({ id: 1, op: 'tokens.estimate', messages }),
      prune: (messages) =>
        tokensTestee({ id: 1, op: 'tokens.prune', messages, options: { maxTokens: 1000 } }),
      summarize: (messages) => tokensTestee({ id: 1, op: 'tokens.summarize', messages }),
    },
    tokensMessages,
  );
  holds<string>(
    {
      'a response': (text) =>
        tokensTestee({
          id: 1,
          op: 'tokens.handle_response',
          response: {
            content: 'a',
            stopReason: 'tool_use',
            toolCalls: [{ id: 'a', name: 'n', input: { a: JSON.parse(text) } }],
            metadata: {},
          },
          tools: [{ name: 'n', parameters: { type: 'object' } }],
        }),
    },
    values,
  );
});
