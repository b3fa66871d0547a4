/** What payloads must hold (TOON-35), by examples of the document and against spec/toon/payloads.schema.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../kit/spec/index.ts';
import { payloadOf } from '../arbitrary.ts';
import { messageNames } from '../messages.ts';
import type { MessageName } from '../messages.ts';
import { checkPayload, checkObjectPayload } from './payload.ts';

describe('a payload', () => {
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
  ] as const)('as the document has it is fine: %s %j', (name, payload) => {
    expect(checkPayload(name, payload)).toBeUndefined();
  });

  it.each([
    ['INSTRUCTION', {}, 'instruction'],
    ['INSTRUCTION', { instruction: 7 }, 'instruction'],
    ['TOOL_CALL', { args: {} }, 'toolName'],
    ['TOOL_CALL', { toolName: 'x' }, 'args'],
    ['TOOL_CALL', { toolName: 'x', args: null }, 'args'],
    ['TOOL_CALL', { toolName: 'x', args: [] }, 'args'],
    ['TOOL_RESULT', { data: 'x' }, 'success'],
    ['TOOL_RESULT', { success: 1 }, 'success'],
    ['STATUS', { progress: 1 }, 'status'],
    ['ERROR', { code: 'X' }, 'message'],
  ] as const)(
    'without a field that its type requires is refused by its name: %s %j, %s',
    (name, payload, path) => {
      expect(checkPayload(name, payload)).toMatchObject({ code: 'bad-payload', path });
    },
  );

  it('is told with what was expected and what came', () => {
    expect(checkPayload('TOOL_CALL', { toolName: 'x', args: [] })?.message).toBe(
      'expected args: object in TOOL_CALL; came array',
    );
    expect(checkPayload('STATUS', null)?.message).toBe('expected an object as payload in STATUS; came null');
  });

  it('that is no object is refused where fields are required, and by whoever is strict (TOON-13, 45)', () => {
    for (const value of [null, 7, 'x', true, [], [{}]]) {
      for (const name of messageNames) {
        const lenient = ['HEARTBEAT', 'CONTEXT_REQUEST', 'CONTEXT_RESPONSE'].includes(name);
        const refusal = { code: 'bad-payload', path: '' };
        if (lenient) expect(checkPayload(name, value)).toBeUndefined();
        else expect(checkPayload(name, value)).toMatchObject(refusal);
      }
      expect(checkObjectPayload('HEARTBEAT', value)).toMatchObject({ code: 'bad-payload', path: '' });
    }
  });

  it('is not made whole by what all objects have: keys of the prototype are no fields', () => {
    const payload = JSON.parse('{"__proto__":{"instruction":"x"}}') as object;
    expect(checkPayload('INSTRUCTION', payload)).toMatchObject({ path: 'instruction' });
  });
});

describe('against the schemas of spec/toon', () => {
  const file = join(packageRoot(), 'spec', 'toon', 'payloads.schema.json');
  const schema = JSON.parse(readFileSync(file, 'utf8')) as object;
  const ajv = new Ajv({ strict: false }).addSchema(schema, 'payloads');
  const optional = ['progress', 'duration', 'code'];

  /** Values of every kind, for each field that any type knows. */
  const kind = fc.constantFrom(undefined, null, true, 0, 1.5, '', 'x', [], [{}], {}, { a: 1 });
  const fields = fc.record(
    Object.fromEntries(
      ['instruction', 'toolName', 'args', 'success', 'status', 'message', 'x'].map((f) => [f, kind]),
    ),
  );
  const asJson = fields.map((value) => JSON.parse(JSON.stringify(value)) as object);

  it.each(messageNames)('%s agrees on every mixture of fields', (name) => {
    const validate = ajv.getSchema(`payloads#/definitions/${name}`);
    if (validate === undefined) throw new Error(`no schema for ${name}`);
    fc.assert(
      fc.property(asJson, (payload) => {
        expect(checkPayload(name, payload) === undefined).toBe(validate(payload));
      }),
      { numRuns: 3000, seed: 7 },
    );
  });

  it.each(messageNames)('%s: what is generated is valid by both', (name: MessageName) => {
    const validate = ajv.getSchema(`payloads#/definitions/${name}`);
    fc.assert(
      fc.property(payloadOf(name), (payload) => {
        expect(checkPayload(name, payload)).toBeUndefined();
        // The schema also knows the kinds of fields that may be left out; unknown keys may take their names.
        const known = Object.keys(payload).every((key) => !optional.includes(key));
        if (known) expect(validate?.(payload)).toBe(true);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
