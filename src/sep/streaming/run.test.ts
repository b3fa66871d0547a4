/** A stream ends in every way: left, broken, never read; no rejection is left behind, and nothing runs on. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StreamingProtocolParser } from './streaming-protocol-parser.ts';
import type { ActionExecutor } from './streaming-protocol-parser.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  // Rejections are told after the microtasks.
  await pause(5);
  process.removeListener('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

const action = '<action type="tool" mode="async" id="a">{"name":"a"}</action>';

/** A stream that gives these pieces, then goes on as `then` says, and knows that it was ended. */
function sourceOf(pieces: readonly string[], then: () => Promise<IteratorResult<string>>) {
  const source = {
    pulled: 0,
    returned: 0,
    next: (): Promise<IteratorResult<string>> => {
      const value = pieces[source.pulled++];
      return value === undefined ? then() : Promise.resolve({ value, done: false });
    },
    return: () => {
      source.returned++;
      return Promise.resolve({ value: undefined, done: true as const });
    },
    [Symbol.asyncIterator]: () => source,
  };
  return source;
}

const never = (): Promise<never> => new Promise(() => {});
const ended = (): Promise<IteratorResult<string>> => Promise.resolve({ value: undefined, done: true });

const parserOf = (actionExecutor: ActionExecutor = () => 1): StreamingProtocolParser =>
  new StreamingProtocolParser({ actionExecutor });

describe('leaving the loop', () => {
  it('ends the stream, also one that waits for its next piece, and aborts what runs', async () => {
    const source = sourceOf([action], never);
    let isAborted = false;
    const parser = parserOf(
      (_, signal) => new Promise(() => signal.addEventListener('abort', () => (isAborted = true))),
    );
    for await (const { tokenType } of parser.parseStream(source)) if (tokenType === 'started') break;
    expect({ isAborted, returned: source.returned }).toEqual({ isAborted: true, returned: 1 });
  });

  it('aborts actions that are not tracked', async () => {
    let isAborted = false;
    const parser = parserOf(
      (_, signal) => new Promise(() => signal.addEventListener('abort', () => (isAborted = true))),
    );
    const source = sourceOf([action.replace('async', 'fire_and_forget')], never);
    for await (const { tokenType } of parser.parseStream(source)) if (tokenType === 'started') break;
    expect(isAborted).toBe(true);
  });

  it('ends a generator, so that its finally runs', async () => {
    let isOver = false;
    async function* generator(): AsyncGenerator<string> {
      try {
        for (;;) yield '<thought>x</thought>';
      } finally {
        isOver = true;
      }
    }
    for await (const { tokenType } of parserOf().parseStream(generator())) if (tokenType === 'thought') break;
    await pause(0);
    expect(isOver).toBe(true);
  });

  it('answers a next that waits', async () => {
    const events = parserOf().parseStream(sourceOf([], never));
    await events.next();
    const waiting = events.next();
    await events.return?.();
    expect((await waiting).value).toMatchObject({ tokenType: 'finished' });
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });

  it('lets a piece, an error and an outcome that come later go', async () => {
    let break_: (reason: Error) => void = () => {};
    let reject: (reason: Error) => void = () => {};
    const source = sourceOf([action], () => new Promise((_, no) => (break_ = no)));
    const parser = parserOf(() => new Promise((_, no) => (reject = no)));
    for await (const { tokenType } of parser.parseStream(source)) if (tokenType === 'started') break;
    break_(new Error('cut'));
    reject(new Error('no network'));
  });
});

