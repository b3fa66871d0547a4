import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../kit/world/index.ts';
import { ClientCall } from './call.ts';
import type { CallOptions, CallOutput } from './call.ts';
import type { Conversation } from '../dialects/shared/conversation.ts';
import type { ClientError, Decoded, LlmRequest, ResponseEvent } from '../messages.ts';

const request: LlmRequest = {
  dialect: 'anthropic',
  model: 'm',
  messages: [{ role: 'user', content: 'Hi.' }],
  tools: [],
  stream: true,
  includeUsage: true,
};

const busy: ClientError = { kind: 'provider', message: 'busy', status: 529, retryable: true };

/** An exchange in which each chunk is a word: `done` ends it, `!` is an error, any other word is text. */
class Words implements Conversation {
  readonly metadata = { ':path': '/words' };
  readonly first: readonly Uint8Array[] = [Buffer.from('ask')];
  readonly closes = true;
  readonly endsItself: boolean;
  done = false;
  #text = '';
  readonly #error: ClientError | undefined;

  constructor(endsItself: boolean, error: ClientError | undefined) {
    this.endsItself = endsItself;
    this.#error = error;
  }

  headers(): void {}

  take(chunk: Uint8Array): { send: readonly Uint8Array[]; events: readonly ResponseEvent[] } {
    const text = Buffer.from(chunk).toString();
    this.done = text === 'done';
    if (this.done) return { send: [], events: [] };
    this.#text += text;
    return { send: [], events: [{ type: 'text', text }] };
  }

  cancel(): readonly Uint8Array[] {
    return [Buffer.from('cancel')];
  }

  end(how: 'clean' | 'reset'): Decoded {
    const lost: ClientError = { kind: 'connection', message: how, retryable: true };
    const error = this.#error ?? (this.done ? undefined : lost);
    const metadata = { stopReason: error === undefined ? ('end_turn' as const) : ('error' as const) };
    const response = { content: this.#text, toolCalls: [], metadata, warnings: [] };
    return error === undefined ? { response } : { response, error };
  }
}

const retries = { attempts: 3, base: 1000, most: 30_000, patience: 60_000 };

/** A call whose exchanges end with these errors in order, then without an error. */
function callOf(errors: readonly ClientError[] = [], endsItself = true): ClientCall {
  const left = [...errors];
  const converse: CallOptions['converse'] = () => new Words(endsItself, left.shift());
  return new ClientCall({
    baseUrl: 'http://x',
    request,
    retries,
    idle: 5000,
    random: seededRandom('1'),
    converse,
  });
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const doings = (outputs: readonly CallOutput[]): string[] =>
  outputs.map((output) => (output.do === 'timer' ? `timer ${output.ms}` : output.do));
const done = (outputs: readonly CallOutput[]): Decoded | undefined =>
  outputs.flatMap((output) => (output.do === 'done' ? [output.decoded] : []))[0];

describe('a call', () => {
  it('dials, asks, and waits', () => {
    expect(doings(callOf().start())).toEqual(['dial', 'send', 'half_close', 'timer 5000']);
  });

  it('shows events as they come, restarts its timer at each chunk, and is done at the end', () => {
    const call = callOf();
    call.start();
    expect(doings(call.bytes(bytes('one')))).toEqual(['show', 'timer 5000']);
    call.bytes(bytes('done'));
    expect(done(call.ended(true))).toMatchObject({ response: { content: 'one' } });
  });

  // After a terminal, events of the connection change nothing.
  it('is done at a reset after the terminal', () => {
    const call = callOf();
    call.start();
    call.bytes(bytes('done'));
    expect(done(call.ended(false))?.error).toBe(undefined);
  });

  it('closes a connection that does not end after its terminal', () => {
    const call = callOf();
    call.start();
    call.bytes(bytes('done'));
    expect(doings(call.timer())).toEqual(['close', 'no_timer', 'done']);
  });

  it('ends the exchange itself at once when the dialect leaves that to the client', () => {
    const call = callOf([], false);
    call.start();
    expect(doings(call.bytes(bytes('done')))).toEqual(['close', 'no_timer', 'done']);
  });

  it('ignores all input when it is done', () => {
    const call = callOf();
    call.start();
    call.bytes(bytes('done'));
    call.ended(true);
    expect([call.bytes(bytes('x')), call.ended(true), call.timer(), call.abort()]).toEqual([[], [], [], []]);
  });
});

describe('another attempt', () => {
  it('is made after a delay, and not more often than the policy allows', () => {
    const call = callOf([busy, busy, busy, busy]);
    call.start();
    for (const ms of [1000, 2000]) {
      const [wait] = call.ended(true);
      expect(wait).toMatchObject({ do: 'timer' });
      if (wait?.do !== 'timer') return;
      expect(Math.abs(wait.ms - ms)).toBeLessThanOrEqual(ms * 0.1);
      expect(doings(call.timer())[0]).toBe('dial');
    }
    expect(done(call.ended(true))?.error).toEqual(busy);
  });

  // LLM-C09: "nothing is retried after output was consumed".
  it('is never made after output was shown', () => {
    const call = callOf();
    call.start();
    call.bytes(bytes('one'));
    expect(done(call.ended(false))).toMatchObject({
      response: { content: 'one' },
      error: { kind: 'connection' },
    });
  });

  it('is not made when the caller aborts during the delay', () => {
    const call = callOf([busy]);
    call.start();
    call.ended(true);
    expect(done(call.abort())?.error).toMatchObject({ kind: 'aborted' });
    expect(call.timer()).toEqual([]);
  });
});

describe('silence', () => {
  // LLM-C15, LLM-C23.
  it('ends the call with the response so far, and closes the connection', () => {
    const call = callOf();
    call.start();
    call.bytes(bytes('one'));
    const outputs = call.timer();
    expect(doings(outputs)).toEqual(['close', 'no_timer', 'done']);
    expect(done(outputs)).toMatchObject({ response: { content: 'one' }, error: { kind: 'timeout' } });
  });
});

describe('an abort', () => {
  // LLM-C10; llm.md, (f): LM Studio is told, all are closed.
  it('cancels in the dialect’s way, closes the connection, and keeps the response so far', () => {
    const call = callOf();
    call.start();
    call.bytes(bytes('one'));
    const outputs = call.abort();
    expect(doings(outputs)).toEqual(['send', 'close', 'no_timer', 'done']);
    expect(done(outputs)).toMatchObject({
      response: { content: 'one', metadata: { stopReason: 'cancelled' } },
      error: { kind: 'aborted', retryable: false },
    });
  });
});
