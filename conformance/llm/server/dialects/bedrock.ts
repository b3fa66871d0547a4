/**
 * Reads Bedrock's answers: LLM-S51 (the order of events, and the blocks). A stream ends with `messageStop`, after which only
 * `metadata` comes. "Amazon Bedrock API reference: ConverseStream".
 */
import { entryOf, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';
import { bedrockBody, bedrockShape } from './bedrock-shapes.ts';
import { at, items, isPresent } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';
import { described, judgeShape } from './shape.ts';

const kinds: { readonly [word: string]: StopKind } = {
  max_tokens: 'limit',
  tool_use: 'tool',
  end_turn: 'end',
  stop_sequence: 'other',
  content_filtered: 'other',
  guardrail_intervened: 'other',
  malformed_model_output: 'other',
  malformed_tool_use: 'other',
  model_context_window_exceeded: 'other',
};

/** The exceptions of `ConverseStreamOutput`, or an error without a model. */
const isException = (event: string): boolean => event.endsWith('Exception') || event === ':error';

/** The first event may be that of the response itself ("Smithy: Amazon Event Stream specification"). */
const initial = 'initial-response';

/** `{"message":…}`; the name of the exception is no member of it. */
export const bedrockError: ErrorForm = (data) =>
  typeof (at(data, 'message') ?? at(data, 'Message')) === 'string'
    ? undefined
    : `expected an exception with a message; came ${shown(data)}`;

/** The most blocks of one answer that are kept. */
const blocksKept = 10_000;

/** The counts that, with inputTokens, make the whole prompt. "TokenUsage". */
const cacheCounts = ['cacheReadInputTokens', 'cacheWriteInputTokens'] as const;

export const bedrockReader: MakeReader = (answer) => new BedrockReader(answer);

/** A block that has begun: its kind, and whether it goes on. */
interface Block {
  readonly kind: 'toolUse' | 'text' | 'reasoningContent' | 'other';
  /** The key of its call. Two blocks may wrongly have one index. */
  readonly key: string;
  open: boolean;
}

class BedrockReader implements Reader {
  readonly #answer: Answer;
  readonly #blocks = new Map<number, Block>();
  #begun = 0;
  #started = false;
  #stopped = false;
  #counted = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  unit(data: unknown, event = ''): void {
    const { facts } = this.#answer;
    if (this.#answer.ended !== undefined) return this.#answer.addLateEvent(event, event === 'messageStop');
    if (isException(event)) return this.#answer.endWithError(bedrockError(data), true);
    if (this.#stopped && event !== 'metadata')
      return this.#answer.addLateEvent(event, event === 'messageStop');
    if (event === initial && !this.#started) return;
    if (!this.#started && event !== 'messageStart')
      facts.violated('LLM-S51', `expected messageStart first; came ${shown(event)}`);
    if (this.#started && event === 'messageStart')
      facts.violated('LLM-S51', 'expected one messageStart; came another');
    this.#started = true;
    judgeShape(this.#answer, data, bedrockShape(event), event);
    this.#take(event, data);
  }

  #take(event: string, data: unknown): void {
    const index = at(data, 'contentBlockIndex');
    switch (event) {
      case 'contentBlockStart':
        return this.#start(index, at(data, 'start'));
      case 'contentBlockDelta':
        return this.#delta(index, at(data, 'delta'));
      case 'contentBlockStop':
        return this.#stop(index);
      case 'messageStop':
        return this.#messageStop(at(data, 'stopReason'));
      case 'metadata':
        this.#counted = true;
        this.#counts(at(data, 'usage'));
        return this.#maybeOver();
      default:
    }
  }

  /** Begins the block of an index. A block begins once; texts and thoughts begin with their first delta. */
  #begin(index: unknown, kind: Block['kind'], event: string): Block | undefined {
    const { facts } = this.#answer;
    if (typeof index !== 'number') return undefined;
    const known = this.#blocks.get(index);
    if (known !== undefined)
      facts.violated(
        'LLM-S51',
        `expected ${event} with the index of ${event === 'contentBlockStart' ? 'a new' : 'an open'} block; came index ${index}, and that block ${known.open ? 'has begun' : 'is over'}`,
      );
    const block: Block = { kind, key: `call ${++this.#begun}`, open: true };
    if (known !== undefined || this.#blocks.size < blocksKept) this.#blocks.set(index, block);
    else facts.unknowable('LLM-S51', `more than ${blocksKept} blocks are not kept`);
    return block;
  }

  #start(index: unknown, start: unknown): void {
    const toolUse = at(start, 'toolUse');
    const isCall = isObject(toolUse);
    // Models may start texts, too, although the API has no member for them.
    if (!isCall && Object.keys(isObject(start) ? start : {}).length === 0) return;
    const block = this.#begin(index, isCall ? 'toolUse' : 'other', 'contentBlockStart');
    if (block === undefined || !isCall) return;
    this.#identify(toolUse, 'start.toolUse');
    this.#answer.beginCall(block.key);
  }

  #identify(toolUse: unknown, path: string): void {
    this.#answer.identifyCall({
      id: { path: `${path}.toolUseId`, value: at(toolUse, 'toolUseId') },
      name: { path: `${path}.name`, value: at(toolUse, 'name') },
      idOwed: true,
    });
  }

  #delta(index: unknown, delta: unknown): void {
    const kind = kindOf(delta);
    const known = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    const block = known?.open === true ? known : this.#begin(index, kind, 'contentBlockDelta');
    this.#answer.addContent(at(delta, 'text'));
    this.#answer.addContent(at(delta, 'reasoningContent', 'text'));
    if (block === undefined) return;
    const began = block === known || kind !== 'toolUse';
    if (!began || (kind !== 'other' && block.kind !== 'other' && block.kind !== kind))
      this.#answer.facts.violated(
        'LLM-S51',
        `expected ${began ? `${block.kind} in the deltas of the block ${shown(index)}` : 'contentBlockStart before the input of a call'}; came ${shown(delta)}`,
      );
    const input = at(delta, 'toolUse', 'input');
    if (typeof input === 'string') this.#answer.addArguments(block.key, input);
  }

  #stop(index: unknown): void {
    const block = typeof index === 'number' ? this.#blocks.get(index) : undefined;
    // A block without content has no delta, and begins with its end.
    if (block?.open === false)
      this.#answer.facts.violated(
        'LLM-S51',
        `expected contentBlockStop once a block; came it again for ${shown(index)}`,
      );
    if (block?.open !== true) return;
    block.open = false;
    this.#answer.facts.exercised('LLM-S51');
    if (block.kind !== 'toolUse') return;
    const { key } = block;
    this.#answer.completeCall(key);
    // The input of a call without parameters is an empty text.
    if (this.#answer.argumentsOf(key).trim() === '') this.#answer.completeCall(key, '{}');
  }

  /** The block that a limit cut need not end, as no source says so. */
  #messageStop(word: unknown): void {
    this.#stopped = true;
    if (typeof word === 'string') this.#answer.setStop(word, entryOf(kinds, word) ?? 'unknown');
    else
      this.#answer.facts.violated(
        'LLM-S30',
        `expected stopReason of messageStop to be a string; ${described(word)}`,
      );
    const open = [...this.#blocks].filter(([, block]) => block.open).map(([index]) => index);
    const last = Math.max(...this.#blocks.keys());
    const isCut = this.#answer.stop?.kind === 'limit' && open.every((index) => index === last);
    if (open.length > 0 && !isCut)
      this.#answer.facts.violated(
        'LLM-S51',
        `expected contentBlockStop for every block before messageStop; the block of index ${open[0]} has none`,
      );
    this.#maybeOver();
  }

  #counts(usage: unknown): void {
    const [input, output] = [at(usage, 'inputTokens'), at(usage, 'outputTokens')];
    if (isPresent(input)) this.#answer.addCounts({ input });
    const cached = cacheCounts
      .map((name) => at(usage, name))
      .filter((count) => typeof count === 'number')
      .reduce((sum, count) => sum + count, 0);
    if (cached > 0) this.#answer.addCounts({ cached });
    if (isPresent(output)) this.#answer.addCounts({ output });
  }

  /** The answer is over after its stop and its usage, in any order. */
  #maybeOver(): void {
    if (this.#stopped && this.#counted) this.#answer.endWithTerminal();
  }

  /** The body ended without `metadata`. */
  bodyEnded(): void {
    if (this.#stopped) this.#answer.endWithTerminal();
  }

  whole(body: JsonObject): void {
    const { output, stopReason: word, usage } = body;
    judgeShape(this.#answer, body, bedrockBody);
    this.#counts(usage);
    for (const [i, block] of items(at(output, 'message', 'content')).entries()) {
      this.#answer.addContent(at(block, 'text'));
      this.#answer.addContent(at(block, 'reasoningContent', 'reasoningText', 'text'));
      const toolUse = at(block, 'toolUse');
      if (!isObject(toolUse)) continue;
      this.#identify(toolUse, `output.message.content[${i}].toolUse`);
      this.#answer.completeCall(String(i), JSON.stringify(toolUse['input'] ?? null));
    }
    if (typeof word !== 'string') return;
    this.#answer.setStop(word, entryOf(kinds, word) ?? 'unknown');
    this.#answer.endWithTerminal();
  }
}

/** The kind of a delta. New kinds may be added. */
function kindOf(delta: unknown): Block['kind'] {
  for (const name of ['toolUse', 'text', 'reasoningContent'] as const)
    if (isPresent(at(delta, name))) return name;
  return 'other';
}
