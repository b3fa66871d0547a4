/** Random lives of a whole agent: whatever a gateway and a provider send, it throws nothing, and owes nobody an end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RoleInput, RoleOutput } from '../kit/base/index.ts';
import { seededRandom } from '../kit/world/index.ts';
import { serverCodec } from '../fold/index.ts';
import type { AgentMessage, ServerMessage } from '../fold/index.ts';
import { dialects } from '../llm/index.ts';
import { askUser, deferTools, faultsOf, firstOf, switchModel } from '../tokens/index.ts';
import { wholeAgent } from './agent.ts';
import type { ToolCommand, WholeAgentOptions } from './options.ts';
import { pureTools, readFileTool } from './tools/tools.ts';
import type { AgentIn, AgentOut } from './wire.ts';

type Input = RoleInput<AgentIn, ToolCommand>;

const id = fc.constantFrom('r1', 'r2', 'r3', 'r4');
const text = fc.constantFrom('', 'Go on', 'x'.repeat(3000), 'release', '\uD800');
const thread_id = fc.constantFrom('', 't', 'u');
const priority = fc
  .constantFrom<0 | 1 | 2 | 3>(0, 1, 2, 3)
  .map((n) =>
    n === 0
      ? undefined
      : (
          [
            'INJECTION_PRIORITY_IMMEDIATE',
            'INJECTION_PRIORITY_NORMAL',
            'INJECTION_PRIORITY_DEFERRED',
          ] as const
        )[n - 1],
  );

/** Messages of a gateway, some of them odd. */
const fromGateway: fc.Arbitrary<ServerMessage> = fc.oneof(
  fc.record({ request_id: id, content: text, thread_id }).map((send_message) => ({ send_message })),
  fc
    .record({ injection_id: fc.uuid(), content: text, priority })
    .map((inject_context) => ({ inject_context }) as ServerMessage),
  fc.record({ request_id: id, reason: text }).map((cancel_request) => ({ cancel_request })),
  fc
    .record({ id: fc.nat(9).map((n) => `tool-${n}`), approved: fc.boolean(), approve_all: fc.boolean() })
    .map((tool_approval) => ({ tool_approval })),
  fc.constant<ServerMessage>({}),
);

