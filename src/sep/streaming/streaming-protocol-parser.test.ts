/** Streams of real time: actions run while the model speaks. */
import { expect, it } from 'vitest';
import { executorOf, StreamingProtocolParser } from './streaming-protocol-parser.ts';
import type { StreamEvent } from './events.ts';
import type { ActionExecutor, StreamingProtocolParserOptions } from './streaming-protocol-parser.ts';

async function* streamOf(chunks: readonly string[]): AsyncGenerator<string> {
  for (const chunk of chunks) {
    await Promise.resolve();
    yield chunk;
  }
}

const read = async (chunks: readonly string[], actionExecutor: ActionExecutor): Promise<StreamEvent[]> => {
  const events: StreamEvent[] = [];
  // A time limit is over at once.
  const parser = new StreamingProtocolParser({
    actionExecutor,
    timer: (_, run) => (queueMicrotask(run), () => {}),
  });
  for await (const event of parser.parseStream(streamOf(chunks))) events.push(event);
  return events;
};

const types = (events: readonly StreamEvent[]): readonly string[] => events.map(({ tokenType }) => tokenType);

it('runs an action as it closes, and puts its output into the response', async () => {
  const chunks = [
    '<thought>a</thought><action type="tool" mode="sync" id="f">{"name":"fetch","parameters":{"n":1},"output',
    '_key":"x"}</action><response>$',
    'x</response>',
  ];
  const events = await read(chunks, ({ name, parameters }) => ({ name, ...parameters }));
  expect(types(events)).toEqual([
    'iteration',
    'thought',
    'action',
    'started',
    'completed',
    'response',
    'response_end',
    'finished',
  ]);
  expect(events.find(({ tokenType }) => tokenType === 'response')?.content).toBe('{"name":"fetch","n":1}');
  expect(events.find(({ tokenType }) => tokenType === 'action')?.metadata.action?.name).toBe('fetch');
});

it('gives the model the reason of a failure, and aborts an attempt whose time is over', async () => {
  const aborted: boolean[] = [];
  const events = await read(
    [
      '<action type="tool" mode="async" id="bad">{"name":"bad"}</action><action type="tool" mode="async" id="slow">{"name":"slow","timeout":1}</action><response>x</response>',
    ],
    async ({ name }, signal) => {
      if (name === 'bad') throw new Error('no network');
      await new Promise((done) => signal.addEventListener('abort', done));
      aborted.push(signal.aborted);
      return 'late';
    },
  );
  expect(
    events
      .filter(({ tokenType }) => tokenType === 'failed')
      .map(({ content }) => content)
      .toSorted(),
  ).toEqual(['no network', 'timed out after 1 s']);
  expect(aborted).toEqual([true]);
});

it('runs actions with the provider of their type, and fails those of a type without one', async () => {
  const output = ['tool', 'agent', 'relic', 'workflow', 'llm']
    .map((type) => `<action type="${type}" mode="async" id="${type}">{"name":"n"}</action>`)
    .join('');
  const events = await read(
    [output],
    executorOf({
      tool: { run: ({ action }) => action.type },
      agent: { run: async ({ action }) => action.type },
      relic: { run: () => Promise.reject(new Error('no service')) },
      workflow: { run: () => {} },
    }),
  );
  const outcomes = events.flatMap(({ metadata: { event } }) => {
    if (event.type === 'completed') return [[event.id, event.output]];
    return event.type === 'failed' ? [[event.id, event.error]] : [];
  });
  expect(Object.fromEntries(outcomes)).toEqual({
    tool: 'tool',
    agent: 'agent',
    relic: 'no service',
    workflow: null,
    llm: 'there is no provider of the type llm for n',
  });
});

it('has the limits of a run as options', async () => {
  const action =
    '<action type="tool" mode="sync" id="a">{"name":"n","retry":9,"parameters":{"p":"123456"}}</action>';
  async function played(limits: Partial<StreamingProtocolParserOptions>): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    const parser = new StreamingProtocolParser({ actionExecutor: ({ parameters }) => parameters, ...limits });
    for await (const event of parser.parseStream(streamOf([`${action}<response>is $a</response>`])))
      events.push(event);
    return events;
  }
  const outcome = (events: readonly StreamEvent[]): unknown =>
    events.find(({ tokenType }) => tokenType === 'failed' || tokenType === 'completed')?.tokenType;
  const answer = (events: readonly StreamEvent[]): string =>
    events
      .filter(({ tokenType }) => tokenType === 'response')
      .map(({ content }) => content)
      .join('');
  expect(answer(await played({}))).toBe('is {"p":"123456"}');
  expect(outcome(await played({ mostValue: 10 }))).toBe('failed');
  expect(outcome(await played({ mostBody: 10 }))).toBeUndefined();
  expect(answer(await played({ mostSubstituted: 5 }))).toBe('is $a');
  const failing = await played({ mostRetries: 1, actionExecutor: () => Promise.reject(new Error('no')) });
  expect(failing.find(({ tokenType }) => tokenType === 'failed')?.metadata.event).toMatchObject({
    attempts: 2,
  });
});

it('gives advice when it is asked to', async () => {
  const fetches = ['fetch1', 'fetch2'].map(
    (id) => `<action type="tool" mode="sync" id="${id}">{"name":"fetch"}</action>`,
  );
  const parser = new StreamingProtocolParser({ actionExecutor: () => 1, advice: true });
  const advice: StreamEvent[] = [];
  for await (const event of parser.parseStream(streamOf(fetches)))
    if (event.tokenType === 'diagnostic') advice.push(event);
  // "Use Parallel Actions" of the document: its bad example.
  expect(advice).toMatchObject([
    {
      content: expect.stringMatching(/^fetch1, fetch2 are sync/) as string,
      metadata: { event: { level: 'info', code: 'advice-sync' } },
    },
  ]);
});
