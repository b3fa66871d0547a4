/**
 * The spec room of TOON (Task Orchestration Over Node) against its source document: requirements that load, a byte
 * layout as the document's tables have it, payload schemas that take its examples, and hand-written sessions in form.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { sessionsOf } from '../../conformance/sessions.test-helper.ts';
import { isObject } from '../kit/base/index.ts';
import { packageRoot, readRequirements } from '../kit/spec/index.ts';
import { MessageType, messageNames, senders } from './messages.ts';

const room = join(packageRoot(), 'spec', 'toon');
const json = (file: string): unknown => JSON.parse(readFileSync(join(room, file), 'utf8'));

describe('the requirements of TOON', () => {
  const { protocol, requirements } = readRequirements('toon');

  it('are TOON-01 to TOON-56, in order', () => {
    expect(protocol).toBe('toon');
    const ids = Array.from({ length: 56 }, (_, i) => `TOON-${String(i + 1).padStart(2, '0')}`);
    expect(requirements.map(({ id }) => id)).toEqual(ids);
  });

  it('are owed by codecs, subagents and orchestrators', () => {
    const owed = (role: string): number => requirements.filter(({ roles }) => roles.includes(role)).length;
    expect([...new Set(requirements.flatMap(({ roles }) => roles))]).toEqual([
      'codec',
      'subagent',
      'orchestrator',
    ]);
    expect({ codec: owed('codec'), subagent: owed('subagent'), orchestrator: owed('orchestrator') }).toEqual({
      codec: 40,
      subagent: 33,
      orchestrator: 32,
    });
  });

  it('name features of the closed list, and say why what no rule can judge is left out', () => {
    const features = new Set(requirements.flatMap(({ feature }) => feature ?? []));
    expect([...features].toSorted()).toEqual(['compression', 'context', 'tools']);
    expect(requirements.filter(({ excluded }) => excluded !== undefined).map(({ id }) => id)).toEqual([
      'TOON-33',
    ]);
  });

  it('cite a decision only where the README has one of that number', () => {
    const readme = readFileSync(join(room, 'README.md'), 'utf8').split('## Decisions')[1] ?? '';
    const cited = requirements.flatMap(({ source: { document, section } }) => {
      const where = `${document}, ${section}`;
      return where.includes('decisions') ? [/decisions, (\d+\. [A-Z][a-z ]+)/.exec(where)?.[1] ?? where] : [];
    });
    expect(cited.length).toBeGreaterThan(15);
    const missing = cited.filter((decision) => {
      const [number = '', title = ''] = decision.split('. ');
      return !readme.includes(`\n${number}. **${title}`);
    });
    expect(missing).toEqual([]);
  });
});

/** TOON Protocol Specification, "Header Fields": offset, size, type, field. */
const headerTable = [
  [0, 1, 'uint8', 'version'],
  [1, 1, 'uint8', 'type'],
  [2, 4, 'uint32', 'payloadLength'],
  [6, 8, 'uint64', 'timestamp'],
  [14, 4, 'uint32', 'sequenceId'],
];

/** TOON Protocol Specification, "Message Types": value, name, who sends it. */
const typeTable = [
  [0x01, 'INSTRUCTION', ['orchestrator']],
  [0x02, 'TOOL_CALL', ['subagent']],
  [0x03, 'TOOL_RESULT', ['orchestrator']],
  [0x04, 'STATUS', ['subagent']],
  [0x05, 'ERROR', ['orchestrator', 'subagent']],
  [0x06, 'HEARTBEAT', ['orchestrator', 'subagent']],
  [0x07, 'CONTEXT_REQUEST', ['subagent']],
  [0x08, 'CONTEXT_RESPONSE', ['orchestrator']],
];

interface Layout {
  readonly header: {
    readonly size: number;
    readonly byteOrder: string;
    readonly fields: readonly {
      readonly name: string;
      readonly offset: number;
      readonly size: number;
      readonly type: string;
      readonly range: readonly [number, number | string];
    }[];
  };
  readonly types: readonly {
    readonly value: number;
    readonly name: string;
    readonly senders: readonly string[];
  }[];
  readonly compression: {
    readonly magic: number;
    readonly escape: number;
    readonly threshold: number;
    readonly minRun: number;
    readonly maxCount: number;
    readonly runs: readonly { readonly byte: string; readonly length: number; readonly rle: string }[];
  };
}