const sse = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`;
const call = (index: number, input: string): string =>
  sse('content_block_start', {
    index,
    content_block: { type: 'tool_use', id: `c${index}`, name: 'echo', input: {} },
  }) +
  sse('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: input } }) +
  sse('content_block_stop', { index });
const stop = (reason: string): string =>
  sse('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 5 } }) +
  sse('message_stop', {});

/** Pieces of answers, in the words of one dialect, and noise: in most orders they are no answer. */
const fromModel: fc.Arbitrary<Uint8Array> = fc
  .oneof(
    fc.constantFrom(
      sse('message_start', { message: { id: 'm', model: 'm', usage: { input_tokens: 9 } } }),
      sse('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      sse('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
      sse('content_block_stop', { index: 0 }),
      call(1, '{"text":"a"}'),
      call(2, '{"text":'),
      call(3, '[]'),
      stop('end_turn'),
      stop('tool_use'),
      stop('max_tokens'),
      sse('error', { error: { type: 'overloaded_error', message: 'busy' } }),
      '{"done":true,"done_reason":"stop","message":{"content":"x"}}\n',
      'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    ),
    fc.string(),
  )
  .map((piece) => Buffer.from(piece));

/** What happens next: by what is open, the place says which link or timer it is for. */
const happening = fc.oneof(
  { weight: 3, arbitrary: fromGateway.map((message) => ({ do: 'gateway', message }) as const) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('bytes' as const), at: fc.nat(), bytes: fromModel }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('headers' as const, 'half_close' as const, 'left' as const),
      at: fc.nat(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('timer' as const), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ do: 'full' as const }, { do: 'drained' as const }, { do: 'lost' as const }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tool' as const), n: fc.nat(9) }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never;

/** Options of an agent whose window is nearly full from the beginning. */
type Narrow = Pick<WholeAgentOptions, 'window' | 'fallback'>;

/** With tools of some 250 tokens and a margin of 200, messages fill these windows soon. */
const narrows: fc.Arbitrary<Narrow> = fc.record({
  window: fc.constantFrom(550, 1000, 1500, 4000),
  fallback: fc.constantFrom(
    () => undefined,
    askUser(),
    firstOf(switchModel([{ name: 'large', window: 5000 }]), deferTools(), askUser()),
  ),
});

/** An agent whose links and timers a test moves. */
class Life {
  readonly #role;
  #state;
  #now = 0;
  readonly links: string[] = [];
  readonly timers = new Set<string>();
  gateway = '';
  /** The requests that have not ended. */
  readonly owed = new Set<string>();

  constructor(dialect: (typeof dialects)[number], narrow: Narrow = {}) {
    this.#role = wholeAgent({
      llm: { baseUrl: 'http://model', model: 'm', dialect },
      tools: [...pureTools, readFileTool],
      gated: ['echo'],
      window: 4000,
      random: seededRandom,
      ...narrow,
    });
    this.#state = this.#role.start();
    this.step({ type: 'started' });
    this.welcome();
  }

  step(input: Input): void {
    const { state, outputs } = this.#role.step(this.#state, input, this.#now++);
    this.#state = state;
    for (const output of outputs) this.#do(output);
    for (const { turn } of state.requests.values()) expect(faultsOf(turn.messages)).toEqual([]);
    for (const { messages } of state.threads.values()) expect(faultsOf(messages)).toEqual([]);
  }

  welcome(): void {
    this.step({ type: 'opened', peer: this.gateway, metadata: {} });
    this.step({ type: 'message', peer: this.gateway, message: { welcome: { agent_id: 'a' } } });
  }

  #do(output: RoleOutput<AgentOut>): void {
    if (output.type === 'dial' && output.metadata[':url'] === undefined) this.gateway = output.peer;
    else if (output.type === 'dial') this.links.push(output.peer);
    else if (output.type === 'start_timer') this.timers.add(output.id);
    else if (output.type === 'stop_timer') this.timers.delete(output.id);
    else if (output.type === 'close') this.#closed(output.peer);
    else if (output.type === 'send' && output.peer === this.gateway)
      this.#heard(output.message as AgentMessage);
  }

  /** Nothing comes for a request that is not open (FOLD-A13, A15), and an error has words. */
  #heard({ response }: AgentMessage): void {
    const { request_id = '', done, error, cancelled } = response ?? {};
    if (response === undefined) return;
    expect(this.owed.has(request_id)).toBe(true);
    if ((done ?? error ?? cancelled) !== undefined) this.owed.delete(request_id);
    if (error !== undefined) expect(error).not.toBe('');
  }

  #closed(peer: string): void {
    const at = this.links.indexOf(peer);
    if (at >= 0) this.links.splice(at, 1);
  }

  happen(next: Happening): void {
    const peer = 'at' in next ? this.links[next.at % Math.max(1, this.links.length)] : undefined;
    if (next.do === 'gateway' && next.message.send_message !== undefined)
      this.owed.add(next.message.send_message.request_id ?? '');
    if (next.do === 'gateway') this.step({ type: 'message', peer: this.gateway, message: next.message });
    else if (next.do === 'tool')
      this.step({ type: 'effect', id: `tool-${next.n}`, result: { outcome: 'completed', output: 'x' } });
    else if (next.do === 'full' || next.do === 'drained') this.step({ type: next.do, peer: this.gateway });
    else if (next.do === 'lost') this.#lose();
    else if (next.do === 'timer') this.#fire(next.at);
    else if (peer !== undefined) this.#link(next, peer);
  }

  #link(next: Happening, peer: string): void {
    if (next.do === 'bytes') this.step({ type: 'message', peer, message: { chunk: next.bytes } });
    else if (next.do === 'headers') this.step({ type: 'headers', peer, metadata: { ':status': '200' } });
    else if (next.do === 'half_close') this.step({ type: 'half_close', peer });
    else if (next.do === 'left') {
      this.#closed(peer);
      this.step({ type: 'left', peer });
    }
  }

  #lose(): void {
    this.owed.clear();
    this.step({ type: 'left', peer: this.gateway });
    this.step({ type: 'timer', id: 'reconnect' });
    this.timers.delete('reconnect');
    this.welcome();
  }

  #fire(at: number): void {
    const id = [...this.timers][at % Math.max(1, this.timers.size)];
    if (id === undefined) return;
    this.timers.delete(id);
    this.step({ type: 'timer', id });
  }

  open(): number {
    return this.#state.requests.size;
  }
}

it.each(dialects)(
  'with %s: throws nothing, ends each request once, and keeps each conversation valid',
  (dialect) => {
    fc.assert(
      fc.property(narrows, fc.array(happening, { maxLength: 60, size: 'max' }), (narrow, happenings) => {
        const life = new Life(dialect, narrow);
        for (const next of happenings) life.happen(next);
        life.step({ type: 'message', peer: life.gateway, message: { shutdown: { reason: 'over' } } });
        expect(life.open()).toBe(0);
        expect(life.links).toEqual([]);
        expect([...life.timers]).toEqual([]);
        expect([...life.owed]).toEqual([]);
      }),
      { numRuns: 250 },
    );
  },
);

it('any bytes of a gateway that are a message are taken', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array(), { maxLength: 20 }), (chunks) => {
      const life = new Life('ollama');
      for (const bytes of chunks) {
        const decoded = serverCodec.decode(bytes);
        if (decoded.ok) life.step({ type: 'message', peer: life.gateway, message: decoded.value.message });
      }
    }),
  );
});
