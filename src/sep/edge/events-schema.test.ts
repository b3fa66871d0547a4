/** The JSON Schema of events admits all events of the kit's parser and executor, and refuses others. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actions, outputs } from '../arbitrary.ts';
import { blockOutputs, nestedBlocks } from '../arbitrary-blocks.ts';
import { playRun } from '../executor/scripted-run.ts';
import { switchesOf } from '../parser/extensions.ts';
import { parseSep } from '../parser/parser.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../../spec/sep/events.schema.json', import.meta.url), 'utf8'),
) as { readonly $id: string };
const ajv = new Ajv({ strict: true, allowUnionTypes: true });
ajv.addSchema(schema);
const ofParser = ajv.compile({ $ref: `${schema.$id}#/definitions/of_parser` });
const ofExecutor = ajv.compile({ $ref: schema.$id });

/** The first event that the schema refuses, with the reason. */
const refused = (validate: typeof ofParser, events: readonly object[]): object | undefined => {
  const event = events.find((one) => !validate(one));
  return event === undefined ? undefined : { event, errors: validate.errors };
};

describe('events.schema.json', () => {
  it('admits all events of the parser', () => {
    fc.assert(
      fc.property(outputs, (output) => {
        expect(refused(ofParser, parseSep(output, { mostBody: 60 }))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('admits all events of the executor', () => {
    const plans = fc.uniqueArray(actions, { selector: ({ id }) => id, maxLength: 5 });
    fc.assert(
      fc.property(plans, outputs, (all, noise) => {
        const tags = all.map(
          ({ id, type, mode, ...body }) =>
            `<action type="${type}" mode="${mode}" id="${id}">${JSON.stringify(body)}</action>`,
        );
        const { events } = playRun({
          iterations: [[tags.join('')], [noise]],
          advice: true,
          providers: { n: [{ after: 1, output: 1 }], m: [{ after: 2, error: 'no' }] },
        });
        expect(refused(ofExecutor, events)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('admits those of extensions', () => {
    const extensions = switchesOf(['all']);
    fc.assert(
      fc.property(blockOutputs, nestedBlocks, (output, nested) => {
        expect(refused(ofParser, parseSep(output, { extensions }))).toBeUndefined();
        const { events } = playRun({
          iterations: [[output], [nested]],
          providers: { n: [{ after: 1, output: [1] }], good: [{ output: 1 }] },
          extensions,
        });
        expect(refused(ofExecutor, events)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('admits the events of rollbacks, parts and remote feeds', () => {
    const body = { name: 'n', rollback: { name: 'undo', timeout: 1 } };
    const source = { type: 'remote', name: 'far', url: 'http://127.0.0.1:1', params: {} } as const;
    const { events } = playRun({
      iterations: [
        [
          `<action type="tool" mode="sync" id="a">${JSON.stringify(body)}</action>`,
          `<action type="tool" mode="sync" id="b">${JSON.stringify({ name: 'm', on_error: 'fail' })}</action>`,
        ],
      ],
      providers: { n: [{ output: 1, parts: [{ output: null }] }], m: [{ error: 'no' }] },
      feeds: { feeds: [{ id: 'far', trigger: 'on_demand', enabled: true, source }] },
      sources: () => ({ value: 1, stale: true }),
      extensions: { rollback: true, partial_results: true, distributed_feeds: true },
    });
    expect(refused(ofExecutor, events)).toBeUndefined();
    const kinds = new Set(events.map(({ type }) => type));
    expect(['rollback', 'partial', 'context_feed'].filter((kind) => !kinds.has(kind as never))).toEqual([]);
  });

  it.each([
    [{ type: 'thought' }],
    [{ type: 'Thought', text: 'x' }],
    [{ type: 'response', text: 'x', final: 'true' }],
    [{ type: 'started', id: 7, parameters: {} }],
    [{ type: 'started', id: 'a', parameters: [] }],
    [{ type: 'completed', id: 'a' }],
    [{ type: 'block', name: 'if', attributes: {} }],
    [{ type: 'condition', test: 'x', value: 1 }],
    [{ type: 'thought', text: 'x', depth: 0 }],
    [{ type: 'finished', reason: 'done' }],
    [{ type: 'iteration', n: 0 }],
    [{ type: 'partial', id: 'a', n: -1, output: 1 }],
    [{ type: 'partial', id: 'a', n: 0 }],
    [{ type: 'rollback', id: 'a', status: 'done' }],
    [{ type: 'skipped', id: 'a', because: 'b', at: -1 }],
    [{ type: 'action', action: { id: 'a' } }],
    [{ type: 'diagnostic', code: 'a', message: 'b', offset: 0, level: 'error' }],
  ])('refuses %j', (event) => {
    expect(ofExecutor(event)).toBe(false);
  });

  it('admits further members', () => {
    expect(ofExecutor({ type: 'completed', id: 'a', output: null, cost: 1 })).toBe(true);
  });
});
