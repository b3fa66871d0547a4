// The codec of TOON (Task Orchestration Over Node) against what it is made of, against a plain encoder of its
// run-length code, and against MessagePack under the same header.
import { Packr } from 'msgpackr';

const status = { status: 'analyzing', progress: 0.45, file: 'src/user.ts' };
const twoKeys = { status: 'analyzing', progress: 0.45 };
const toolCall = {
  toolName: 'file_read',
  args: { path: 'src/services/user.ts', encoding: 'utf8', offset: 0, limit: 2000 },
  requestId: 'call-000017',
  reason: 'look at it',
};
const words =
  'the subagent reads a file and tells how far it is before it asks for more of what it needs'.split(' ');

/** Prose of so many characters, always the same, in which no byte comes four times in a row. */
function prose(length) {
  let text = '';
  for (let i = 7; text.length < length; i = (i * 48_271) % 2_147_483_647)
    text += `${words[i % words.length]} `;
  return text.slice(0, length);
}

/** What one writes first: one pass, byte by byte, writing as it goes. */
function plainEncode(bytes) {
  const out = Buffer.allocUnsafe(bytes.length * 3);
  let at = 0;
  for (let i = 0; i < bytes.length;) {
    const byte = bytes[i];
    let count = 1;
    while (count < 255 && i + count < bytes.length && bytes[i + count] === byte) count++;
    i += count;
    if (count >= 4 || byte === 0xff) {
      out[at++] = 0xff;
      out[at++] = byte;
      out[at++] = count;
    } else for (; count > 0; count--) out[at++] = byte;
  }
  return out.subarray(0, at);
}

/** Repeats something so often that it can be timed. */
const times = (n, run) => () => {
  for (let i = 0; i < n; i++) run(i);
};

const now = 1_700_000_000_000;

/** Encoding and decoding of one payload against JSON and a Buffer alone. */
function jsonRows({ TOONEncoder, TOONDecoder, row, pair }, name, type, payload) {
  const n = 200_000;
  const encoder = new TOONEncoder();
  const decoder = new TOONDecoder();
  const frames = Array.from({ length: 64 }, (_, i) =>
    Buffer.from(encoder.encode(type, payload, i, { timestamp: now + i * 1000 })),
  );
  const encode = (i) => encoder.encode(type, payload, i, { timestamp: now + i });
  const json = () => Buffer.from(JSON.stringify(payload));
  row(
    `TOON encode, ${name}`,
    'Buffer.from(JSON.stringify)',
    '≥ 0.8',
    pair(times(n, encode), times(n, json), n),
    'messages',
  );
  // The fastest way to read UTF-8; the types of Node.js do not have it.
  const utf8Slice = (/** @type {any} */ frame) => frame.utf8Slice(18, frame.length);
  const parse = (i) => JSON.parse(utf8Slice(frames[i & 63]));
  row(
    `TOON decode, ${name}`,
    'JSON.parse(utf8Slice)',
    '≥ 0.8',
    pair(
      times(n, (i) => decoder.decode(frames[i & 63])),
      times(n, parse),
      n,
    ),
    'messages',
  );
}

/** The same against MessagePack behind the same 18 bytes. */
function msgpackRows({ TOONEncoder, TOONDecoder, row, pair }, name, n, type, payload) {
  const encoder = new TOONEncoder();
  const decoder = new TOONDecoder();
  const packr = new Packr({ useRecords: false });
  const header = (frame, length, i) => {
    frame[0] = 1;
    frame[1] = type;
    frame.writeUInt32LE(length, 2);
    frame.writeUInt32LE((now + i) >>> 0, 6);
    frame.writeUInt32LE(Math.floor((now + i) / 2 ** 32), 10);
    frame.writeUInt32LE(i, 14);
  };
  const pack = (i) => {
    const body = packr.pack(payload);
    const frame = Buffer.allocUnsafe(18 + body.length);
    header(frame, body.length, i);
    frame.set(body, 18);
    return frame;
  };
  const unpack = (frame) => ({
    type: frame[1],
    timestamp: frame.readUInt32LE(10) * 2 ** 32 + frame.readUInt32LE(6),
    sequenceId: frame.readUInt32LE(14),
    payload: packr.unpack(frame.subarray(18, 18 + frame.readUInt32LE(2))),
  });
  const encode = (i) => encoder.encode(type, payload, i, { timestamp: now + i });
  const [ours, theirs] = [Buffer.from(encode(1)), pack(1)];
  const peer = 'msgpackr + the header';
  row(`TOON encode, ${name}`, peer, '≥ 1', pair(times(n, encode), times(n, pack), n), 'messages');
  row(
    `TOON decode, ${name}`,
    peer,
    '≥ 1',
    pair(
      times(n, () => decoder.decode(ours)),
      times(n, () => unpack(theirs)),
      n,
    ),
    'messages',
  );
}

