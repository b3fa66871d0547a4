/**
 * A provider whose answers nobody can read: what a load balancer or a broken server sends instead of an answer. The first
 * request gets the first one, and so on; after the last one, the first one comes again.
 */
import type { Metadata, PeerCommand, RoleOutput } from '../../../src/kit/base/index.ts';
import type { RoleFault } from '../../../src/kit/suite/index.ts';
import { Sent } from '../../../src/llm/index.ts';
import type { Asked } from '../../../src/llm/index.ts';

/**
 * What comes instead of an answer: a page, with status 200; status 200, the type of the answer, and no byte; the first unit of
 * the answer, without its second half; a page, with status 502.
 */
const kindsOfAnswers = ['page', 'nothing', 'half-json', 'bad-gateway'] as const;

export type Unreadable = (typeof kindsOfAnswers)[number];

/** Whether a value names such an answer. */
export const isUnreadable = (value: unknown): value is Unreadable =>
  kindsOfAnswers.some((kind) => kind === value);

const page = (title: string): Buffer =>
  Buffer.from(
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  );

const pages: { readonly [kind in Unreadable]?: { readonly status: string; readonly title: string } } = {
  page: { status: '200', title: 'Welcome' },
  'bad-gateway': { status: '502', title: '502 Bad Gateway' },
};

/** The half of a unit, as a whole line or event. */
function halfOf(message: Sent): Sent {
  const text = Buffer.from(message.bytes()).toString().trimEnd();
  return new Sent(Buffer.from(`${text.slice(0, Math.ceil(text.length / 2))}\n\n`), undefined);
}

/** One answer that nobody can read. */
class UnreadableAnswer {
  readonly #kind: Unreadable;
  #said = false;

  constructor(kind: Unreadable) {
    this.#kind = kind;
  }

  take(output: RoleOutput<Sent>): readonly RoleOutput<Sent>[] {
    if (output.type === 'headers') return [{ ...output, metadata: this.#metadata(output.metadata) }];
    if (output.type !== 'send') return [output];
    if (this.#said) return [];
    this.#said = true;
    const made = pages[this.#kind];
    if (made !== undefined) return [{ ...output, message: new Sent(page(made.title), undefined) }];
    return this.#kind === 'nothing' ? [] : [{ ...output, message: halfOf(output.message) }];
  }

  #metadata(metadata: Metadata): Metadata {
    const { 'content-length': _, ...fields } = metadata;
    const made = pages[this.#kind];
    return made === undefined
      ? fields
      : { ...fields, ':status': made.status, 'content-type': 'text/html; charset=utf-8' };
  }
}

/** Makes the answers of a provider unreadable, in this order. */
export function unreadable<S>(kinds: readonly Unreadable[]): RoleFault<S, Asked, Sent, PeerCommand<Sent>> {
  let requests = 0;
  const answers = new Map<string, UnreadableAnswer>();
  return {
    input(input) {
      const kind = input.type === 'opened' ? kinds[requests++ % kinds.length] : undefined;
      if (kind !== undefined && input.type === 'opened') answers.set(input.peer, new UnreadableAnswer(kind));
      return [input];
    },
    output(output) {
      if (!('peer' in output)) return [output];
      return answers.get(output.peer)?.take(output) ?? [output];
    },
  };
}
