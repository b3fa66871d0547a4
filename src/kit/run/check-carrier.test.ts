/** A suite of its own, small enough to be seen whole: an echo server, met on every carrier and in every way. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isObject } from '../base/index.ts';
import type { Scenario } from '../base/index.ts';
import { readRequirements } from '../spec/index.ts';
import type { Requirement } from '../spec/index.ts';
import { check } from './check.ts';
import type { CheckOptions, Checked } from './check-options.ts';
import { exercised, rule, violated } from '../judge/rule.ts';
import { selftest } from '../suite/selftest.ts';
import { simulate } from '../suite/simulated.ts';
import type { Hello, Suite } from '../suite/suite.ts';
import type { TargetPlan } from '../suite/target-plan.ts';
import { lineFraming, testeeOf, tester } from '../testee/index.ts';

interface View {
  asked: unknown;
  hello: Hello | undefined;
}

const echo: Suite<View> = {
  id: 'echo/server',
  protocol: 'echo',
  role: 'server',
  title: 'Echo',
  features: [],
  judging: {
    topicOf: (event) => (event.kind === 'message' ? event.from : event.kind),
    view: {
      start: () => ({ asked: undefined, hello: undefined }),
      step: (view, { kind, from, data }) => {
        if (kind !== 'message') return;
        if (from !== 'target') view.asked = data['say'];
        else if (isObject(data['ok']))
          view.hello ??= { ...data['ok'], answer: data['ok'] } as unknown as Hello;
      },
    },
    rules: [
      rule({
        requirement: 'ECHO-01',
        listens: ['target'],
        start: () => null,
        step: (_, event, view: View) => {
          const { say } = event.data;
          if (say === undefined) return undefined;
          const expected = `expected ${String(view.asked)}; came ${String(say)}`;
          return say === view.asked ? exercised(event) : violated(event, expected);
        },
      }),
    ],
  },
  secrets: { metadata: [], fields: [], may: () => false },
  timeouts: { handshake: 3000, step: 2000, late: 20 },
  target: {
    kind: 'meets',
    carriers: ['stdio', 'tcp'],
    framing: lineFraming,
    drive: 'lines',
    advertised: () => [],
  },
  unsupported: () => undefined,
  peers: { 'echo/client': () => tester },
  conditionalRows: [],
  statement: { target: '' },
  reference: () => testeeOf((request) => request),
  mutants: () => [
    {
      id: 'deaf',
      breaks: 'ECHO-01',
      title: 'says something else',
      make: () => testeeOf(() => ({ say: 'what?' })),
    },
  ],
};

const rows: Requirement[] = [
  {
    id: 'ECHO-01',
    level: 'MUST',
    roles: ['server'],
    text: 'What is said comes back.',
    source: { document: 'here', section: '1' },
    since: '0.1.0',
  },
];

const scenario = (name: string, say: string): Scenario => ({
  name,
  title: name,
  suite: echo.id,
  needs: { drive: [], features: [] },
  exercises: ['ECHO-01'],
  fresh: false,
  alone: false,
  last: false,
  reference: {},
  peers: { client: { role: 'echo/client', options: {} } },
  steps: [
    { send: { from: 'client', verbatim: true, message: { say } } },
    { await: { from: 'target', match: { say: '$any' } } },
  ],
});

/** What a test sets. */
type Wanted = Partial<CheckOptions> & { readonly target: TargetPlan };

function run(wanted: Wanted): Promise<Checked> {
  return check({
    kit: '0',
    suite: echo,
    revision: '1',
    requirements: rows,
    scenarios: [scenario('one', 'hello'), scenario('two', '${not a variable}')],
    targetName: 'echo',
    drive: 'auto',
    statement: undefined,
    stated: undefined,
    expected: [],
    methods: [],
    timeouts: echo.timeouts,
    timeoutScale: 1,
    jobs: 2,
    seed: '1',
    strict: false,
    failFast: false,
    redact: undefined,
    maxReceive: 1 << 20,
    today: '2026-01-01',
    untestable: {},
    signal: new AbortController().signal,
    replay: () => '',
    progress: () => {},
    listening: () => {},
    ...wanted,
  });
}

const command = (code: string, ...more: string[]): TargetPlan => ({
  kind: 'command',
  command: [process.execPath, '-e', code, ...more],
  env: {},
});

const pipes = 'process.stdin.pipe(process.stdout)';
const dials =
  "const [host,port]=process.argv[1].split(':');const s=require('net').connect(+port,host);s.pipe(s)";
const listens =
  "const p=process.argv[1].split(':')[1];require('net').createServer(s=>s.pipe(s)).listen(+p,'127.0.0.1')";

