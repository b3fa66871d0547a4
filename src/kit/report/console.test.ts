import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consoleReport } from './console.ts';
import { hostileReport, mixed, nasty, passing, row, rows, sample, violated } from './sample.test-helper.ts';

const plain = { color: false } as const;
const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');
const sgr = new RegExp(`${String.fromCodePoint(0x1b)}\\[\\d+m`, 'gu');
/** What GitHub and Azure act on, once colour is off. */
const command = /^\s*::|##[\w.-]*\[/mu;

describe('the console report of a passing run', () => {
  const lines = linesOf(consoleReport(passing, plain));

  it('begins with what was checked', () => {
    expect(lines[0]).toBe(
      './my-agent: fold/agent revision 2025-01, passive drive, seed 7, 2.3 s, wireproof 0.1.0',
    );
  });

  it('ends with the verdict and its scope', () => {
    expect(lines.at(-1)).toBe(
      'conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive',
    );
  });

  it('takes fifteen lines at most', () => {
    expect(lines.length).toBeLessThanOrEqual(15);
  });

  it('counts passes by level', () => {
    expect(lines).toContain('passed          41 MUST, 9 SHOULD');
  });

  it('gives the reason for unexercised requirements, once for each reason', () => {
    expect(lines).toContain('untestable      6, needs the directive drive: FOLD-A42–A47');
    expect(lines).toContain('not applicable  3, packs are not claimed: FOLD-A60–A62');
  });

  it('gives thirty rows with one reason one line', () => {
    const requirements = rows(30, 1, { verdict: 'not-observed', exercised: 0, reason: 'no tool call came' });
    const text = consoleReport(sample(requirements, { verdict: 'inconclusive' }), plain);
    expect(text).toContain('\nnot observed    30, no tool call came: FOLD-A01–A30\n');
  });

  it('says in one line what nobody asked for, if that has many reasons', () => {
    const unclaimed = (id: string, reason: string) =>
      row(id, { verdict: 'not-applicable', exercised: 0, reason });
    const requirements = [row('A'), unclaimed('B', 'no packs'), unclaimed('C', 'no files')];
    const scenarios = ['ollama', 'lmstudio'].map((name) => ({
      ...({ name, outcome: 'skipped', reason: 'needs another dialect', duration_ms: 0 } as const),
    }));
    const report = sample(requirements, { scenarios });
    const text = consoleReport(report, plain);
    expect(text).toContain(
      '\nleft out        2 requirements not applicable, 2 scenarios skipped (-v lists them); 3 reasons, such\n' +
        '                as: needs another dialect\n',
    );
    expect(text).not.toMatch(/no packs|^skipped/mu);
    expect(consoleReport(report, { ...plain, verbose: true })).toMatch(/B [^]*no packs[^]*ollama skipped/u);
    // The reasons of a run that did not come to a verdict are what its reader looks for.
    expect(consoleReport({ ...report, verdict: 'inconclusive' }, plain)).toContain('no packs');
  });

  it('has a note of a MAY in place of which something else came', () => {
    const reason = 'it came, but in another way than this MAY describes';
    const may = { level: 'MAY', verdict: 'not-observed', exercised: 0, reason } as const;
    const unlike = row('FOLD-A50', { ...may, message: 'expected milliseconds; came 1795695017' });
    const text = consoleReport(sample([row('FOLD-A01'), unlike]), plain);
    expect(text).toContain('\nnote            FOLD-A50 MAY: expected milliseconds; came 1795695017\n');
    expect(text).not.toContain('not observed');
    const every = consoleReport(sample([unlike]), { ...plain, verbose: true });
    expect(every).toMatch(/^not observed {4}FOLD-A50 MAY .* \(expected milliseconds; came 1795695017\)$/mu);
  });

  it('does not show the output of the target', () => {
    expect(consoleReport({ ...passing, target_output: ['listening'] }, plain)).not.toContain('listening');
  });
});

