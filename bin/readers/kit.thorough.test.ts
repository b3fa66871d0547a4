/** Readers of the kit, of Koda, TOON and Fold; see readers.test-helper.ts. */
import { describe } from 'vitest';
import { SseParser } from '../../src/kit/base/index.ts';
import type { JsonObject } from '../../src/kit/base/index.ts';
import { ndjson, lineFraming } from '../../src/kit/testee/index.ts';
import {
  agentCodec,
  codecOf,
  parseDirective as parseFoldDirective,
  serverCodec,
} from '../../src/fold/index.ts';
import { decodeText, parseDirective as parseKodaDirective } from '../../src/koda/index.ts';
import {
  parseDirective as parseToonDirective,
  TOONDecoder,
  TOONEncoder,
  TOONStreamDecoder,
  toonTestee,
} from '../../src/toon/index.ts';
import { bytes, filled, holds, inChunks, parsed, size, values, worstJson } from './readers.test-helper.ts';

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
      'the manifest of a pack': (all) => codecOf('PackManifest').decode(all),
      'the answer of a pack': (all) => codecOf('ExecuteToolResponse').decode(all),
      'the call of an operator': (all) => codecOf('ClientSendMessageRequest').decode(all),
    },
    foldInputs,
  );
  holds<string>({ 'a directive': (text) => parseFoldDirective(text) }, worstJson);
});