describe('a target that meets the kit', () => {
  it.each([
    ['on its stdin and stdout', { ...command(pipes), carrier: 'stdio' as const }],
    ['by dialling', { ...command(dials, '{address}'), carrier: 'tcp' as const }],
    ['by listening', { ...command(listens, '{listen}'), carrier: 'tcp' as const }],
  ])('%s: is judged by what came back', async (_, target) => {
    const { report, traces } = await run({ target });
    expect(report.verdict).toBe('conformant');
    expect(report.requirements).toMatchObject([{ id: 'ECHO-01', verdict: 'pass', exercised: 2 }]);
    expect(traces.map(({ name }) => name).toSorted()).toEqual(['one', 'two']);
    const opened = traces[0]?.events.find(({ kind }) => kind === 'open');
    expect(opened?.data[':carrier']).toBe(target.carrier);
  });

  it.each(['tcp', 'stdio'] as const)(
    '%s: no more of its programs start at a time than there are processors',
    async (carrier) => {
      const folder = mkdtempSync(join(tmpdir(), 'wireproof-'));
      const log = join(folder, 'starts.txt');
      const noted = (what: string): string =>
        `require('fs').appendFileSync(${JSON.stringify(log)},'${what}\\n');`;
      const slowly = `${noted('begins')}setTimeout(()=>{${noted('is up')}${carrier === 'tcp' ? dials : pipes}},150)`;
      const scenarios = Array.from({ length: 8 }, (_, i) => scenario(`n${i}`, 'hello'));
      const target: TargetPlan = { ...command(slowly, ...(carrier === 'tcp' ? ['{address}'] : [])), carrier };
      const { report } = await run({ target, scenarios, jobs: 8 });
      const starts = readFileSync(log, 'utf8').trimEnd().split('\n');
      rmSync(folder, { recursive: true });
      expect(report.requirements).toMatchObject([{ verdict: 'pass', exercised: 8 }]);
      let now = 0;
      const atOnce = starts.map((what) => (now += what === 'begins' ? 1 : -1));
      expect(Math.max(...atOnce)).toBeLessThanOrEqual(availableParallelism());
    },
  );

  it('that is started by hand and comes back for each scenario: one after another', async () => {
    const { createServer, connect } = await import('node:net');
    const free = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as { port: number };
        server.close(() => resolve(port));
      });
    });
    let done = false;
    const come = (): void => {
      if (done) return;
      const socket = connect(free, '127.0.0.1');
      socket.pipe(socket);
      socket.on('error', () => {});
      socket.on('close', () => setTimeout(come, 20));
    };
    come();
    const target: TargetPlan = { kind: 'listen', host: '127.0.0.1', port: free, carrier: 'tcp' };
    const { report } = await run({ target });
    done = true;
    expect(report.requirements).toMatchObject([{ verdict: 'pass', exercised: 2 }]);
  });

  it('and says something else: fails, with what came', async () => {
    const wrong = 'process.stdin.on(\'data\',()=>process.stdout.write(\'{"say":"no"}\\n\'))';
    const scenarios = [scenario('one', 'hello')];
    const { report } = await run({ target: { ...command(wrong), carrier: 'stdio' }, scenarios });
    expect(report.verdict).toBe('not-conformant');
    expect(report.requirements[0]?.message).toBe('expected hello; came no');
  });

  // Design, exit codes: "never connected: 3". On pipes that is a target that ends without a word.
  it('and ends before it says anything: is absent, with how it ended', async () => {
    const { report, absent } = await run({ target: { ...command('process.exit(3)'), carrier: 'stdio' } });
    expect(report.verdict).toBe('error');
    expect(absent?.message).toContain('the target exited with code 3 without output on its stdout');
    expect(report.requirements.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
  });

  it('and says nothing that can be read: is asked a few times, and told what was wrong with its words', async () => {
    const garbage = "process.stdin.on('data',()=>process.stdout.write('%%%\\n'))";
    const scenarios = Array.from({ length: 12 }, (_, i) => scenario(`n${i}`, 'hello'));
    const timeouts = { ...echo.timeouts, step: 3000 };
    const { report } = await run({ target: { ...command(garbage), carrier: 'stdio' }, scenarios, timeouts });
    expect(report.verdict).toBe('inconclusive');
    const early = report.scenarios.filter(({ outcome }) => outcome === 'ended-early');
    expect(early.length).toBeLessThan(6);
    expect(early[0]?.reason).toMatch(/^no say came from target within \d+ ms .*could not be read: .*%%%/);
    const left = report.scenarios.filter(({ outcome }) => outcome === 'not-run');
    expect(left.length + early.length).toBe(12);
    expect(left[0]?.reason).toContain('sent no readable message in the first');
  });

  it('and never dials: is absent, with what it printed', async () => {
    const target: TargetPlan = { ...command("console.log('I am lost')"), carrier: 'tcp' };
    const { report, absent } = await run({ target });
    expect(report.verdict).toBe('error');
    expect(absent?.message).toContain('the target exited with code 0 before it connected');
    expect(absent?.message).toContain('I am lost');
  });

  it('and dials once, but not again: is judged by what was seen', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-'));
    const mark = JSON.stringify(join(folder, 'first'));
    // The first process answers wrongly, and only after the other one had its time to connect.
    const wrong =
      "const [host,port]=process.argv[1].split(':');const s=require('net').connect(+port,host);s.on('data',()=>setTimeout(()=>s.write('{\"say\":\"no\"}\\n'),3500))";
    const code = `try{require('fs').mkdirSync(${mark});${wrong}}catch{setInterval(()=>{},1000)}`;
    const timeouts = { ...echo.timeouts, handshake: 3000, step: 9000 };
    const scenarios = [scenario('one', 'hello'), scenario('two', 'hello')];
    const target: TargetPlan = { ...command(code, '{address}'), carrier: 'tcp' };
    const { report, absent } = await run({ target, scenarios, timeouts });
    rmSync(folder, { recursive: true });
    expect([absent, report.verdict]).toEqual([undefined, 'not-conformant']);
    expect(report.requirements[0]?.message).toBe('expected hello; came no');
    expect(report.scenarios.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'ended-early']);
  });

  it('and cannot be started: is absent, and why is said', async () => {
    const target: TargetPlan = { kind: 'command', command: ['./no-such-program'], env: {}, carrier: 'stdio' };
    expect((await run({ target })).absent?.message).toContain('no such file or command');
  });

  it('and is not there to be connected to: is absent', async () => {
    const target: TargetPlan = { kind: 'connect', host: '127.0.0.1', port: 1, carrier: 'tcp' };
    expect((await run({ target })).absent?.message).toContain('cannot connect to 127.0.0.1:1');
  });
});

