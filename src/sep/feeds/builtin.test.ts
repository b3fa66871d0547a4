/** The internal sources ("internal feeds that call built-in functions (like system clock, random number, etc)"). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { internalValue } from './builtin.ts';
import type { InternalWorld } from './builtin.ts';
import type { FeedOutcome } from './feed.ts';

/** The moment of the source's example. */
const now = Date.parse('2024-06-15T12:34:56Z');

const world = (more: Partial<InternalWorld> = {}): InternalWorld => ({
  now,
  random: seededRandom('7'),
  env: {},
  envNames: [],
  facts: {},
  ...more,
});

const valueOf = (name: string, params: JsonObject, more?: Partial<InternalWorld>): FeedOutcome =>
  internalValue({ type: 'internal', name, params }, world(more));

describe('system_clock', () => {
  it.each<[JsonObject, Json]>([
    // "Runtime Injection" of the source.
    [{ format: 'ISO8601', timezone: 'UTC' }, '2024-06-15T12:34:56Z'],
    [{}, '2024-06-15T12:34:56Z'],
    [{ format: 'iso8601', timezone: 'Europe/Paris' }, '2024-06-15T14:34:56+02:00'],
    [{ timezone: 'America/St_Johns' }, '2024-06-15T10:04:56-02:30'],
    [{ format: 'unix' }, 1_718_454_896],
    [{ format: 'date', timezone: 'Pacific/Kiritimati' }, '2024-06-16'],
    [{ format: 'time', timezone: 'Asia/Tokyo' }, '21:34:56'],
  ])('gives for %j %j', (params, value) => expect(valueOf('system_clock', params)).toEqual({ value }));

  it.each<JsonObject>([{ format: 'rfc1' }, { format: 1 }, { timezone: 'Mars/Olympus' }, { timezone: null }])(
    'refuses %j',
    (params) =>
      expect(valueOf('system_clock', params)).toMatchObject({ error: expect.stringMatching(/^expected/) }),
  );

  it('gives UTC as a date does, at any moment that it has', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        const expected = date.toISOString().replace(/\.\d+Z/, 'Z');
        expect(valueOf('system_clock', {}, { now: date.getTime() })).toEqual({ value: expected });
      }),
    );
    expect(valueOf('system_clock', {}, { now: NaN })).toHaveProperty('error');
  });

  it('gives a text of the same moment in any zone', () => {
    const zones = fc.constantFrom(
      'Europe/London',
      'Asia/Kathmandu',
      'America/New_York',
      'Australia/Lord_Howe',
    );
    const moments = fc.date({
      min: new Date('1980-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, moments, (timezone, date) => {
        const ms = Math.floor(date.getTime() / 1000) * 1000;
        const outcome = valueOf('system_clock', { timezone }, { now: ms });
        expect('value' in outcome && Date.parse(String(outcome.value))).toBe(ms);
      }),
    );
  });
});

describe('random', () => {
  it('is an integer between two integers, and meets both', () => {
    const random = seededRandom('1');
    const seen = Array.from({ length: 200 }, () => valueOf('random', { min: 1, max: 6 }, { random }));
    const values = seen.map((one) => ('value' in one ? one.value : undefined));
    expect([...new Set(values)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is otherwise a number, from min on and less than max', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const one = valueOf('random', { min: 0.5, max: 2 }, { random: seededRandom(seed) });
        expect('value' in one && Number(one.value) >= 0.5 && Number(one.value) < 2).toBe(true);
      }),
    );
    expect(valueOf('random', {})).toEqual(valueOf('random', {}));
  });

  it.each<JsonObject>([{ min: 2, max: 1 }, { min: '1' }, { max: 1e300 }, { min: 3 }])(
    'refuses %j',
    (params) => expect(valueOf('random', params)).toHaveProperty('error'),
  );
});

describe('env', () => {
  const env = { HOME: '/home/a', TOKEN: 'secret' };

  it('gives the granted variables, without those that are not set', () => {
    expect(valueOf('env', { names: ['HOME', 'NONE'] }, { env, envNames: ['HOME', 'NONE'] })).toEqual({
      value: { HOME: '/home/a' },
    });
  });

  it.each<JsonObject>([
    { names: ['HOME', 'TOKEN'] },
    { names: 'HOME' },
    {},
    { names: [1] },
    { names: ['constructor'] },
  ])('refuses %j', (params) => {
    const outcome = valueOf('env', params, { env, envNames: ['HOME'] });
    expect(outcome).toHaveProperty('error');
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });
});

describe('other sources', () => {
  it('debug_context gives the facts of the run', () => {
    expect(valueOf('debug_context', {}, { facts: { iteration: 2 } })).toEqual({ value: { iteration: 2 } });
  });

  it('files asks its reader', () => {
    const files = (params: JsonObject): FeedOutcome => ({ value: params });
    expect(valueOf('files', { root: '.' }, { files })).toEqual({ value: { root: '.' } });
    expect(valueOf('files', { root: '.' })).toHaveProperty('error');
  });

  it.each(['constructor', 'clock', ''])('there is none with the name "%s"', (name) => {
    expect(valueOf(name, {})).toMatchObject({
      error: expect.stringContaining('expected one of system_clock'),
    });
  });
});
