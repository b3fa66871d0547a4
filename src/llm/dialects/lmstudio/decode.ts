/**
 * Decodes LM Studio's messages of one prediction, with or without the envelopes of the connection around them.
 */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, ResponseDecoder } from '../../messages.ts';
import { excerpt, mostArgumentDepth, nestedDeeper, parseJson, readArguments } from '../shared/arguments.ts';
import { endedEarly } from '../shared/assembly.ts';
import type { PendingCall } from '../shared/assembly.ts';
import { StreamDecoder } from '../shared/decoder.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import { httpError } from '../shared/http-error.ts';
import { MessageParser } from '../shared/message-parser.ts';
import { clientError, stopReasons } from './words.ts';

/** Decodes the messages of one prediction; each push is one WebSocket message. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder => new MessageDecoder(limits);

/** Decodes an array of messages, and any status from 400 on, which refuses the WebSocket's upgrade. */
export const readWhole = (status: number, headers: HeaderFields, bytes: Uint8Array): Decoded =>
  new MessageDecoder({}).readWhole(status, headers, bytes);

type Fields = Record<string, unknown>;

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

class MessageDecoder extends StreamDecoder<string> {
  /** The call that is being generated, from its start, which comes before its name. */
  #pending: { readonly id: string; call?: PendingCall } | undefined;
  #channel: unknown;
  #isThinking = false;
  /** Tokens of the prompt that came from the cache, from the progress of the prompt. The stats include them. */
  #cached = 0;
  /** Calls that came without an id. */
  #nameless = 0;

  constructor(limits: Partial<DecoderLimits>) {
    super(limits, (limit) => new MessageParser(limit), 'bytes');
  }

  protected get terminal(): string {
    return 'success';
  }

  protected take(text: string): void {
    const message = parseJson(text);
    if (!isObject(message)) this.refuse(`expected a JSON object in a message; came ${excerpt(text)}`);
    else if (message['type'] === 'channelSend') this.#unwrap(message, text);
    else this.#message(message, text);
  }

  readWhole(status: number, headers: HeaderFields, bytes: Uint8Array): Decoded {
    const text = new TextDecoder().decode(bytes);
    const body = parseJson(text);
    if (status >= 400) this.#refused(status, headers, body, text);
    else
      for (const message of isArray(body) ? (body as readonly Json[]).map(textOf) : [text])
        if (!this.done) this.take(message);
    return this.end('clean');
  }

  /** The first channel on the connection is this prediction's. Messages for other channels are ignored. */
  #unwrap(envelope: Fields, raw: string): void {
    this.#channel ??= envelope['channelId'];
    if (this.#channel !== envelope['channelId']) this.assembly.warn('a message of another channel');
    else if (isObject(envelope['message'])) this.#message(envelope['message'], raw);
    else this.assembly.warn('a channelSend without a message');
  }

  #message(message: Fields, raw: string): void {
    switch (message['type']) {
      case 'fragment':
        return this.#fragment(message['fragment']);
      case 'toolCallGenerationStart':
        return this.#start(asText(message['toolCallId']));
      case 'toolCallGenerationNameReceived':
        return this.#name(asText(message['name']) ?? '');
      case 'toolCallGenerationArgumentFragmentGenerated':
        return this.assembly.input(this.#call(), asText(message['content']) ?? '');
      case 'toolCallGenerationEnd':
        return this.#whole(message['toolCallRequest'], raw);
      case 'toolCallGenerationFailed':
        return this.#failed(message);
      case 'promptProcessingProgress':
        return this.#progress(message['details']);
      case 'success':
        return this.#success(message);
      case 'channelError':
        return this.fail(clientError(message['error']));
      case 'channelClose':
        return this.fail(endedEarly('clean', 'success'));
      case undefined:
        return this.#authentication(message);
      default:
        // Unknown messages are ignored (LLM-C12).
        return undefined;
    }
  }

