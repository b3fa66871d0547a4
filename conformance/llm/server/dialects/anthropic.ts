/**
 * Reads Anthropic's answers: LLM-S04 (content blocks) and LLM-S05 (message_start, message_delta).
 * "Anthropic API: Streaming Messages".
 */
import { entryOf } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';
import { anthropicBlock, anthropicBody, anthropicShapes } from './anthropic-shapes.ts';
import { at, items, isPresent } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';
import { judgeShape } from './shape.ts';

const kinds: { readonly [word: string]: StopKind } = {
  max_tokens: 'limit',
  tool_use: 'tool',
  end_turn: 'end',
  stop_sequence: 'other',
  pause_turn: 'other',
  compaction: 'other',
  refusal: 'other',
  model_context_window_exceeded: 'other',
};

/**
 * The kinds of deltas in each kind of block. Blocks that are not listed may have any delta. A fallback and an upload have
 * none; results of tools begin whole, too, but are not listed, as no source says that they stay so.
 */
const deltasOf: { readonly [block: string]: readonly string[] } = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
  mcp_tool_use: ['input_json_delta'],
  compaction: ['compaction_delta'],
  fallback: [],
  container_upload: [],
};

/** The member that carries the content of a kind of delta. */
const carriers: ReadonlyMap<string, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'signature'],
  ['input_json_delta', 'partial_json'],
]);

/** Known kinds of deltas. Other kinds may be new and are not judged. */
const known: ReadonlySet<unknown> = new Set(Object.values(deltasOf).flat());

/** `{"type":"error","error":{"type":…,"message":…}}`. */
export const anthropicError: ErrorForm = (data) => {
  if (at(data, 'type') !== 'error') return `expected an error of type "error"; came ${shown(data)}`;
  const [type, message] = [at(data, 'error', 'type'), at(data, 'error', 'message')];
  return typeof type === 'string' && typeof message === 'string'
    ? undefined
    : `expected error.type and error.message; came ${shown(data)}`;
};

/** The counts that, with input_tokens, make the whole prompt. "Anthropic API: Prompt caching, Tracking cache performance". */
const cacheCounts = ['cache_creation_input_tokens', 'cache_read_input_tokens'] as const;

const cachedTokens = (usage: unknown): number =>
  cacheCounts
    .map((name) => at(usage, name))
    .filter((count) => typeof count === 'number')
    .reduce((sum, count) => sum + count, 0);

/** The most blocks of one answer that are kept. */
const blocksKept = 10_000;

export const anthropicReader: MakeReader = (answer) => new AnthropicReader(answer);

interface Block {
  readonly type: unknown;
  open: boolean;
  /** Whether it has an input, or a delta of one. */
  hasInput: boolean;
}

class AnthropicReader implements Reader {
  readonly #answer: Answer;
  readonly #blocks: Block[] = [];
  #started = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  unit(data: unknown, event: string | undefined): void {
    const { facts } = this.#answer;
    const type = at(data, 'type');
    if (typeof type !== 'string') return this.#untyped(data);
    if (event !== type)
      facts.violated(
        'LLM-S01',
        `expected an event named ${type}, the type in its data; came ${shown(event)}`,
      );
    if (type === 'ping') return;
    if (this.#answer.ended !== undefined) return this.#answer.addLateEvent(type, type === 'message_stop');
    if (type === 'error') return this.#answer.endWithError(anthropicError(data), true);
    if (!this.#started && type !== 'message_start')
      facts.violated('LLM-S05', `expected message_start first; came ${type}`);
    if (this.#started && type === 'message_start')
      facts.violated('LLM-S05', 'expected one message_start; came another');
    this.#started = true;
    for (const shape of anthropicShapes(type, data)) judgeShape(this.#answer, data, shape, type);
    this.#take(type, data);
  }

  #untyped(data: unknown): void {
    if (isPresent(at(data, 'error'))) this.#answer.endWithError(anthropicError(data), true);
    else
      this.#answer.facts.violated('LLM-S01', `expected an event whose data has a type; came ${shown(data)}`);
  }

  #take(type: string, data: unknown): void {
    switch (type) {
      case 'message_start':
        return this.#start(at(data, 'message'));
      case 'content_block_start':
        return this.#open(at(data, 'index'), at(data, 'content_block'));
      case 'content_block_delta':
        return this.#delta(at(data, 'index'), at(data, 'delta'));
      case 'content_block_stop':
        return this.#close(at(data, 'index'));
      case 'message_delta':
        return this.#messageDelta(data);
      case 'message_stop':
        return this.#stop();
      // "New event types may be added"
      default:
    }
  }

  #start(message: unknown): void {
    this.#counts(at(message, 'usage'));
    if (at(message, 'stop_reason') === '') this.#answer.addEmptyStop('message.stop_reason');
  }

