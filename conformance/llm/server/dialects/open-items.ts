/**
 * Reads the items of an answer by the Open Responses specification: the cut one (LLM-S62), their members (LLM-S63), the types of
 * items and events (LLM-S64), and calls that the request forbids (LLM-S66).
 */
import type { Answer } from '../answer.ts';
import { allowedTools } from '../asked.ts';
import { listedWords } from '../listed-words.ts';
import { shown } from '../words.ts';
import { at, items } from './reader.ts';

/** The slug of an implementor, a colon, and a name ("Extending Items"). */
const prefixed = /^[^\s:]+:./;

const listed = new Map<string, ReadonlySet<unknown>>();

/** The words of a kind that a list has. */
function wordsOf(kind: 'item' | 'event'): ReadonlySet<unknown> {
  const known = listed.get(kind) ?? new Set(listedWords('openai-responses', kind).map(({ word }) => word));
  listed.set(kind, known);
  return known;
}

/** Whether a type is one of the specification, of OpenAI's API, of which it is a part, or an implementor's own. */
const isNamed = (kind: 'item' | 'event', type: string): boolean =>
  prefixed.test(type) || wordsOf(kind).has(type);

/** Standard items with a status. The schema gives none to reasoning and compaction items. */
const withStatus: ReadonlySet<unknown> = new Set(['message', 'function_call']);

const owesStatus = (type: unknown): boolean =>
  withStatus.has(type) || (typeof type === 'string' && prefixed.test(type));

/** Reads the items of one answer. */
export class OpenItems {
  readonly #answer: Answer;
  readonly #allowed: readonly unknown[] | undefined;
  /** The `output_index` of the item that ended as incomplete. */
  #cut: unknown;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#allowed = allowedTools(answer.asked);
  }

  /** Reads an event of a stream, the last one after its answer has ended. */
  take(data: unknown): void {
    const type = at(data, 'type');
    if (typeof type !== 'string') return;
    if (!isNamed('event', type)) this.#unnamed('event', type);
    const item = at(data, 'item');
    if (type === 'response.output_item.added') this.#added(data, item);
    else if (type === 'response.output_item.done') this.#done(data, item);
    else if (this.#answer.ended === 'terminal') this.#over(type, items(at(data, 'response', 'output')));
  }

  /** Reads an answer without a stream. */
  whole(output: readonly unknown[], status: unknown): void {
    for (const [i, item] of output.entries()) {
      this.#member(item, `output[${i}]`);
      // Of calls that are cut at once, each may end as incomplete.
      if (at(item, 'status') === 'incomplete') this.#cut ??= i;
      else if (this.#cut !== undefined) this.#notLast(`output[${shown(this.#cut)}]`, `output[${i}]`);
    }
    this.#over(`status ${shown(status)}`, output, status === 'incomplete');
  }

  #added(data: unknown, item: unknown): void {
    this.#member(item, 'item');
    if (at(item, 'type') === 'message' && typeof at(item, 'role') !== 'string')
      this.#answer.facts.violated(
        'LLM-S63',
        `expected a message with its role in response.output_item.added; came ${shown(item)}`,
      );
    if (this.#cut !== undefined)
      this.#notLast(
        `the item of output_index ${shown(this.#cut)}`,
        `output_index ${shown(at(data, 'output_index'))}`,
      );
  }

  #done(data: unknown, item: unknown): void {
    this.#member(item, 'item');
    if (at(item, 'status') === 'incomplete') this.#cut = at(data, 'output_index');
  }

  /** The members of every item ("Required item fields"). LLM-S30 judges id and type. */
  #member(item: unknown, path: string): void {
    const { facts } = this.#answer;
    const type = at(item, 'type');
    if (typeof type === 'string' && !isNamed('item', type)) this.#unnamed('item', type);
    if (owesStatus(type) && typeof at(item, 'status') !== 'string')
      facts.violated('LLM-S63', `expected a status in ${path} of type ${shown(type)}; came ${shown(item)}`);
  }

  #unnamed(what: 'item' | 'event', type: string): void {
    this.#answer.facts.violated(
      'LLM-S64',
      `expected ${what === 'item' ? 'an item' : 'an event'} of a type of the specification, or one that begins with the implementor's slug, such as "acme:${type}"; came ${shown(type)}`,
    );
  }

  #notLast(cut: string, next: string): void {
    this.#answer.facts.violated(
      'LLM-S62',
      `expected no item after ${cut}, which ended as incomplete; came ${next}`,
    );
  }

  /** The answer has ended with a terminal, and not with an error. */
  #over(end: string, output: readonly unknown[], isIncomplete = end === 'response.incomplete'): void {
    const { facts } = this.#answer;
    if (output.length > 0) {
      facts.exercised('LLM-S63');
      facts.exercised('LLM-S64');
    }
    if (this.#cut !== undefined && !isIncomplete)
      facts.violated(
        'LLM-S62',
        `expected an incomplete response, because an item is incomplete; came ${end}`,
      );
    if (this.#cut !== undefined) facts.exercised('LLM-S62');
    this.#judgeCalls(output);
  }

  /** Calls of an answer that failed were rejected, so only those of the output count. */
  #judgeCalls(output: readonly unknown[]): void {
    const allowed = this.#allowed;
    if (allowed === undefined) return;
    const { facts, asked } = this.#answer;
    const forbidden = output.find(
      (item) => at(item, 'type') === 'function_call' && !allowed.includes(at(item, 'name')),
    );
    if (forbidden === undefined) facts.exercised('LLM-S66');
    else
      facts.violated(
        'LLM-S66',
        `expected no call of ${shown(at(forbidden, 'name'))} with tool_choice ${shown(at(asked, 'tool_choice'))}; it is in the output`,
      );
  }
}