/** What trying to compress costs where nothing can be gained. */
function incompressibleRow({ TOONEncoder, row, pair }, type) {
  const encoder = new TOONEncoder({ now: () => now });
  const payload = { success: true, data: prose(65_536) };
  const n = 500;
  const { ratio, rate } = pair(
    times(n, (i) => encoder.encode(type, payload, i)),
    times(n, (i) => encoder.encode(type, payload, i, { compress: false })),
    n,
  );
  row(
    'TOON encode, 64 KiB that do not compress: cost',
    'the same, uncompressed',
    '≤ 1.3',
    { ratio: 1 / ratio, rate },
    'messages',
  );
}

function runLengthRows({ runLengthEncode, runLengthDecode, row, pair }) {
  const mb = (bytes, n) => (n * bytes.length) / 1e6;
  const text = Buffer.from(prose(65_536));
  const run = Buffer.alloc(65_536, 'x');
  for (const { name, bytes, aim, n } of [
    { name: 'text', bytes: text, aim: '≥ 1.5', n: 200 },
    { name: 'runs', bytes: run, aim: '≥ 0.9', n: 500 },
  ]) {
    const ours = times(n, () => runLengthEncode(bytes));
    const theirs = times(n, () => plainEncode(bytes));
    row(`TOON run-length encode, ${name}`, 'plain byte loop', aim, pair(ours, theirs, mb(bytes, n)), 'MB');
  }
  const expanded = Buffer.alloc(262_144, 'x');
  const coded = runLengthEncode(expanded);
  const into = Buffer.alloc(expanded.length);
  const n = 800;
  row(
    'TOON run-length decode, 256 KiB of runs',
    'Buffer.copy of 256 KiB',
    '≥ 0.1',
    pair(
      times(n, () => runLengthDecode(coded, { maxExpanded: expanded.length })),
      times(n, () => expanded.copy(into)),
      mb(expanded, n),
    ),
    'MB',
  );
}

/** All rows of TOON. `row` and `pair` are as the bench has them. */
export async function toonRows({ row, pair }) {
  const { TOONEncoder } = await import('../../dist/src/toon/frame/encoder.js');
  const { TOONDecoder } = await import('../../dist/src/toon/frame/decoder.js');
  const { MessageType } = await import('../../dist/src/toon/messages.js');
  const { runLengthEncode, runLengthDecode } = await import('../../dist/src/toon/frame/rle.js');
  const with_ = { TOONEncoder, TOONDecoder, runLengthEncode, runLengthDecode, row, pair };
  jsonRows(with_, "the document's STATUS, 38 bytes", MessageType.STATUS, twoKeys);
  jsonRows(with_, 'a STATUS of 59 bytes', MessageType.STATUS, status);
  jsonRows(with_, 'a TOOL_CALL of 153 bytes', MessageType.TOOL_CALL, toolCall);
  incompressibleRow(with_, MessageType.TOOL_RESULT);
  runLengthRows(with_);
  msgpackRows(with_, 'a STATUS of 59 bytes', 200_000, MessageType.STATUS, status);
  msgpackRows(with_, '1 KiB of text', 100_000, MessageType.INSTRUCTION, { instruction: prose(1000) });
}