  #progress(details: unknown): void {
    const cached = isObject(details) ? details['cachedTokenCount'] : undefined;
    if (typeof cached === 'number' && Number.isSafeInteger(cached) && cached >= 0) this.#cached = cached;
  }

  /** Structural fragments are the tags around thoughts, not a part of thoughts or text. */
  #fragment(fragment: unknown): void {
    if (!isObject(fragment)) return this.assembly.warn('a fragment message without its fragment');
    const type = fragment['reasoningType'];
    const wasThinking = this.#isThinking;
    this.#isThinking = type === 'reasoning' || type === 'reasoningStartTag';
    if (type === 'reasoningStartTag' || (type === 'reasoning' && !wasThinking)) this.assembly.thought();
    if (fragment['isStructural'] === true || type === 'reasoningStartTag' || type === 'reasoningEndTag')
      return;
    const content = asText(fragment['content']) ?? '';
    if (type === 'reasoning') this.assembly.think(content);
    else this.assembly.text(content);
  }

  #start(toolCallId: string | undefined): void {
    if (this.#pending !== undefined) this.assembly.warn('a call began before the one before it was over');
    this.settle();
    this.#isThinking = false;
    if (toolCallId === undefined) this.#nameless += 1;
    this.#pending = { id: toolCallId ?? `call_${this.#nameless}` };
  }

  #name(name: string): void {
    if (this.#pending === undefined) this.#start(undefined);
    if (this.#pending !== undefined) this.#pending.call ??= this.assembly.call(this.#pending.id, name);
  }

  /** The call whose arguments come; begins one where the server did not. */
  #call(name = ''): PendingCall {
    this.#name(name);
    return this.#pending?.call ?? { id: '', name, partial: '' };
  }

  /**
   * A call is complete. Where its fragments are JSON, they count, so that no repaired call is taken (LLM-C02). A
   * model may write calls in another language; then the server's object counts.
   */
  #whole(request: unknown, raw: string): void {
    if (!isObject(request)) return this.assembly.warn('a toolCallGenerationEnd without its toolCallRequest');
    if (this.#pending === undefined) this.#start(asText(request['id']));
    const name = asText(request['name']) ?? '';
    const { id, name: early, partial } = this.#call(name);
    this.#pending = undefined;
    const { arguments: given = {} } = request;
    const input = given as Json;
    if (nestedDeeper(input, mostArgumentDepth))
      return this.assembly.warn(
        `call ${excerpt(name)} is refused: expected at most ${mostArgumentDepth} levels`,
      );
    const server = JSON.stringify(input);
    const isJson = partial.trimStart().startsWith('{') && isObject(parseJson(server));
    const call: PendingCall = {
      id: asText(request['id']) ?? id,
      name: name === '' ? early : name,
      partial: isJson ? partial : '',
    };
    if (!isJson) this.assembly.input(call, server);
    // Only the raw text has the numbers as they were sent.
    const sent = isJson ? undefined : readArguments(raw);
    if (sent?.ok === false)
      this.assembly.warn(`call ${excerpt(call.name)} is refused: ${sent.error.message}`);
    else if (this.assembly.whole(call) === 'no-json') this.#incomplete(call);
  }

  #incomplete(call: PendingCall): void {
    this.assembly.warn(`call ${excerpt(call.name)} must not run: its arguments are ${excerpt(call.partial)}`);
    this.assembly.cut(call);
  }

  #failed(message: Fields): void {
    const { title } = isObject(message['error']) ? message['error'] : {};
    const call = this.#call();
    this.#pending = undefined;
    if (call.partial === '') this.assembly.input(call, asText(message['rawContent']) ?? '');
    const read = readArguments(call.partial);
    if (!read.ok && read.error.kind === 'no-object') this.assembly.warn(`call ${excerpt(call.name)} failed`);
    else this.#incomplete(call);
    if (typeof title === 'string') this.assembly.warn(`the server says: ${excerpt(title)}`);
  }

  /** The call that was being generated was cut. */
  protected override settle(): void {
    if (this.#pending !== undefined) this.assembly.cut(this.#call());
    this.#pending = undefined;
  }

  #success(message: Fields): void {
    const unfinished = this.#pending?.call?.name;
    this.settle();
    const stats = isObject(message['stats']) ? message['stats'] : {};
    const info = isObject(message['modelInfo']) ? message['modelInfo'] : {};
    const model = asText(info['identifier']) ?? asText(info['modelKey']);
    if (model !== undefined) this.assembly.model(model);
    const { promptTokensCount: prompt, predictedTokensCount: outputTokens } = stats;
    const cached = typeof prompt === 'number' && prompt >= this.#cached ? this.#cached : 0;
    this.assembly.usage({
      inputTokens: typeof prompt === 'number' ? prompt - cached : undefined,
      outputTokens,
      ...(cached === 0 ? {} : { cacheReadTokens: cached }),
    });
    this.rawStop = asText(stats['stopReason']);
    const reason = stopReasons.get(this.rawStop ?? '') ?? 'unknown';
    if (reason === 'unknown') this.assembly.warn(`stopReason ${excerpt(this.rawStop ?? '')} is not known`);
    this.assembly.stop(reason);
    if (unfinished !== undefined && !this.assembly.limited)
      this.assembly.warn(`call ${excerpt(unfinished)} is incomplete, and stopReason is not a limit`);
    this.over = true;
  }

  /** The answer to the authentication. Only a refusal matters. */
  #authentication({ success, error }: Fields): void {
    const message = asText(error) ?? 'authentication failed';
    if (success === false) this.fail({ kind: 'provider', type: 'authentication', message, retryable: false });
  }

  /** The upgrade was refused. The error in the body comes first, then the status. */
  #refused(status: number, headers: HeaderFields, body: unknown, text: string): void {
    const error = isObject(body) ? body['error'] : undefined;
    const byBody = clientError(error, `status ${status}: ${excerpt(text)}`);
    const byStatus = httpError(status, headers, byBody);
    this.fail({ ...byStatus, ...byBody, retryable: byBody.retryable || byStatus.retryable, status });
  }
}

/** A message as text again; invalid JSON when it is nested deeper than any known message. */
const textOf = (message: Json): string =>
  nestedDeeper(message, 2 * mostArgumentDepth) ? 'nested too deep' : JSON.stringify(message);
