/** The scripts of the kit, the JSON Schema of scripts, and the checks beyond it must agree. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { transcriptOf } from '../streamer/generation.ts';
import { scriptPlayer } from '../streamer/player.ts';
import { anyScript } from '../arbitrary/answer.ts';
import { written } from './script.test-helper.ts';
import { checkScript } from './check.ts';
import type { Script } from './script.ts';
import type { Generation, LlmRequest } from '../messages.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'fixtures', 'llm', 'scripts');
const files = readdirSync(folder);
const documents = new Map(
  files.map((file) => [file, parse(readFileSync(join(folder, file), 'utf8')) as Json]),
);
const read = (file: string): Json => structuredClone(documents.get(file) ?? null);
const schemaAt = (...path: readonly string[]): object =>
  JSON.parse(readFileSync(join(root, 'spec', ...path), 'utf8')) as object;
const ajv = new Ajv({ strict: true, strictRequired: false, unicodeRegExp: true, allowUnionTypes: true });
ajv.addSchema(schemaAt('llm', 'script.schema.json'), 'file:///spec/llm/script.schema.json');
// The path of earlier versions, which users' editors may use, refers to the schema.
const accepts = ajv.compile({
  $id: 'file:///spec/formats/llm-script.schema.json',
  ...schemaAt('formats', 'llm-script.schema.json'),
});

const request: LlmRequest = {
  dialect: 'openai-chat',
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  stream: true,
  includeUsage: true,
};

const scriptOf = (file: string): Script => {
  const checked = checkScript(read(file));
  if (!checked.ok) throw new Error(`${file}: ${checked.error.path}: ${checked.error.message}`);
  return checked.value;
};

const firstGeneration = (file: string): Generation => {
  const player = scriptPlayer(scriptOf(file), { random: seededRandom });
  const played = player.answer(player.start(), request);
  if ('error' in played) throw new Error(played.error.message);
  return played.generation;
};

describe('each script that comes with the kit', () => {
  it.each(files)('%s passes the schema and the checks, and has a title', (file) => {
    expect([accepts(read(file)), accepts.errors]).toEqual([true, null]);
    expect(scriptOf(file).title).toMatch(/^[A-Z].{3,}/);
    expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^# Watch .+\.$/m);
  });

  it('is in the documented list', () => {
    expect(files.map((file) => file.replace('.yaml', '')).sort()).toEqual(
      [
        ...['hello', 'tool-call', 'parallel-tools', 'thinking', 'max-tokens-mid-tool', 'max-tokens-mid-text'],
        ...['lying-finish', 'overloaded-then-ok', 'stall', 'reset-mid-tool', 'error-mid-stream'],
      ].sort(),
    );
  });
});

describe('the scripts of the kit', () => {
  it('max-tokens-mid-tool cuts inside the body of the second file', () => {
    const sum = transcriptOf(firstGeneration('max-tokens-mid-tool.yaml'));
    expect(sum.toolCalls.map(({ input }) => input)).toEqual([{ path: 'a.txt', body: 'short' }]);
    expect(sum.open?.partial).toMatch(/^\{"path":"b\.txt","body":"A[^"]*$/);
    expect(sum.stop).toBe('max_tokens');
  });

  it('max-tokens-mid-text stops at fifty tokens', () => {
    const sum = transcriptOf(firstGeneration('max-tokens-mid-text.yaml'));
    expect([sum.stop, sum.usage.outputTokens, sum.text.length]).toEqual(['max_tokens', 50, 200]);
  });

  it('lying-finish, stall and reset-mid-tool cut a call, and lie, stall or reset', () => {
    const ends = ['lying-finish', 'stall', 'reset-mid-tool'].map(
      (file) => firstGeneration(`${file}.yaml`).end,
    );
    expect(ends.map(({ signal, transport, cutCall }) => [signal, transport, cutCall])).toEqual([
      ['lying', 'clean', true],
      ['missing', 'stall', false],
      ['missing', 'reset', true],
    ]);
  });

  it('error-mid-stream has a complete call before its error', () => {
    const generation = firstGeneration('error-mid-stream.yaml');
    expect(generation.end.error?.type).toBe('overloaded');
    expect(transcriptOf(generation).toolCalls).toHaveLength(1);
  });

  it('overloaded-then-ok refuses twice, with retry-after', () => {
    const player = scriptPlayer(scriptOf('overloaded-then-ok.yaml'), { random: seededRandom });
    const first = player.answer(player.start(), request);
    const second = player.answer(first.state, request);
    const third = player.answer(second.state, request);
    expect(first).toMatchObject({ error: { status: 529, retryAfterMs: 500, shouldRetry: true } });
    expect(second).toMatchObject({ error: { status: 429, retryAfter: 1 } });
    expect('generation' in third).toBe(true);
  });
});

/** The documents of the kit with one value replaced or removed. */
const spoilt: fc.Arbitrary<Json> = fc
  .record({
    file: fc.constantFrom(...files),
    at: fc.nat(),
    by: fc.oneof(
      fc.constantFrom<Json | undefined>(
        undefined,
        null,
        true,
        0,
        -1,
        1.5,
        '',
        'always',
        'a\nb',
        'byte',
        [],
        {},
        1e12,
      ),
      fc.constantFrom<Json | undefined>(
        { size: 1 },
        { size: 0 },
        { token: 1 },
        { byte: 1, char: 1 },
        '9h',
        '1ms',
        ['x'],
      ),
    ),
    add: fc.constantFrom('', 'strange', 'id', 'input', 'limit'),
  })
  .map(({ file, at, by, add }) => {
    const document = read(file);
    const places: { readonly of: Record<string, unknown>; readonly key: string }[] = [];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const key of Object.keys(value)) {
        places.push({ of: value as Record<string, unknown>, key });
        walk((value as Record<string, unknown>)[key]);
      }
    };
    walk(document);
    const place = places[at % places.length];
    if (place === undefined) return document;
    const { of, key } = place;
    if (add !== '' && !Array.isArray(of)) of[add] = by;
    else if (by === undefined && !Array.isArray(of)) delete of[key];
    else of[key] = by ?? null;
    return document;
  });

describe('the schema and the checks', () => {
  it('both accept every generated script', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        const document = written(script);
        expect([accepts(document), checkScript(document).ok], JSON.stringify(accepts.errors)).toEqual([
          true,
          true,
        ]);
      }),
    );
  });

  it('agree on documents with one fault: the checks refuse what the schema refuses', () => {
    let refused = 0;
    fc.assert(
      fc.property(spoilt, (document) => {
        if (accepts(document)) return;
        refused++;
        expect(checkScript(document).ok, JSON.stringify(accepts.errors)).toBe(false);
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(250);
  });

  it('agree the other way, except for rules beyond the schema', () => {
    let taken = 0;
    fc.assert(
      fc.property(spoilt, (document) => {
        if (!accepts(document)) return;
        const checked = checkScript(document);
        if (checked.ok) taken++;
        else
          expect(
            ['bad-place', 'bad-order', 'too-large'].includes(checked.error.code) ||
              beyond.test(checked.error.message),
            JSON.stringify(checked.error),
          ).toBe(true);
      }),
      { numRuns: 1000 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});

/** Refusals about two values together. */
const beyond = /integers up to 2\^53|a status \(400 to 599\)|reason and sequence for stop_sequence/;