describe('a broken stream', () => {
  it('throws after the events before it, once they are asked for', async () => {
    const events = parserOf().parseStream(
      sourceOf(['<thought>x</thought>'], () => Promise.reject(new Error('cut'))),
    );
    await events.next();
    await pause(10);
    const types: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const { tokenType } of events) types.push(tokenType);
    };
    await expect(reading()).rejects.toThrow('cut');
    expect(types).toEqual(['thought', 'finished']);
  });

  it('aborts what runs', async () => {
    let isAborted = false;
    const parser = parserOf(
      (_, signal) => new Promise(() => signal.addEventListener('abort', () => (isAborted = true))),
    );
    const reading = async (): Promise<void> => {
      for await (const _ of parser.parseStream(sourceOf([action], () => Promise.reject(new Error('cut')))));
    };
    await expect(reading()).rejects.toThrow('cut');
    expect(isAborted).toBe(true);
  });
});

describe('an action executor', () => {
  it.each<[string, ActionExecutor, string]>([
    ['rejects', () => Promise.reject(new Error('no network')), 'no network'],
    ['throws null', () => Promise.reject(null), 'null'],
    [
      'throws what has no text',
      () => Promise.reject(Object.create(null) as Error),
      'a value that has no text',
    ],
    [
      'gives what is no JSON',
      () => Symbol('10') as unknown as number,
      'expected an output to be JSON; came a symbol',
    ],
  ])('that %s fails its action', async (_, executor, error) => {
    const failed: string[] = [];
    for await (const { tokenType, content } of parserOf(executor).parseStream(sourceOf([action], ended)))
      if (tokenType === 'failed') failed.push(content);
    expect(failed).toEqual([error]);
  });
});

describe('a consumer that does not read', () => {
  it('stops the reading of the stream', async () => {
    const source = sourceOf(
      Array.from({ length: 10_000 }, () => '<thought>x</thought>'),
      ended,
    );
    const events = parserOf().parseStream(source);
    await events.next();
    await pause(10);
    expect(source.pulled).toBeLessThan(300);
    let count = 0;
    for await (const { tokenType } of events) if (tokenType === 'thought') count++;
    expect(count).toBe(10_000);
  });

  it('stops it where the option says', async () => {
    const source = sourceOf(
      Array.from({ length: 100 }, () => '<thought>x</thought>'),
      ended,
    );
    const events = new StreamingProtocolParser({ actionExecutor: () => 1, mostUnread: 2 }).parseStream(
      source,
    );
    await events.next();
    await pause(10);
    expect(source.pulled).toBeLessThan(5);
    await events.return?.();
    expect(source.returned).toBe(1);
  });

  it('lets actions run on', async () => {
    let isDone = false;
    const parser = parserOf(async () => {
      await pause(1);
      isDone = true;
    });
    const events = parser.parseStream(sourceOf([action], never));
    await events.next();
    await pause(20);
    expect(isDone).toBe(true);
    await events.return?.();
  });
});

it('a turn that fails ends a stream that goes on', async () => {
  const source = sourceOf([action.replace('"name":"a"', '"name":"a","on_error":"fail"')], never);
  const types: string[] = [];
  for await (const { tokenType } of parserOf(() => Promise.reject(new Error('no'))).parseStream(source))
    types.push(tokenType);
  expect(types.slice(-2)).toEqual(['failed', 'finished']);
  expect(source.returned).toBe(1);
});

describe('feeds of a stream', () => {
  it('are fetched before the stream is read, and are values of $names (SEP-67)', async () => {
    const source = { type: 'tool', name: 'clock', params: {} } as const;
    const parser = new StreamingProtocolParser({
      actionExecutor: () => null,
      feeds: { feeds: [{ id: 'now', trigger: 'on_demand', enabled: true, source }] },
      fetchFeed: async ({ name }) => {
        await new Promise((resolve) => void setTimeout(resolve, 5));
        return `${name} says noon`;
      },
    });
    // eslint-disable-next-line @typescript-eslint/require-await
    async function* output(): AsyncGenerator<string> {
      yield '<response>$now</response>';
    }
    const seen: string[] = [];
    for await (const { tokenType, content } of parser.parseStream(output()))
      if (tokenType === 'context_feed' || tokenType === 'response') seen.push(content);
    expect(seen).toEqual(['clock says noon', 'clock says noon']);
  });
});
