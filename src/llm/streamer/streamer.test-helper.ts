/** Steps a streamer by hand, with requests as inputs, on a clock that the test moves. */
import type { Json, Metadata, RoleOutput } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import type { ScriptBuilder } from '../script/builder.ts';
import { streamer } from './streamer.ts';
import type { StreamerState } from './state.ts';
import type { Script } from '../script/script.ts';
import { requestBodyCodec } from '../dialects/shared/units.ts';
import type { RequestBody, ResponseWrite } from '../dialects/shared/units.ts';

/** A report of a streamer, with its detail parsed. */
export interface ToldOf {
  readonly what: string;
  readonly detail: { readonly [name: string]: Json };
}

/** A streamer, and its outputs. */
export class Stepped {
  now = 0;
  readonly outputs: RoleOutput<ResponseWrite>[] = [];
  readonly #role;
  #state: StreamerState;
  readonly #timers = new Map<string, number>();
  #links = 0;

  constructor(script: ScriptBuilder | Script, seed = '1') {
    const checked = 'build' in script ? script.build() : script;
    this.#role = streamer({ script: checked, random: (label) => seededRandom(`${seed} ${label}`) });
    this.#state = this.#role.start();
  }

  /** Takes an input, and sets the timers that the role asks for. */
  step(input: Parameters<ReturnType<typeof streamer>['step']>[1]): void {
    const { state, outputs } = this.#role.step(this.#state, input, this.now);
    this.#state = state;
    for (const output of outputs) {
      this.outputs.push(output);
      if (output.type === 'start_timer') this.#timers.set(output.id, this.now + output.ms);
      if (output.type === 'stop_timer') this.#timers.delete(output.id);
    }
  }

  /** Posts a body. @returns the link's name */
  post(path: string, body: Json, headers: { readonly [name: string]: string } = {}): string {
    return this.#post(path, { body }, headers);
  }

  /** Posts a body as bytes, which a host would decode. @returns the link's name */
  postBytes(path: string, bytes: Uint8Array): string {
    const read = requestBodyCodec.decode(bytes);
    if (!read.ok) throw new Error(read.error.message);
    return this.#post(path, read.value.message, {});
  }

  #post(path: string, message: RequestBody, headers: { readonly [name: string]: string }): string {
    const peer = `s${++this.#links}`;
    const metadata = { ':carrier': 'http', ':method': 'POST', ':path': path, ...headers };
    this.step({ type: 'opened', peer, metadata });
    this.step({ type: 'message', peer, message });
    this.step({ type: 'half_close', peer });
    return peer;
  }

  /** Lets time pass: timers fire in their order. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const due = [...this.#timers].toSorted(([, a], [, b]) => a - b)[0];
      if (due === undefined || due[1] > until) break;
      this.#timers.delete(due[0]);
      this.now = due[1];
      this.step({ type: 'timer', id: due[0] });
    }
    this.now = until;
  }

  /** What was written to a link, joined. */
  text(peer: string): string {
    return Buffer.concat(this.sent(peer).map((sent) => sent.bytes())).toString('utf8');
  }

  /** The writes to a link. */
  sent(peer: string): readonly ResponseWrite[] {
    return this.outputs.flatMap((output) =>
      output.type === 'send' && output.peer === peer ? [output.message] : [],
    );
  }

  /** The status code with which a link was ended, or undefined. */
  ended(peer: string): number | undefined {
    const end = this.outputs.find((output) => output.type === 'close' && output.peer === peer);
    return end?.type === 'close' ? end.status.code : undefined;
  }

  /** The status of the answer on a link. */
  status(peer: string): string | undefined {
    return this.headers(peer)[':status'];
  }

  /** The header fields of the answer on a link; empty before it. */
  headers(peer: string): Metadata {
    const found = this.outputs.find((output) => output.type === 'headers' && output.peer === peer);
    return found?.type === 'headers' ? found.metadata : {};
  }

  /** The reports so far. */
  told(): readonly ToldOf[] {
    return this.outputs.flatMap((output) =>
      output.type === 'tell'
        ? [{ what: output.what, detail: JSON.parse(output.detail) as ToldOf['detail'] }]
        : [],
    );
  }

  /** The report on the last response. */
  answered(): ToldOf['detail'] | undefined {
    return this.told().findLast(({ what }) => what === 'answered')?.detail;
  }
}

/** A request for a streamed message of Anthropic's. */
export const anthropicBody = {
  model: 'm',
  max_tokens: 1000,
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
} as const;
