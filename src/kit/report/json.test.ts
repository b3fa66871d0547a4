import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonReport } from './json.ts';
import { hostileReport, mixed } from './sample.test-helper.ts';

describe('the JSON report', () => {
  it('is the report as it is, indented, with a final line feed', () => {
    expect(jsonReport(mixed)).toBe(`${JSON.stringify(mixed, null, 2)}\n`);
  });

  it('gives the report back and holds nothing that acts, whatever the texts', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const text = jsonReport(report);
        expect(JSON.parse(text)).toEqual(report);
        expect(text).not.toMatch(/[^\P{C}\n\p{Co}\p{Cn}]/u);
        expect(text).not.toMatch(/^\s*::|##[\w.-]*\[/mu);
      }),
    );
  });
});
