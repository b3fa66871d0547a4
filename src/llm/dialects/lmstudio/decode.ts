/**
 * LM Studio's messages of one prediction, back to a response. Takes them as they stand in `channelSend`, or with the
 * envelopes of the connection around them.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, ResponseDecoder, ResponseEvent } from '../../messages.ts';
import { excerpt, mostArgumentDepth, readArguments } from '../shared/arguments.ts';
import { Assembly, defaultLimits, endedEarly } from '../shared/assembly.ts';
import type { PendingCall } from '../shared/assembly.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import { httpError } from '../shared/http-error.ts';
import { nestedDeeper } from './depth.ts';
import { clientError, stopReasons } from './words.ts';

/** Decodes the messages of one prediction; each push is one WebSocket message. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder =>
  new LmStudioDecoder({ ...defaultLimits, ...limits });

type Fields = Record<string, unknown>;

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

class LmStudioDecoder implements ResponseDecoder {
  readonly #eventLimit: number;
  readonly #assembly: Assembly;
  /** The call that is being generated, from its start, which comes before its name. */
  #pending: { readonly id: string; call?: PendingCall } | undefined;
  #channel: unknown;
  #isThinking = false;
  /** Tokens of the prompt that came from the cache, by the progress of the prompt; the stats have them in their sum. */
  #cached = 0;
  /** Calls that came without an id of their own. */
  #nameless = 0;
  #ended = false;
  rawStop: string | undefined;

  constructor(limits: DecoderLimits) {
    this.#eventLimit = limits.event;
    this.#assembly = new Assembly(limits.response);
  }

  get done(): boolean {
    return this.#ended || this.#assembly.error !== undefined;
  }

  push(chunk: Uint8Array): readonly ResponseEvent[] {
    if (chunk.length > this.#eventLimit)
      this.#assembly.refuse(`expected messages of ${this.#eventLimit} bytes at most; came ${chunk.length}`);
    else if (chunk.length > 0) this.take(new TextDecoder().decode(chunk));
    return this.#assembly.drain();
  }

  end(how: 'clean' | 'reset'): Decoded {
    this.#cut();
    if (!this.done) this.#assembly.fail(endedEarly(how, 'success'));
    return this.#assembly.decoded();
  }

  /** Takes the text of one message. What comes behind the end is read over. */
  take(raw: string): void {
    if (this.done) return;
    const message = parsed(raw);
    if (!isObject(message))
      this.#assembly.refuse(`expected a JSON object in a message; came ${excerpt(raw)}`);
    else if (message['type'] === 'channelSend') this.#unwrap(message, raw);
    else this.#message(message, raw);
  }

  /** Channel ids are those of a connection: the first is ours, what comes for others is not. */
  #unwrap(envelope: Fields, raw: string): void {
    this.#channel ??= envelope['channelId'];
    if (this.#channel !== envelope['channelId'])
      this.#assembly.warn('a message of a channel that is not ours');
    else if (isObject(envelope['message'])) this.#message(envelope['message'], raw);
    else this.#assembly.warn('a channelSend without a message');
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
        return this.#assembly.input(this.#call(), asText(message['content']) ?? '');
      case 'toolCallGenerationEnd':
        return this.#whole(message['toolCallRequest'], raw);
      case 'toolCallGenerationFailed':
        return this.#failed(message);
      case 'promptProcessingProgress':
        return this.#progress(message['details']);
      case 'success':
        return this.#success(message);
      case 'channelError':
        return this.#assembly.fail(clientError(message['error']));
      case 'channelClose':
        return this.#assembly.fail(endedEarly('clean', 'success'));
      case undefined:
        return this.#authentication(message);
      default:
        // What nobody knows yet (LLM-C12).
        return undefined;
    }
  }

  #progress(details: unknown): void {
    const cached = isObject(details) ? details['cachedTokenCount'] : undefined;
    if (typeof cached === 'number' && Number.isSafeInteger(cached) && cached >= 0) this.#cached = cached;
  }

  /** Structural fragments are the tags around thoughts: no part of what was thought or said. */
  #fragment(fragment: unknown): void {
    if (!isObject(fragment)) return this.#assembly.warn('a fragment message without its fragment');
    const type = fragment['reasoningType'];
    const wasThinking = this.#isThinking;
    this.#isThinking = type === 'reasoning' || type === 'reasoningStartTag';
    if (type === 'reasoningStartTag' || (type === 'reasoning' && !wasThinking)) this.#assembly.thought();
    if (fragment['isStructural'] === true || type === 'reasoningStartTag' || type === 'reasoningEndTag')
      return;
    const content = asText(fragment['content']) ?? '';
    if (type === 'reasoning') this.#assembly.think(content);
    else this.#assembly.text(content);
  }

  #start(toolCallId: string | undefined): void {
    if (this.#pending !== undefined) this.#assembly.warn('a call began before the one before it was over');
    this.#cut();
    this.#isThinking = false;
    if (toolCallId === undefined) this.#nameless += 1;
    this.#pending = { id: toolCallId ?? `call_${this.#nameless}` };
  }

  #name(name: string): void {
    if (this.#pending === undefined) this.#start(undefined);
    if (this.#pending !== undefined) this.#pending.call ??= this.#assembly.call(this.#pending.id, name);
  }

  /** The call whose arguments come; begun, if the server did not say so. */
  #call(name = ''): PendingCall {
    this.#name(name);
    return this.#pending?.call ?? { id: '', name, partial: '' };
  }

  /**
   * A call is over. Where its fragments are JSON, they count, so that nothing is taken that was completed by repair
   * (LLM-C02); they need not be: a model may write its calls in another language, and then the server's object counts.
   */
  #whole(request: unknown, raw: string): void {
    if (!isObject(request)) return this.#assembly.warn('a toolCallGenerationEnd without its toolCallRequest');
    if (this.#pending === undefined) this.#start(asText(request['id']));
    const name = asText(request['name']) ?? '';
    const { id, name: early, partial } = this.#call(name);
    this.#pending = undefined;
    const { arguments: given = {} } = request;
    const input = given as Json;
    if (nestedDeeper(input, mostArgumentDepth))
      return this.#assembly.warn(
        `call ${excerpt(name)} is refused: expected at most ${mostArgumentDepth} levels`,
      );
    const server = JSON.stringify(input);
    const isJson = partial.trimStart().startsWith('{') && isObject(parsed(server));
    const call: PendingCall = {
      id: asText(request['id']) ?? id,
      name: name === '' ? early : name,
      partial: isJson ? partial : '',
    };
    if (!isJson) this.#assembly.input(call, server);
    // Numbers are as they were sent in the raw text only.
    const sent = isJson ? undefined : readArguments(raw);
    if (sent?.ok === false)
      this.#assembly.warn(`call ${excerpt(call.name)} is refused: ${sent.error.message}`);
    else if (this.#assembly.whole(call) === 'no-json') this.#incomplete(call);
  }

  #incomplete(call: PendingCall): void {
    this.#assembly.warn(
      `call ${excerpt(call.name)} is not to run: its arguments are ${excerpt(call.partial)}`,
    );
    this.#assembly.cut(call);
  }

  #failed(message: Fields): void {
    const { title } = isObject(message['error']) ? message['error'] : {};
    const call = this.#call();
    this.#pending = undefined;
    if (call.partial === '') this.#assembly.input(call, asText(message['rawContent']) ?? '');
    const read = readArguments(call.partial);
    if (!read.ok && read.error.kind === 'no-object') this.#assembly.warn(`call ${excerpt(call.name)} failed`);
    else this.#incomplete(call);
    if (typeof title === 'string') this.#assembly.warn(`the server says: ${excerpt(title)}`);
  }

  /** The call that was being generated was cut. */
  #cut(): void {
    if (this.#pending !== undefined) this.#assembly.cut(this.#call());
    this.#pending = undefined;
  }

  #success(message: Fields): void {
    const unfinished = this.#pending?.call?.name;
    this.#cut();
    const stats = isObject(message['stats']) ? message['stats'] : {};
    const info = isObject(message['modelInfo']) ? message['modelInfo'] : {};
    const model = asText(info['identifier']) ?? asText(info['modelKey']);
    if (model !== undefined) this.#assembly.model(model);
    const { promptTokensCount: prompt, predictedTokensCount: outputTokens } = stats;
    const cached = typeof prompt === 'number' && prompt >= this.#cached ? this.#cached : 0;
    this.#assembly.usage({
      inputTokens: typeof prompt === 'number' ? prompt - cached : undefined,
      outputTokens,
      ...(cached === 0 ? {} : { cacheReadTokens: cached }),
    });
    this.rawStop = asText(stats['stopReason']);
    const reason = stopReasons.get(this.rawStop ?? '') ?? 'unknown';
    if (reason === 'unknown') this.#assembly.warn(`stopReason ${excerpt(this.rawStop ?? '')} is not known`);
    this.#assembly.stop(reason);
    if (unfinished !== undefined && !this.#assembly.limited)
      this.#assembly.warn(`call ${excerpt(unfinished)} is not whole, and stopReason says no limit`);
    this.#ended = true;
  }

  /** The answer to the authentication; only a refusal matters. */
  #authentication({ success, error }: Fields): void {
    const message = asText(error) ?? 'authentication failed';
    if (success === false)
      this.#assembly.fail({ kind: 'provider', type: 'authentication', message, retryable: false });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Decodes an array of messages, and any status from 400 on, which refuses the WebSocket's upgrade. */
export function readWhole(status: number, headers: HeaderFields, body: Uint8Array): Decoded {
  const text = new TextDecoder().decode(body);
  const value = parsed(text);
  if (status >= 400) return refusal(status, headers, value, text);
  const reader = new LmStudioDecoder(defaultLimits);
  if (Array.isArray(value)) for (const message of value as readonly Json[]) reader.take(written(message));
  else reader.take(text);
  return reader.end('clean');
}

/** A message as text again; none where it is nested deeper than any that is understood. */
const written = (message: Json): string =>
  nestedDeeper(message, 2 * mostArgumentDepth) ? 'nested too deep' : JSON.stringify(message);

/** What the error of a body says comes first, then what the status says. */
function refusal(status: number, headers: HeaderFields, body: unknown, text: string): Decoded {
  const assembly = new Assembly();
  const said = clientError(isObject(body) ? body['error'] : undefined, `status ${status}: ${excerpt(text)}`);
  const byStatus = httpError(status, headers, said);
  assembly.fail({ ...byStatus, ...said, retryable: said.retryable || byStatus.retryable, status });
  return assembly.decoded();
}