it('a target that finds its port taken is started again on another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wireproof-'));
  const mark = JSON.stringify(join(folder, 'tried'));
  const once = `if(!require('fs').existsSync(${mark})){require('fs').writeFileSync(${mark},'');console.error('Error: listen EADDRINUSE');process.exit(1)}`;
  const target: TargetPlan = { ...command(`${once};${listens}`, '{listen}'), carrier: 'tcp' };
  const { report } = await run({ target, scenarios: [scenario('one', 'hello')] });
  rmSync(folder, { recursive: true });
  expect(report.verdict).toBe('conformant');
});

describe('a target that says what it can do before it is asked more', () => {
  const suite: Suite<View> = {
    ...echo,
    target: {
      kind: 'meets',
      carriers: ['stdio'],
      framing: lineFraming,
      drive: 'lines',
      advertised: () => [],
      hello: {
        scenario: 'hello',
        of: ({ hello }) => hello,
        untestableRows: ({ ops }): { [row: string]: string } =>
          ops.includes('say') ? {} : { 'ECHO-01': 'it lacks say' },
      },
    },
  };
  const hello: Scenario = {
    ...scenario('hello', ''),
    exercises: [],
    steps: [
      { send: { from: 'client', verbatim: true, message: { id: 'hello', op: 'hello' } } },
      { await: { from: 'target', match: { id: 'hello' }, within: '$timeouts.handshake' } },
    ],
  };
  const say = scenario('say', 'hello');
  const needing = (name: string, needs: Partial<Scenario['needs']>): Scenario => ({
    ...scenario(name, 'hello'),
    needs: { ...say.needs, ...needs },
  });
  const scenarios = [
    hello,
    say,
    needing('song', { ops: ['sing'] }),
    needing('timed', { virtual_time: true }),
  ];
  const timeouts = { ...echo.timeouts, handshake: 700 };
  const play = (code: string): Promise<Checked> =>
    run({ suite, scenarios, timeouts, target: { ...command(code), carrier: 'stdio' } });
  const answering = (said: object): string =>
    `require('readline').createInterface({input:process.stdin}).on('line',l=>{const m=JSON.parse(l);` +
    `console.log(JSON.stringify(m.op==='hello'?{id:m.id,...${JSON.stringify(said)}}:m))})`;
  const offer = { ops: ['say'], features: [], virtual_time: false };
  const outcomes = ({ report }: Checked): object =>
    Object.fromEntries(report.scenarios.map(({ name, outcome, reason }) => [name, reason ?? outcome]));

  it('is asked for no operation that it lacks', async () => {
    const checked = await play(answering({ ok: offer }));
    expect(outcomes(checked)).toEqual({
      hello: 'done',
      say: 'done',
      song: 'needs sing, which the target does not offer',
      timed: 'needs virtual time, which the target does not offer',
    });
    expect(checked.report.requirements).toMatchObject([{ verdict: 'pass', exercised: 1 }]);
  });

  /** Three scenarios whose requests have the same id. */
  const sayings = ['one', 'two', 'three'].map((word): Scenario => ({
    ...scenario(word, word),
    steps: [
      { send: { from: 'client', verbatim: true, message: { id: 'turn', say: word } } },
      { await: { from: 'target', match: { id: 'turn', say: word } } },
    ],
  }));
  const reading = `const heard=[];require('readline').createInterface({input:process.stdin}).on('line',l=>{const m=JSON.parse(l);if(m.op==='hello')return console.log(JSON.stringify({id:m.id,ok:${JSON.stringify({ ...offer, concurrent: 3 })}}));`;

  it('and answers several requests at a time, serves scenarios side by side in one process', async () => {
    // It answers when three requests have come, in reverse order. A process of its own would never answer.
    const code = `${reading}if(heard.push(m)===3)for(const one of heard.reverse())console.log(JSON.stringify(one))})`;
    const { report } = await run({
      suite,
      scenarios: [hello, ...sayings],
      target: { ...command(code), carrier: 'stdio' },
    });
    expect(report.requirements).toMatchObject([{ verdict: 'pass', exercised: 3 }]);
  });

  it('and dies of one request: no other scenario is blamed, and later ones get another process', async () => {
    const code = `${reading}if(m.say==='two')process.exit(3);setTimeout(()=>console.log(JSON.stringify(m)),300)})`;
    const { report } = await run({
      suite,
      scenarios: [hello, ...sayings],
      target: { ...command(code), carrier: 'stdio' },
    });
    expect(report.requirements).toMatchObject([{ verdict: expect.stringMatching(/^(pass|not-observed)$/) }]);
    expect(report.scenarios.find(({ name }) => name === 'two')?.reason).toContain(
      'the process of the target ended',
    );
  });

  it('and offers nothing that shows a requirement: that is untestable, never passed', async () => {
    const { report } = await run({
      suite,
      scenarios: [hello, needing('song', { ops: ['sing'] })],
      target: { ...command(answering({ ok: { ...offer, ops: [] } })), carrier: 'stdio' },
    });
    expect(report.requirements).toMatchObject([{ verdict: 'untestable', reason: 'it lacks say' }]);
  });

  it.each([[{ error: { code: 'bad-input', message: 'hello?' } }], [{ unsupported: true }]])(
    'and answers %j instead: is asked all the same',
    async (said) => {
      const { report, absent } = await play(answering(said));
      expect(absent).toBeUndefined();
      expect(report.scenarios.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done']);
    },
  );

  it.each([
    [
      'says nothing',
      'setInterval(() => {}, 1000)',
      / in 700 ms; it must .* on its stdout; it printed nothing/,
    ],
    ['says something else', pipes, /hello; it must .*; it printed:\n {4}\{"id":"hello","op":"hello"\}/],
    [
      'lists files and ends',
      "console.log('README.md');console.log('src')",
      /hello: it exited with code 0; it must .*; it printed:\n {4}README\.md\n {4}src/,
    ],
  ])('and %s: is absent in one sentence, and asked no more', async (_, code, sentence) => {
    const { report, absent, traces } = await play(code);
    expect(absent?.message).toMatch(/^the program did not answer hello/);
    expect(absent?.message).toMatch(sentence);
    expect(report.scenarios.map(({ name }) => name)).toEqual(['hello']);
    expect([report.verdict, traces.length]).toEqual(['error', 0]);
  });
});

describe('in the simulated world', () => {
  it('the same suite proves itself: its mutant is caught, a silent target passes nothing', () => {
    const scenarios = [scenario('one', 'hello')];
    const { failures, mutants } = selftest(echo, { requirements: rows, scenarios, seed: '1' });
    expect(failures).toEqual([]);
    expect(mutants).toMatchObject([{ killed: true }]);
  });

  it('a line that is split is put together again', () => {
    const { steps, ...rest } = scenario('split', 'hello');
    const split: Scenario = {
      ...rest,
      steps: [{ fault: { on: 'client', kind: 'split', size: 1 } }, ...steps],
    };
    const { played, found } = simulate({ suite: echo, scenario: split, target: echo.reference(), seed: '1' });
    expect([played.outcome, found.get('ECHO-01')?.exercised]).toEqual(['done', 1]);
  });
});

it('rows may be owed by several roles', () => {
  const { requirements } = readRequirements('fold');
  expect(new Set(requirements.flatMap(({ roles }) => roles))).toEqual(new Set(['agent', 'gateway']));
});