  #counts(usage: unknown): void {
    const [input, output] = [at(usage, 'input_tokens'), at(usage, 'output_tokens')];
    if (isPresent(input)) this.#answer.addCounts({ input });
    const cached = cachedTokens(usage);
    if (cached > 0) this.#answer.addCounts({ cached });
    if (isPresent(output)) this.#answer.addCounts({ output });
  }

  #open(index: unknown, block: unknown): void {
    const { facts } = this.#answer;
    const next = this.#blocks.length;
    if (index !== next)
      facts.violated(
        'LLM-S04',
        `expected content_block_start with index ${next}; came index ${shown(index)}`,
      );
    const type = at(block, 'type');
    if (next < blocksKept) this.#blocks.push({ type, open: true, hasInput: isPresent(at(block, 'input')) });
    else facts.unknowable('LLM-S04', `more than ${blocksKept} blocks are not kept`);
    if (type !== 'tool_use') return;
    this.#identify(block, 'content_block');
    this.#answer.beginCall(String(next));
  }

  #identify(block: unknown, path: string): void {
    this.#answer.identifyCall({
      id: { path: `${path}.id`, value: at(block, 'id') },
      name: { path: `${path}.name`, value: at(block, 'name') },
      idOwed: true,
    });
  }

  /** The open block with this index. An event for another block is a violation. */
  #block(index: unknown, what: string): Block | undefined {
    const block = typeof index === 'number' ? this.#blocks[index] : undefined;
    if (block?.open === true) return block;
    const state = block === undefined ? 'was never opened' : 'is closed';
    this.#answer.facts.violated(
      'LLM-S04',
      `expected ${what} with the index of an open block; came index ${shown(index)}, and that block ${state}`,
    );
    return undefined;
  }

  #delta(index: unknown, delta: unknown): void {
    const block = this.#block(index, 'content_block_delta');
    const type = at(delta, 'type');
    for (const name of ['text', 'thinking']) this.#answer.addContent(at(delta, name));
    if (block === undefined) return;
    const takes = entryOf(deltasOf, String(block.type));
    if (takes !== undefined && known.has(type) && !takes.includes(String(type)))
      this.#answer.facts.violated(
        'LLM-S04',
        `expected ${takes.length === 0 ? 'no delta' : takes.join(' or ')} in a block of ${String(block.type)}; came ${shown(type)}`,
      );
    if (takes !== undefined && !known.has(type)) this.#judgeUnknown(delta, takes);
    const partial = at(delta, 'partial_json');
    if (block.type !== 'tool_use' || typeof partial !== 'string') return;
    block.hasInput = true;
    this.#answer.addArguments(String(index), partial);
  }

  /** New kinds of deltas may be added. SDKs read over them: what a known kind carries is lost. */
  #judgeUnknown(delta: unknown, takes: readonly string[]): void {
    const lost = [...carriers].find(
      ([known, member]) => takes.includes(known) && typeof at(delta, member) === 'string',
    );
    if (lost !== undefined)
      this.#answer.facts.violated(
        'LLM-S04',
        `expected delta.type to be "${lost[0]}", because the delta has ${lost[1]}; came ${shown(at(delta, 'type'))}`,
      );
  }

  #close(index: unknown): void {
    const block = this.#block(index, 'content_block_stop');
    if (block === undefined) return;
    block.open = false;
    this.#answer.facts.exercised('LLM-S04');
    if (block.type === 'tool_use') this.#completed(String(index));
  }

  /** A call without arguments has no deltas or only empty ones. Its input is the empty object of its start. */
  #completed(key: string): void {
    this.#answer.completeCall(key);
    if (this.#answer.argumentsOf(key).trim() === '') this.#answer.completeCall(key, '{}');
  }

  #messageDelta(data: unknown): void {
    const { facts } = this.#answer;
    const word = at(data, 'delta', 'stop_reason');
    // An empty word may precede the true one. At the end it is the stop reason, and is judged there.
    if (typeof word === 'string') {
      if (this.#answer.stop?.word === '') this.#answer.addEmptyStop('delta.stop_reason');
      this.#answer.setStop(word, entryOf(kinds, word) ?? 'unknown');
    }
    const usage = at(data, 'usage');
    const [before, now] = [this.#answer.counts?.output, at(usage, 'output_tokens')];
    if (typeof now !== 'number')
      facts.violated('LLM-S05', `expected usage.output_tokens in message_delta; came ${shown(usage)}`);
    else if (typeof before === 'number' && now >= 0 && now < before)
      facts.violated(
        'LLM-S05',
        `expected a cumulative count of output tokens, ${before} or more; came ${now}`,
      );
    this.#counts(usage);
  }

  /** The block that a limit cut need not be closed, because no source says so (README.md). */
  #stop(): void {
    const { facts, stop } = this.#answer;
    const open = this.#blocks.findIndex((block) => block.open);
    const cut = stop?.kind === 'limit' && open === this.#blocks.length - 1;
    if (open >= 0 && !cut)
      facts.violated(
        'LLM-S04',
        `expected content_block_stop for every block before message_stop; the block of index ${open} has none`,
      );
    const empty = this.#blocks.findIndex(({ type, hasInput }) => type === 'tool_use' && !hasInput);
    if (empty >= 0 && stop?.kind !== 'limit')
      facts.violated(
        'LLM-S30',
        `expected content_block.input of content_block_start, because no delta of it follows; it is missing in block ${empty}`,
      );
    if (stop !== undefined) facts.exercised('LLM-S05');
    else
      facts.violated('LLM-S05', 'expected message_delta with a stop_reason before message_stop; came none');
    this.#answer.endWithTerminal();
  }

  whole(body: JsonObject): void {
    const { content, stop_reason: word, usage } = body;
    judgeShape(this.#answer, body, anthropicBody);
    this.#counts(usage);
    for (const [i, block] of items(content).entries()) {
      judgeShape(this.#answer, block, anthropicBlock(block), undefined, `content[${i}]`);
      for (const name of ['text', 'thinking']) this.#answer.addContent(at(block, name));
      if (at(block, 'type') !== 'tool_use') continue;
      this.#identify(block, `content[${i}]`);
      this.#answer.completeCall(String(i), JSON.stringify(at(block, 'input') ?? null));
    }
    if (typeof word !== 'string') return;
    this.#answer.setStop(word, entryOf(kinds, word) ?? 'unknown');
    this.#answer.endWithTerminal();
  }
}
