/** The plan: "Early detection of approaching token limits", while the response streams. */
import { describe, expect, it } from 'vitest';
import { OutputMeter } from './output-meter.ts';

describe('the meter of a response', () => {
  it('warns at the part that reaches the threshold, and then no more', () => {
    const meter = new OutputMeter({ limit: 100 });
    const parts = Array.from({ length: 100 }, () => 'four');
    const warnings = parts.map((part) => meter.add(part));
    expect(warnings.flatMap((warning, i) => (warning === undefined ? [] : [[i + 1, warning]]))).toEqual([
      [80, { code: 'near-output-limit', percent: 80 }],
    ]);
    expect(meter.tokens).toBe(100);
  });

  it('does not depend on how the text is cut', () => {
    const whole = new OutputMeter({ limit: 10 });
    const cut = new OutputMeter({ limit: 10 });
    const text = 'x'.repeat(33);
    expect(whole.add(text)).toEqual({ code: 'near-output-limit', percent: 90 });
    expect(text.split('').flatMap((unit) => cut.add(unit) ?? [])).toEqual([
      { code: 'near-output-limit', percent: 80 },
    ]);
    expect(cut.tokens).toBe(whole.tokens);
  });

  it('has a threshold of its own, and no limit where there is none', () => {
    expect(new OutputMeter({ limit: 100, threshold: 0.5 }).add('x'.repeat(200))).toMatchObject({
      percent: 50,
    });
    expect(new OutputMeter({ limit: Infinity }).add('x'.repeat(1000))).toBeUndefined();
    expect(new OutputMeter({ limit: 0 }).add('x')).toMatchObject({ code: 'near-output-limit' });
  });
});
