import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { githubAnnotations, githubSummary, mostAnnotations } from './github.ts';
import { markdownReport } from './markdown.ts';
import { hostileReport, mixed, nasty, passing, sample, violated } from './sample.test-helper.ts';

/** A workflow command as GitHub's runner reads it. */
interface Command {
  readonly name: string;
  readonly properties: { readonly [name: string]: string };
  readonly data: string;
}

/** The escapes of the runner (actions/runner, ActionCommand.cs: `_escapeDataMappings`, `_escapePropertyMappings`). */
const unescaped = (text: string, more: readonly (readonly [string, string])[] = []): string =>
  [...more, ['%0D', '\r'] as const, ['%0A', '\n'] as const, ['%25', '%'] as const].reduce(
    (read, [escape, character]) => read.replaceAll(escape, character),
    text,
  );

/** Reads a line as the runner does (actions/runner, ActionCommand.TryParseV2): white space before it is dropped. */
function commandOf(line: string): Command | undefined {
  const text = line.trimStart();
  const end = text.indexOf('::', 2);
  if (!text.startsWith('::') || end < 0) return undefined;
  const [, name = '', list = ''] = /^(\S*)(?: (.*))?$/su.exec(text.slice(2, end)) ?? [];
  const pairs = list
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      const value = pair.slice(at + 1);
      return [
        pair.slice(0, at),
        unescaped(value, [
          ['%3A', ':'],
          ['%2C', ','],
        ]),
      ];
    });
  return { name, properties: Object.fromEntries(pairs), data: unescaped(text.slice(end + 2)) };
}

/** The lines that the runner sees, and the commands among them. It ends lines at CR and LF. */
const read = (text: string): readonly (Command | undefined)[] =>
  text
    .split(/\r\n|\r|\n/u)
    .slice(0, -1)
    .map(commandOf);

describe('annotations', () => {
  it('are errors for fatal failures, warnings for problems and SHOULDs, and a notice with the verdict', () => {
    const commands = read(githubAnnotations(mixed));
    expect(commands.map((command) => [command?.name, command?.properties['title']])).toEqual([
      ['error', 'FOLD-A15 MUST'],
      ['error', 'FOLD-A27 MUST'],
      ['error', 'FOLD-A32 MUST, the kit failed'],
      ['warning', 'fold/agent'],
      ['warning', 'FOLD-A30 SHOULD, not fatal'],
      ['notice', 'fold/agent'],
    ]);
    expect(commands[0]?.data).toBe(
      'The sentence of FOLD-A15.\nexpected response.request_id "r1", got "r2"\nagain: wireproof replay main.jsonl --only FOLD-A15',
    );
    expect(commands[3]?.data).toBe('FOLD-A99 is listed as an expected failure and is no requirement');
    expect(commands[5]?.data).toMatch(/^not conformant: 2 of 9 applicable MUSTs violated/u);
  });

  it('are one notice for a run without failures', () => {
    expect(githubAnnotations(passing)).toBe(
      '::notice title=fold/agent::conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive\n',
    );
  });

  it('are at most ten, and say how many more there are', () => {
    const many = (n: number): readonly (Command | undefined)[] =>
      read(githubAnnotations(sample(Array.from({ length: n }, (_, i) => violated(`F-${i}`)))));
    expect(many(9).map((command) => command?.name)).toEqual([...Array<string>(9).fill('error'), 'notice']);
    expect(many(50)).toHaveLength(mostAnnotations);
    expect(many(50)[8]).toMatchObject({
      name: 'warning',
      data: '42 more findings are in the summary of this step',
    });
  });

  it('are no commands of a peer, whatever it says', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const commands = read(githubAnnotations(report));
        expect(commands.length).toBeLessThanOrEqual(mostAnnotations);
        for (const command of commands) {
          expect(['error', 'warning', 'notice']).toContain(command?.name);
          expect(Object.keys(command?.properties ?? {})).toEqual(['title']);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([...nasty, '%0A::error::x', '::set-output name=a::b', 'a,file=x.ts:1', '%25'])(
    'shows %j',
    (text) => {
      const [command] = read(githubAnnotations(sample([violated(text, { message: text })])));
      expect(command?.name).toBe('error');
      expect(command?.properties['title']?.endsWith(' MUST')).toBe(true);
      expect(command?.data.split('\n')).toHaveLength(3);
    },
  );

  it('keep percent signs, colons and commas', () => {
    const [command] = read(githubAnnotations(sample([violated('a%0A:b,c', { message: '100%0A' })])));
    expect(command).toMatchObject({ properties: { title: 'a%0A:b,c MUST' } });
    expect(command?.data).toContain('\n100%0A\n');
  });
});

describe('the step summary', () => {
  it('is the markdown report', () => {
    expect(githubSummary(mixed)).toBe(markdownReport(mixed));
  });

  it('is short where there is no room, and absent where even that does not fit', () => {
    const whole = new TextEncoder().encode(markdownReport(mixed)).length;
    const short = githubSummary(mixed, whole - 1) ?? '';
    expect(short).toContain('**not conformant: 2 of 9 applicable MUSTs violated');
    expect(short).toContain('too long to be shown here');
    expect(githubSummary(mixed, 100)).toBeUndefined();
  });

  it('counts bytes, not characters', () => {
    const wide = sample([violated('A', { message: '\u{6587}'.repeat(300) })]);
    expect(githubSummary(wide, markdownReport(wide).length)).not.toBe(markdownReport(wide));
  });
});