describe('the byte layout', () => {
  const layout = json('layout.json') as Layout;

  it('has the fields of the header table, packed, little-endian, 18 bytes', () => {
    const { size, byteOrder, fields } = layout.header;
    expect(fields.map((field) => [field.offset, field.size, field.type, field.name])).toEqual(headerTable);
    expect([size, byteOrder]).toEqual([18, 'little']);
    const ends = fields.map((field) => field.offset + field.size);
    expect(ends).toEqual([...fields.slice(1).map((field) => field.offset), size]);
  });

  it('has ranges that fill their fields, but for the version and the types', () => {
    const whole = layout.header.fields.slice(2);
    for (const { size, range } of whole) expect(BigInt(range[1])).toBe(2n ** BigInt(8 * size) - 1n);
    expect(layout.header.fields.slice(0, 2).map(({ range }) => range)).toEqual([
      [1, 1],
      [1, 8],
    ]);
  });

  it('has the types of the type table and who sends them, and so has the code', () => {
    expect(layout.types.map((type) => [type.value, type.name, type.senders])).toEqual(typeTable);
    expect(messageNames.map((name) => [MessageType[name], name, senders[name]])).toEqual(typeTable);
  });

  it('has the constants and the examples of the compression', () => {
    // "Compression": magic 0x5A, escape 0xFF, more than 1,024 bytes, runs of 4 and more; the count is one byte.
    const { magic, escape, threshold, minRun, maxCount, runs } = layout.compression;
    expect({ magic, escape, threshold, minRun, maxCount }).toEqual({
      magic: 0x5a,
      escape: 0xff,
      threshold: 1024,
      minRun: 4,
      maxCount: 255,
    });
    for (const { byte, length, rle } of runs) expect(expand(rle)).toBe(byte.repeat(length));
  });

  /** "Decompression", on hex: 0xFF, byte, count stands for count bytes, anything else for itself. */
  function expand(rle: string): string {
    return rle.replace(/ff(..)(..)|(..)/g, (_, byte: string, count: string, plain?: string) =>
      plain === undefined ? byte.repeat(Number.parseInt(count, 16)) : plain,
    );
  }
});

const schema = json('payloads.schema.json');
if (!isObject(schema)) throw new Error('the schema of the payloads is no object');
const ajv = new Ajv({ strict: true, strictTypes: true }).addSchema(schema, 'payloads');
const takes = (name: string, payload: unknown): boolean =>
  ajv.validate(`payloads#/definitions/${name}`, payload);

