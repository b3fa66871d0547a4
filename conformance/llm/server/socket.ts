/**
 * Reads a WebSocket of LM Studio from a trace: authentication, channels and their messages. LLM-S09: "nothing
 * is answered before authentication; messages name a channel of their connection".
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf } from '../../../src/kit/judge/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import { Answer } from './answer.ts';
import { shown } from './words.ts';
import { requestOf } from './asked.ts';
import { at } from './dialects/reader.ts';
import { ChannelReader } from './dialects/lmstudio.ts';
import { SocketReading } from './socket-reading.ts';
import { surrogateFault } from './surrogates.ts';

interface Channel {
  readonly answer: Answer;
  readonly reader: ChannelReader;
}

/** The most channels of one connection that are kept. The oldest are dropped. */
const channelsKept = 1000;

/** Message types that answer a request, and must not come before authentication. */
const answerTypes = /^(rpc|channel|signal|writableSignal)/;

/** Reads one WebSocket. */
export class SocketReader extends SocketReading {
  readonly #channels = new Map<unknown, Channel>();
  /** Channels that are neither closed nor failed. */
  readonly #open = new Set<Channel>();
  /** The kind of the client's first message. */
  #first: 'authentication' | 'something else' | undefined;
  #welcome = false;
  #refused = false;
  protected override client(event: TraceEvent): void {
    const { kind, data } = event;
    if (kind === 'end' || kind === 'reset') this.#letGo();
    if (kind !== 'message') return;
    const { body } = data;
    this.#first ??= typeof at(body, 'authVersion') === 'number' ? 'authentication' : 'something else';
    // A client without authentication gets no answer.
    if (this.#first === 'something else' || at(body, 'endpoint') !== 'predict') return;
    if (at(body, 'type') === 'channelCreate') this.#create(body, momentOf(event));
  }

  #create(body: Json | undefined, now: Moment): void {
    if (!isObject(body)) return;
    const answer = new Answer(requestOf('lmstudio', body['creationParameter'] ?? null), this.facts);
    const channel = { answer, reader: new ChannelReader(answer) };
    this.#channels.set(body['channelId'], channel);
    forgetOldest(this.#channels, channelsKept);
    this.#open.add(channel);
    this.waiting = now;
  }

  protected override server(data: unknown): void {
    const type = at(data, 'type');
    const name = typeof type === 'string' ? type : '';
    if (!this.#welcome) return this.#beforeWelcome(data, name);
    if (name === '') this.facts.violated('LLM-S01', `expected type to be a string; came ${shown(data)}`);
    const half = surrogateFault(data);
    if (half !== undefined) this.facts.violated('LLM-S01', half);
    if (name === 'communicationWarning') this.#warned();
    const channel = /^channel(Send|Close|Error)$/.test(name) ? this.#channelOf(data, name) : undefined;
    if (channel === undefined) return this.#inNoChannel(data, name);
    if (name === 'channelSend') {
      this.facts.exercised('LLM-S01');
      channel.reader.message(at(data, 'message'));
    } else if (name === 'channelClose') channel.reader.closed();
    else channel.reader.failed(data);
    if (name !== 'channelSend' || channel.answer.ended === 'error') this.#settle(channel);
  }

  /** The SDK throws at a message of another type, and the channel never ends. */
  #inNoChannel(data: unknown, name: string): void {
    if (name.startsWith('channel') && name !== 'channelAck' && !/^channel(Send|Close|Error)$/.test(name))
      this.facts.violated(
        'LLM-S09',
        `expected type to be channelSend, channelAck, channelClose or channelError; came ${shown(data)}`,
      );
  }

  #beforeWelcome(data: unknown, type: string): void {
    const success = at(data, 'success');
    if (answerTypes.test(type) || (success === true && this.#first !== 'authentication'))
      this.facts.violated('LLM-S09', `expected no answer before authentication; came ${shown(data)}`);
    else if (success === false && this.#first === 'something else') this.facts.exercised('LLM-S09');
    else if (typeof success !== 'boolean')
      this.facts.violated(
        'LLM-S30',
        `expected success to be a boolean, as the answer to authentication; came ${shown(data)}`,
      );
    if (success === false) this.#refused = true;
    this.#welcome = success === true && this.#first === 'authentication';
  }

  #channelOf(data: unknown, type: string): Channel | undefined {
    const id = at(data, 'channelId');
    const channel = this.#channels.get(id);
    if (channel === undefined && this.#channels.size < channelsKept)
      this.facts.violated('LLM-S09', `expected a message in a created channel; came ${type} in ${shown(id)}`);
    return channel;
  }

  /** An invalid request may be answered by a warning on the connection instead of its channel. */
  #warned(): void {
    for (const channel of this.#open) if (channel.answer.request === undefined) this.#settle(channel);
  }

  /** No answer is pending when every channel is closed or failed. */
  #settle(channel: Channel): void {
    this.#open.delete(channel);
    if (this.#open.size === 0) this.waiting = undefined;
  }

  #letGo(): void {
    this.over = true;
    for (const channel of this.#channels.values()) if (!this.#open.has(channel)) channel.answer.endBody(true);
  }

  protected override gone(inOrder: boolean): void {
    if (this.#first === 'something else' && !this.facts.hasViolated('LLM-S09'))
      this.facts.exercised('LLM-S09');
    this.over = true;
    if (this.#refused) return;
    for (const { answer } of this.#channels.values()) answer.endBody(inOrder);
  }
}