describe('the console report of a run with failures', () => {
  const text = consoleReport(mixed, plain);
  const lines = linesOf(text);

  it('shows a violation in full', () => {
    expect(text).toContain(
      [
        'FAIL FOLD-A15 MUST',
        '  The sentence of FOLD-A15.',
        '  Fold protocol, revision r3, section 5.2',
        '  expected response.request_id "r1", got "r2"',
        '      12 gateway → target send_message',
        '    > 13 target → gateway response',
        '  at main.jsonl event 13',
        '  again: wireproof replay main.jsonl --only FOLD-A15',
      ].join('\n'),
    );
  });

  it('shows failures first, MUST before SHOULD before errors of the kit', () => {
    const order = [
      'FAIL FOLD-A15',
      'FAIL FOLD-A27',
      'fail FOLD-A30',
      'ERROR FOLD-A32',
      'not observed',
      'passed',
    ];
    const places = order.map((start) => lines.findIndex((line) => line.startsWith(start)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('says that a SHOULD is not fatal, and that it is with --strict', () => {
    expect(text).toContain('fail FOLD-A30 SHOULD, not fatal without --strict');
    expect(consoleReport({ ...mixed, strict: true }, { color: false })).toContain(
      'FAIL FOLD-A30 SHOULD, fatal with --strict',
    );
  });

  it('marks rows that prove only the shim', () => {
    expect(text).toContain('FAIL FOLD-A27 MUST, of the shim only');
    expect(text).toContain('note            proves only the shim: FOLD-A27');
  });

  it('shows expected failures, problems, notes, scenarios and the last output', () => {
    expect(lines).toContain(
      'expected        FOLD-A31 failed as expected: known (https://example.org/issues/9)',
    );
    expect(lines).toContain(
      'problem         FOLD-A99 is listed as an expected failure and is no requirement',
    );
    expect(lines).toContain('note            directive drive: the nonce came back');
    expect(lines).toContain('skipped         1 scenario, needs packs: packs');
    expect(lines).toContain('features        tools');
    expect(lines).toContain('  | panic: index out of range');
  });

  it('shows the end of a long output', () => {
    const output = Array.from({ length: 25 }, (_, i) => `line ${i}`);
    const shown = consoleReport({ ...mixed, target_output: output }, plain);
    expect(shown).toContain('(5 lines before it omitted)');
    expect(shown).not.toContain('| line 4\n');
    expect(shown).toContain('| line 5\n');
  });

  it('says that it was interrupted', () => {
    const shown = consoleReport(sample(rows(2), { verdict: 'inconclusive', interrupted: true }), plain);
    expect(linesOf(shown).at(-1)).toMatch(/^interrupted, no verdict/u);
  });
});

describe('a verbose console report', () => {
  const text = consoleReport(mixed, { color: false, verbose: true });

  it('has a line for every requirement, exclusion and scenario', () => {
    for (const { id, text: sentence } of mixed.requirements) {
      expect(
        linesOf(text).filter((line) => line.includes(` ${id} `) && line.includes(sentence)),
      ).toHaveLength(1);
    }
    expect(text).toContain('excluded        FOLD-A70 (no peer can see it)');
    expect(text).toContain('scenario        packs skipped after 0 ms (needs packs)');
  });

  it('names failures by their weight', () => {
    expect(text).toContain('FAIL            FOLD-A15');
    expect(text).toContain('fail, not fatal FOLD-A30');
    expect(text).toContain('fail, expected  FOLD-A31');
  });
});

describe('width', () => {
  const words = 'word '.repeat(60).trim();
  const report = sample([violated('A', { text: words, replay: `wireproof replay ${words}` })], {
    verdict: 'not-conformant',
    notes: [words],
  });

  it('wraps sentences and notes', () => {
    const lines = linesOf(consoleReport(report, { color: false, width: 60 }));
    const wrapped = lines.filter((line) => line.includes('word') && !line.includes('again'));
    expect(wrapped.length).toBeGreaterThan(8);
    expect(Math.max(...wrapped.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('never wraps or cuts a command, which is there to be copied', () => {
    const long = `wireproof replay ${'x '.repeat(500)}end`;
    const text = consoleReport(sample([violated('A', { replay: long })]), { color: false, width: 60 });
    expect(text).toContain(`again: ${long}\n`);
  });

  const terminals = [40, 60, 80, 200].flatMap((width) =>
    [true, false].map((verbose) => [width, verbose] as const),
  );

  it.each(terminals)(
    'of %d columns: no wider line but commands and long words, verbose: %s',
    (width, verbose) => {
      const shown = consoleReport(mixed, { color: false, verbose, width });
      const tooLong = linesOf(shown).filter((line) => line.length > width && !line.includes('again: '));
      expect(tooLong.filter((line) => line.trim().includes(' '))).toEqual([]);
      const wordsOf = (text: string): readonly string[] => text.split(/[\s|]+/u).filter(Boolean);
      expect(wordsOf(shown)).toEqual(wordsOf(consoleReport(mixed, { color: false, verbose })));
    },
  );

  it.each(terminals)(
    'of %d columns: each line closes the colours that it opens, verbose: %s',
    (width, verbose) => {
      for (const line of linesOf(consoleReport(mixed, { color: true, verbose, width }))) {
        const codes = line.match(sgr) ?? [];
        // 22 ends bold and dim, 39 ends a colour.
        expect(codes.filter((code) => /\[(?:22|39)m$/u.test(code))).toHaveLength(codes.length / 2);
      }
    },
  );

  it('stays usable however narrow', () => {
    const lines = linesOf(consoleReport(report, { color: false, width: 0 }));
    expect(lines.length).toBeLessThan(60);
  });
});

describe('hostile text on a console', () => {
  it.each(nasty.map((text) => [text]))('does nothing: %j', (text) => {
    const requirements = [
      violated(text, { text, message: text, excerpt: [text, `> ${text}`], replay: text }),
    ];
    const shown = consoleReport(
      sample(requirements, {
        target: text,
        problems: [text],
        target_output: [text],
        verdict: 'not-conformant',
      }),
      plain,
    );
    expect(shown).not.toMatch(/[^\P{C}\n]/u);
    expect(shown).not.toMatch(command);
  });

  it('cannot add lines: a message with a line feed stays on its line', () => {
    const message = 'x\n\nconformant: 41 of 41 applicable MUSTs exercised';
    const lines = linesOf(consoleReport(sample([row('A', { verdict: 'error', message })]), plain));
    expect(lines.filter((line) => line.trimStart().startsWith('conformant: 41'))).toEqual([]);
  });

  it('cuts no character in two, however wide the console is', () => {
    for (let width = 1; width <= 60; width++) {
      const line = `${'x'.repeat(width % 2)}${'😀'.repeat(400)}`;
      const cut = violated('A', { message: 'x', excerpt: [line, `> ${line}`] });
      expect([width, /\p{Surrogate}/u.test(consoleReport(sample([cut]), { ...plain, width }))]).toEqual([
        width,
        false,
      ]);
    }
  });

  it('leaves no control character but the line feed and, with colour, SGR', () => {
    fc.assert(
      fc.property(
        hostileReport,
        fc.record({ color: fc.boolean(), verbose: fc.boolean(), width: fc.integer({ min: 1, max: 200 }) }),
        (report, options) => {
          const shown = consoleReport(report, options);
          const bare = options.color ? shown.replace(sgr, '') : shown;
          expect(bare).not.toMatch(/[^\P{C}\n\p{Co}\p{Cn}]/u);
          expect(bare).not.toMatch(command);
          expect(shown.endsWith('\n')).toBe(true);
        },
      ),
    );
  });
});

describe('colour', () => {
  it('appears on demand, and changes no word', () => {
    const shown = consoleReport(mixed, { color: true });
    expect(shown).toMatch(sgr);
    expect(shown.replace(sgr, '')).toBe(consoleReport(mixed, plain));
  });
});

describe('several failures', () => {
  const first = {
    id: 'FOLD-A15',
    scenario: 'cancel',
    at_ms: 300,
    message: 'text came',
    failures: 5,
  } as const;
  const lines = (trap?: string): readonly string[] =>
    consoleReport(
      { ...mixed, first_failure: { ...first, ...(trap === undefined ? {} : { trap }) } },
      { color: false, width: 60 },
    ).split('\n');

  it('have one paragraph above the verdict: the first one, and its usual cause', () => {
    const text = lines('no check after a wait.').join(' ');
    expect(text).toMatch(
      /5 requirements failed; the first fatal one was FOLD-A15 in scenario cancel at 300 ms: text came\. Often the cause is: no check after a wait\. {2}not conformant/u,
    );
    expect(lines().join(' ')).toContain('text came. wireproof explain FOLD-A15 says more.');
  });

  it('cut the lines of an excerpt to the width; the event at fault has up to three', () => {
    const excerpt = [`  #1 ${'a'.repeat(500)}`, `> #2 ${'b'.repeat(500)}`];
    const text = consoleReport(
      { ...mixed, requirements: [violated('FOLD-A15', { excerpt })] },
      { color: false, width: 60 },
    ).split('\n');
    expect(text.filter((line) => line.includes('aaa')).map((line) => line.length)).toEqual([60]);
    expect(text.filter((line) => line.includes('bbb')).map((line) => line.length)).toEqual([60, 60, 60]);
  });
});
