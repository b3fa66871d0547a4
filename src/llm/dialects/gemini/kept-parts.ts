/**
 * The parts of an answer as the next request has them. A client keeps them where some of them are the provider's own, such as
 * calls of its tools: "The client is expected to echo this message back to the API" (@google/genai 3.3, Part.toolCall).
 */
import type { JsonObject, ToolCall } from '../../../kit/base/index.ts';
import { writeCall } from './contents.ts';

/** A text, a thought, a call by its id, or a part of the provider's own. */
type KeptPart =
  | { readonly kind: 'text'; readonly thought: boolean; text: string; signature: string | undefined }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'own'; readonly part: JsonObject };

/** Collects the parts of an answer. */
export class KeptParts {
  readonly #parts: KeptPart[] = [];

  /** Texts in a row are one part, up to a signature. */
  text(text: string, thought: boolean, signature: string | undefined): void {
    const last = this.#parts.at(-1);
    if (last?.kind === 'text' && last.thought === thought && last.signature === undefined) {
      last.text += text;
      last.signature = signature;
    } else if (text !== '' || signature !== undefined)
      this.#parts.push({ kind: 'text', thought, text, signature });
  }

  call(id: string): void {
    this.#parts.push({ kind: 'call', id });
  }

  own(part: JsonObject): void {
    this.#parts.push({ kind: 'own', part });
  }

  /** The parts; undefined where the neutral words say them all. Calls that were refused or cut are left out. */
  list(calls: readonly ToolCall[]): readonly JsonObject[] | undefined {
    if (!this.#parts.some(({ kind }) => kind === 'own')) return undefined;
    return this.#parts.map((part) => formOf(part, calls)).filter((form) => form !== undefined);
  }
}

function formOf(part: KeptPart, calls: readonly ToolCall[]): JsonObject | undefined {
  if (part.kind === 'own') return part.part;
  if (part.kind === 'call') {
    const call = calls.find(({ id }) => id === part.id);
    return call && writeCall(call);
  }
  const { text, thought, signature } = part;
  return {
    text,
    ...(thought && { thought }),
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}
