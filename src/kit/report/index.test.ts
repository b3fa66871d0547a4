import { describe, expect, it } from 'vitest';
import { renderers, reportFormats } from './index.ts';
import { mixed, passing } from './sample.test-helper.ts';

/** The formats whose texts are for people. Programs read the verdict of the others from a member. */
const forPeople = reportFormats.filter((format) => !['json', 'ctrf', 'badge'].includes(format));

describe('the renderers', () => {
  it('are one for each format', () => {
    expect(Object.keys(renderers)).toEqual([...reportFormats]);
  });

  it.each(reportFormats.map((format) => [format]))('%s ends with one line feed', (format) => {
    expect(renderers[format](passing, { color: false })).toMatch(/[^\n]\n$/u);
  });

  it.each(reportFormats.map((format) => [format]))('%s is a function of the report alone', (format) => {
    const before = JSON.stringify(mixed);
    expect(renderers[format](mixed, { color: false })).toBe(renderers[format](mixed, { color: false }));
    expect(JSON.stringify(mixed)).toBe(before);
  });

  it.each(forPeople.map((format) => [format]))('%s says conformant only with its scope', (format) => {
    const text = renderers[format](passing, { color: false });
    const said = text.match(/conformant.{0,10}/gu) ?? [];
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said)).toEqual(new Set(['conformant: 41 of 41']));
  });

  it('the doc comment shows what the console prints', () => {
    expect(renderers.console(passing, { color: false })).toContain(
      '\nconformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive\n',
    );
  });
});
