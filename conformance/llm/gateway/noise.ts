/**
 * A provider whose answers have what no client knows: members, events and fields of SSE. Each has a word in brackets, by which
 * the judge finds it again. Comments and pings are words of scripts.
 */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, PeerCommand } from '../../../src/kit/base/index.ts';
import type { RoleFault } from '../../../src/kit/suite/index.ts';
import { Sent, frameUnit } from '../../../src/llm/index.ts';
import type { Asked } from '../../../src/llm/index.ts';

/** The name of an unknown member. */
const unknownName = 'x_kit';

/** The members of units, and of bodies, that are objects of an answer. */
const innerNames: ReadonlySet<string> = new Set([
  'delta',
  'message',
  'content_block',
  'response',
  'item',
  'part',
]);

/** An object of an answer with an unknown member, in it and in its inner objects. */
function withMembers(data: JsonObject, word: string): JsonObject {
  const members = Object.entries(data).map(([name, value]): [string, Json] => {
    if (innerNames.has(name) && isObject(value)) return [name, withMembers(value, '[noise inner]')];
    return name === 'choices' && isArray(value) ? [name, value.map(choice)] : [name, value];
  });
  return { ...Object.fromEntries(members), [unknownName]: word };
}

const choice = (value: Json): Json => (isObject(value) ? withMembers(value, '[noise inner]') : value);

/** An event that no client knows, next to the first unit; undefined where the dialect has no kinds of events. */
function unknownEvent(first: JsonObject): { readonly event?: string; readonly data: JsonObject } | undefined {
  const { type, object, sequence_number: number } = first;
  if (object === 'chat.completion.chunk')
    return { data: { ...first, choices: [], [unknownName]: '[noise event]' } };
  if (typeof type !== 'string') return undefined;
  const name = type.startsWith('response.') ? 'response.kit_noise' : 'kit_noise';
  const data = { type: name, [unknownName]: '[noise event]' };
  return { event: name, data: typeof number === 'number' ? { ...data, sequence_number: number + 1 } : data };
}

/** A line of Ollama without content before the first one: it has no kinds of events. */
const emptyLine = (first: JsonObject): JsonObject =>
  withMembers({ ...first, message: { role: 'assistant', content: '' }, done: false }, '[noise unit]');

/** Adds noise to one answer. */
class NoisyAnswer {
  readonly #sse: boolean;
  #begun = false;
  /** Events of Responses are numbered. */
  #more = 0;

  constructor(contentType: string) {
    this.#sse = contentType.startsWith('text/event-stream');
    this.isStream = this.#sse || contentType.includes('ndjson');
  }

  readonly isStream: boolean;

  take(write: Sent): readonly Sent[] {
    const { event, data } = write;
    if (!isObject(data)) return [write];
    const { sequence_number: number } = data;
    const numbered = typeof number === 'number' ? { ...data, sequence_number: number + this.#more } : data;
    const noisy = this.#written(withMembers(numbered, '[noise unit]'), event);
    if (this.#begun || !this.isStream) return [noisy];
    this.#begun = true;
    if (!this.#sse) return [this.#written(emptyLine(data), event), noisy];
    const unknown = unknownEvent(data);
    if (unknown === undefined) return [noisy];
    this.#more = 1;
    return [noisy, this.#written(unknown.data, unknown.event)];
  }

  #written(data: JsonObject, event: string | undefined): Sent {
    const unit = event === undefined ? { data } : { event, data };
    const framing = this.#sse ? 'sse' : this.isStream ? 'ndjson' : 'json';
    const bytes = frameUnit(framing, unit, 'lf');
    return new Sent(this.#sse ? Buffer.concat([Buffer.from(unknownFields), bytes]) : bytes, unit);
  }
}

/** Fields of SSE that no client knows or needs. */
const unknownFields = 'x-kit: [noise field]\nid: 7\nretry: 3000\n';

/** Adds noise to the answers of a provider from this request on, from 1. */
export function noiseFrom<S>(first: number): RoleFault<S, Asked, Sent, PeerCommand<Sent>> {
  let requests = 0;
  const noisy = new Set<string>();
  const answers = new Map<string, NoisyAnswer>();
  return {
    input(input) {
      if (input.type === 'opened' && ++requests >= first) noisy.add(input.peer);
      return [input];
    },
    output(output) {
      if (output.type === 'headers' && noisy.has(output.peer)) {
        const { 'content-length': _, ...metadata } = output.metadata;
        const answer = new NoisyAnswer(metadata['content-type'] ?? '');
        answers.set(output.peer, answer);
        return [{ ...output, metadata }];
      }
      if (output.type !== 'send') return [output];
      const made = answers.get(output.peer)?.take(output.message);
      return made?.map((message) => ({ ...output, message })) ?? [output];
    },
  };
}
