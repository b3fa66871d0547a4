/** Texts that are meant to do harm: they cost little time, and change nothing. */
import { describe, expect, it } from 'vitest';
import { commandCodec, decodeBytes, decodeText, encodeText, mostBytes } from '../codec.ts';

const faultOf = (text: string, maxBytes?: number): unknown => {
  const decoded = decodeText('event', text, maxBytes === undefined ? {} : { maxBytes });
  return decoded.ok ? 'a message' : decoded.error.fault;
};

/** The processor time of this process (ms). It does not grow while other programs run. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const delta = (text: string): string => `{"type":"text_delta","text":"${text}"}`;
const frame = delta('').length;

describe('hostile texts', () => {
  it('have at most 1 MiB in UTF-8 (README, Carriers)', () => {
    expect(mostBytes).toBe(1_048_576);
    expect(faultOf(delta('x'.repeat(mostBytes - frame)))).toBe('a message');
    expect(faultOf(delta('x'.repeat(mostBytes - frame + 1)))).toBe('too-large');
    // Each é has two bytes.
    expect(faultOf(delta('é'.repeat((mostBytes - frame) / 2)))).toBe('a message');
    expect(faultOf(delta('é'.repeat((mostBytes - frame) / 2 + 1)))).toBe('too-large');
    expect(faultOf(delta('xx'), frame + 2)).toBe('a message');
    expect(faultOf(delta('xxx'), frame + 2)).toBe('too-large');
    const bytes = Buffer.from(delta('xxx'));
    expect(decodeBytes('event', bytes, { maxBytes: frame + 2 })).toMatchObject({
      error: { code: 'too-large' },
    });
  });

  it.each([
    ['open brackets', '['.repeat(1e6), 'too-deep'],
    ['open braces', '{"a":'.repeat(2e5), 'too-deep'],
    ['one string that does not end', `"${'a'.repeat(1e6)}`, 'syntax'],
    ['one string of backslashes', delta('\\'.repeat(999_999)), 'syntax'],
    ['one string of escaped quotes', delta('\\"'.repeat(5e5)), 'a message'],
    ['one string of escaped pairs', delta('\\ud834\\udd1e'.repeat(8e4)), 'a message'],
    ['digits', `{"type":"context_usage","used":${'9'.repeat(1e6)},"max":1}`, 'number-too-large'],
    ['zeros of a fraction', `{"type":"text_done","x":0.${'0'.repeat(1e6)}1e9}`, 'a message'],
    ['members with one name', `{"type":"text_done"${',"a":1'.repeat(1.5e5)}}`, 'a message'],
    ['known fields', `{"type":"text_delta"${',"text":""'.repeat(1e5)}}`, 'duplicate-field'],
    ['blanks', `${' '.repeat(1e6)}{"type":"text_done"}`, 'a message'],
    ['commas', `[${','.repeat(1e6)}`, 'syntax'],
    [
      'arguments',
      `{"type":"tool_call_start","id":"","name":"","args":[${'1e1,'.repeat(2e5)}9007199254740993],"is_sub_agent":true}`,
      'a message',
    ],
  ])('a megabyte of %s takes less than a second', (_, text, fault) => {
    const began = cpuTime();
    expect(faultOf(text)).toBe(fault);
    expect(cpuTime() - began).toBeLessThan(1000);
  });

  it('take time in proportion to their length', () => {
    const time = (n: number): number => {
      const text = `{"type":"tool_call_start","id":"","name":"","args":{${'"a\\n":[{"b":1.5e1}],'.repeat(n)}"z":9007199254740993},"is_sub_agent":true}`;
      faultOf(text);
      const times = Array.from({ length: 5 }, () => {
        const began = cpuTime();
        expect(faultOf(text)).toBe('a message');
        return cpuTime() - began;
      });
      return Math.min(...times);
    };
    // Eight times the length: a quadratic reader would take 64 times as long.
    expect(time(32_000) / time(4_000)).toBeLessThan(32);
  });

  it('leave Object.prototype alone, whatever is named __proto__', () => {
    const names = Object.getOwnPropertyNames(Object.prototype).sort();
    const proto = '"__proto__":{"polluted":true,"type":"quit","text":"x"}';
    expect(faultOf(`{${proto}}`)).toBe('no-tag');
    expect(faultOf(`{"type":"text_delta",${proto}}`)).toBe('missing-field');
    expect(faultOf(`{${proto},"type":"text_done"}`)).toBe('a message');
    expect(faultOf(`{"type":"turn_end","turn_id":"","reason":{${proto}}}`)).toBe('no-tag');
    expect(faultOf('{"type":"__proto__"}')).toBe('unknown-tag');
    const args = `{${proto},"constructor":{"prototype":{"polluted":true}},"n":9007199254740993}`;
    const text = `{"type":"tool_call_start","id":"__proto__","name":"","args":${args},"is_sub_agent":true}`;
    const decoded = decodeText('event', text);
    if (!decoded.ok) throw new Error(decoded.error.message);
    expect(encodeText('event', decoded.value.message, decoded.value)).toBe(text);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(names);
  });

  it('are values of the codecs, too', () => {
    expect(commandCodec.decode(Uint8Array.of())).toMatchObject({ ok: false, error: { code: 'bad-json' } });
    expect(commandCodec.decode(new Uint8Array(mostBytes + 1))).toMatchObject({
      ok: false,
      error: { code: 'too-large' },
    });
  });
});
