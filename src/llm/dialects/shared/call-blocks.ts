/**
 * The calls of a response that is made of blocks, such as Anthropic's and Bedrock's: which are complete, and which one was cut.
 * Only the last block can have been cut.
 */
import { excerpt } from './arguments.ts';
import type { Assembly, PendingCall } from './assembly.ts';

/** The block of a call. */
export interface CallBlock {
  readonly call: PendingCall;
  closed: boolean;
}

/** Settles calls as their blocks open and close. */
export class CallBlocks {
  readonly #assembly: Assembly;
  /** Incomplete calls, closed or not. */
  readonly #unsettled = new Set<CallBlock>();
  #last: CallBlock | undefined;

  constructor(assembly: Assembly) {
    this.#assembly = assembly;
  }

  /** A block begins. It shows that the block before it was not cut. */
  next(): void {
    const last = this.#last;
    this.#last = undefined;
    if (last?.closed === true && this.#unsettled.has(last)) this.#refuse(last);
  }

  /** The block that begins is a call's. */
  open(id: string, name: string): CallBlock {
    const block = { call: this.#assembly.call(id, name), closed: false };
    this.#unsettled.add(block);
    this.#last = block;
    return block;
  }

  /**
   * The block of a call ends. Empty text is a call without parameters, or a call that was cut before its first parameter was
   * whole. The stop reason tells.
   */
  close(block: CallBlock): void {
    block.closed = true;
    const fate = block.call.partial === '' ? 'no-json' : this.#assembly.whole(block.call);
    if (fate !== 'no-json') this.#unsettled.delete(block);
    else if (block !== this.#last) this.#refuse(block);
  }

  /** The response ends: of the incomplete calls, the last one was cut or has no parameters, and the others are refused. */
  settle(): void {
    for (const block of this.#unsettled) {
      if (block === this.#last) this.#cut(block);
      else this.#refuse(block);
    }
    this.#unsettled.clear();
  }

  /** With the stop reason `tool_use`, a last call whose text is empty has no parameters (7 of 16 recorded calls). */
  #cut({ call, closed }: CallBlock): void {
    const assembly = this.#assembly;
    if (closed && call.partial === '' && assembly.stopped === 'tool_use')
      return assembly.withoutArguments(call);
    assembly.cut(call);
    if (assembly.error !== undefined || assembly.limited) return;
    const came = closed ? excerpt(call.partial) : 'no end of its block';
    assembly.warn(`call ${excerpt(call.name)} was cut, despite the stop reason: came ${came}`);
  }

  /** A call with empty text has no arguments, since another block follows it. */
  #refuse(block: CallBlock): void {
    const { call, closed } = block;
    this.#unsettled.delete(block);
    if (closed && call.partial === '') {
      this.#assembly.input(call, '{}');
      this.#assembly.whole(call);
    } else this.#assembly.warn(`call ${excerpt(call.name)} is refused: came ${excerpt(call.partial)}`);
  }
}
