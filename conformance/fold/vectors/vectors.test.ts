/** The golden vectors of Fold: what they cover, and that neither the codec nor its generator makes them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { packageRoot, readVectors } from '../../../src/kit/spec/index.ts';
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';
import { codecOf, messageNames } from '../../../src/fold/index.ts';
import type { MessageName } from '../../../src/fold/index.ts';
import { holdVectorsToMaker } from '../../suite.test-helper.ts';
import { covenSchema } from './index.ts';
import { foldAnswer, foldVectors } from './reference.ts';
import { hexOf } from './wire.ts';

holdVectorsToMaker('fold', foldVectors);

const testsOf = (files: readonly VectorFile[]): readonly Vector[] =>
  files.flatMap(({ vectors }) => vectors.groups.flatMap(({ tests }) => tests));
const all = testsOf(readVectors('fold'));
const ids = new Set(all.map(({ id }) => id));
const schema = covenSchema();
const theirs = new protobuf.Root();
theirs.loadSync(join(packageRoot(), 'spec/fold/coven.proto'), { keepCase: true });

describe('the schema', () => {
  it('has the messages, fields and numbers that protobufjs reads', () => {
    const types = theirs.lookup('coven')?.toJSON() as {
      readonly nested: {
        readonly [name: string]: {
          readonly fields?: { readonly [field: string]: protobuf.IField };
          readonly values?: { readonly [value: string]: number };
        };
      };
    };
    const expected = Object.entries(types.nested).flatMap(([name, { fields = {}, values }]) => [
      ...Object.entries(fields).map(([field, { id, type }]) => `${name}.${field} ${type} ${id}`),
      ...Object.entries(values ?? {}).map(([value, number]) => `${name}.${value} ${number}`),
    ]);
    const came = [
      ...[...schema.messages].flatMap(([name, fields]) =>
        fields.map((field) => `${name}.${field.name} ${field.type} ${field.number}`),
      ),
      ...[...schema.enums].flatMap(([name, values]) =>
        [...values].map(([value, number]) => `${name}.${value} ${number}`),
      ),
    ];
    expect(came.toSorted()).toEqual(expected.toSorted());
    expect(came.length).toBeGreaterThan(150);
  });

  it('has the codecs of the kit as its roots', () => {
    expect(schema.roots.toSorted()).toEqual([...messageNames].toSorted());
  });
});

describe('the vectors', () => {
  it('have each field of each message, with a value and with its default, and each enum value', () => {
    const owed = [...schema.messages].flatMap(([message, fields]) => [
      `field-${message}.none`,
      ...fields.flatMap(({ name, type }) => [
        `field-${message}.${name}`,
        `field-${message}.${name}.default`,
        ...[...(schema.enums.get(type) ?? [])].flatMap(([value, number]) =>
          number === 0 ? [] : [`field-${message}.${name}.${value}`],
        ),
      ]),
    ]);
    expect(owed.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBe(all.length);
  });

  it('have one test for each number of the Complete Proto Diff', () => {
    const diff = all.filter(({ flags }) => flags.includes('proto-diff'));
    // The document: 5 + 9 + 3 + 4 + 4 + 3 + 2 + 1 of new messages and enums, 4 + 14 + 7 of changed ones, RegisterAgent's 5.
    expect(diff.length).toBe(61);
    const numbers = diff.filter(({ comment }) => / = \d+/.test(comment));
    expect(numbers).toEqual(diff);
  });

  it('that are canonical are what the codec writes', () => {
    const canonical = all.filter(({ flags }) => flags.includes('canonical'));
    const wrong = canonical.flatMap(({ id, type, hex, expect: wanted }) => {
      const codec = codecOf(String(type).replace('coven.', '') as MessageName);
      const came = hexOf(codec.encode(wanted?.['json'] as never));
      return came === hex ? [] : [`${id}: expected ${String(hex)}; came ${came}`];
    });
    expect(wrong).toEqual([]);
    expect(canonical.length).toBeGreaterThan(400);
  });

  it('with another seed keep the tests that are not random', () => {
    const others = new Map(testsOf(foldVectors.files('another')).map((test) => [test.id, test]));
    const fixed = all.filter(({ flags }) => !flags.includes('random'));
    expect(fixed.map(({ id }) => others.get(id))).toEqual(fixed);
    expect(all.filter(({ id }) => others.has(id)).length).toBe(fixed.length);
  });

  it('take less than 1 MB', () => {
    const folder = join(packageRoot(), 'fixtures/fold/vectors');
    const sizes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
  });
});

describe('the reference', () => {
  it('is not imported by their generator', () => {
    const sources = readdirSync(import.meta.dirname).filter(
      (name) => !name.includes('.test.') && name !== 'reference.ts',
    );
    const imports = sources.flatMap((name) =>
      Array.from(
        readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/from '([^']+)'/g),
        ([, from]) => from,
      ),
    );
    expect(imports.length).toBeGreaterThan(15);
    expect(imports.filter((from) => /src\/fold|protobuf/.test(from ?? ''))).toEqual([]);
  });

  it('refuses a type that does not travel, and a request without bytes', () => {
    const refusal = { id: null, error: { code: 'bad-input' } };
    expect(foldAnswer({ type: 'coven.ToolUse', hex: '' })).toMatchObject(refusal);
    expect(foldAnswer({ type: 'coven.AgentMessage' })).toMatchObject(refusal);
  });
});