describe('the payload schemas', () => {
  it('are one for each type', () => {
    expect(Object.keys(schema['definitions'] as object)).toEqual(messageNames);
  });

  it.each([
    // The examples of "Payload Format".
    ['INSTRUCTION', { instruction: 'Write unit tests for the UserService class' }],
    ['TOOL_CALL', { toolName: 'file_read', args: { path: 'src/services/user.ts' } }],
    ['TOOL_RESULT', { success: true, data: 'export class UserService { ... }', duration: 12 }],
    ['STATUS', { status: 'analyzing', progress: 0.45 }],
    ['ERROR', { code: 'TOOL_FAILED', message: 'File not found: src/missing.ts' }],
    ['HEARTBEAT', {}],
    ['CONTEXT_REQUEST', { type: 'file', path: 'src/config.ts' }],
    ['CONTEXT_RESPONSE', { type: 'file', path: 'src/config.ts' }],
    // The least that TOON-35 requires, and keys that nobody knows (TOON-37).
    ['INSTRUCTION', { instruction: '', priority: 'high' }],
    ['TOOL_CALL', { toolName: '', args: {}, requestId: 'r1' }],
    ['TOOL_RESULT', { success: false }],
    ['STATUS', { status: 'completed', eta: null }],
    ['ERROR', { message: '' }],
    ['HEARTBEAT', { load: 0.5 }],
    ['CONTEXT_REQUEST', {}],
    ['CONTEXT_RESPONSE', { content: [] }],
  ])('take %s %j', (name, payload) => {
    expect(takes(name, payload)).toBe(true);
  });

  it.each([
    // Near misses of TOON-35.
    ['INSTRUCTION', {}],
    ['INSTRUCTION', { task: 'a' }],
    ['INSTRUCTION', { instruction: null }],
    ['INSTRUCTION', { instruction: ['a'] }],
    ['TOOL_CALL', { toolName: 'a' }],
    ['TOOL_CALL', { args: {} }],
    ['TOOL_CALL', { toolName: 'a', args: [] }],
    ['TOOL_CALL', { toolName: 'a', args: '{}' }],
    ['TOOL_CALL', { toolName: 1, args: {} }],
    ['TOOL_RESULT', { data: 'a', duration: 12 }],
    ['TOOL_RESULT', { success: 'true' }],
    ['TOOL_RESULT', { success: 1 }],
    ['STATUS', { progress: 0.45 }],
    ['STATUS', { status: 4 }],
    ['ERROR', { code: 'TOOL_FAILED' }],
    ['ERROR', { message: { text: 'a' } }],
    // Payloads that are no objects (TOON-13), and optional keys of another type than the document shows.
    ['HEARTBEAT', []],
    ['CONTEXT_REQUEST', 'src/config.ts'],
    ['STATUS', { status: 'a', progress: '45%' }],
    ['TOOL_RESULT', { success: true, duration: '12 ms' }],
    ['ERROR', { code: 7, message: 'a' }],
  ])('refuse %s %j', (name, payload) => {
    expect(takes(name, payload)).toBe(false);
  });
});

describe('the hand-written sessions', () => {
  const { revision, requirements } = readRequirements('toon');
  const sessions = [...sessionsOf('toon').values()].flat().filter(({ name }) => !name.includes(' '));
  const names = sessions.map(({ name }) => name);
  const form = /^(TOON-\d{2,3})\.(codec|subagent|orchestrator)\.(good|bad|good-[2-9]|bad-[2-9])\.jsonl$/;

  it('are a good and a bad one for every MUST of every role, and none of rows that the role does not owe', () => {
    const owed = (id: string, role: string): boolean =>
      requirements.some((row) => row.id === id && row.roles.includes(role));
    const strange = names.filter((name) => {
      const [, id = '', role = ''] = form.exec(name) ?? [];
      return !owed(id, role);
    });
    expect(strange).toEqual([]);
    const musts = requirements.filter(({ level }) => level === 'MUST');
    const wanted = musts.flatMap(({ id, roles }) =>
      roles.flatMap((role) => [`${id}.${role}.good.jsonl`, `${id}.${role}.bad.jsonl`]),
    );
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(sessions)('$name is a trace that cites its clause', ({ name, header, events }) => {
    const [, id = '', role = ''] = form.exec(name) ?? [];
    const source = requirements.find((row) => row.id === id)?.source;
    expect(header.suite).toBe(`toon/${role}`);
    expect(header.revision).toBe(revision);
    expect(header.note).toContain(`${source?.document}, ${source?.section}. `);
    expect(events[0]?.data).toHaveProperty('run.timeouts');
    expect(events.at(-1)?.data).toEqual({ end: true });
  });

  const live = sessions.filter(({ name }) => !name.includes('.codec.'));

  it.each(live)('$name has messages as a decoder gives them', ({ events }) => {
    for (const { kind, data, from, note } of events) {
      if (kind !== 'message') continue;
      const { type, payload, payloadLength, expandedLength } = data;
      const length = Buffer.byteLength(JSON.stringify(payload));
      const marks = note?.startsWith('bom') === true ? 3 : 0;
      expect(expandedLength ?? payloadLength, `${from} ${String(type)}`).toBe(length + marks);
      // What is not as the schema has it comes as undecodable, but for what TOON-13 forbids and a decoder may take.
      expect(takes(String(type), payload)).toBe(note?.startsWith('not-object') !== true);
    }
  });
});
