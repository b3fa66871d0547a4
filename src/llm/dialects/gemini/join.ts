/** The chunks of Gemini that servers send as one: the last text or call beside the finish reason, and several calls in one. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Joined, Unit } from '../../messages.ts';
import { joins } from '../shared/join.ts';
import type { JoinUnits } from '../shared/join.ts';

/** Joins the chunks that a turn joins. */
export const joinChunks =
  (joined: readonly Joined[]): JoinUnits =>
  (before, next) => {
    const [a, b] = [chunkOf(before), chunkOf(next)];
    if (a === undefined || b === undefined || a.isOver || a.isThought) return undefined;
    if (b.isOver) return joins(joined, 'finish') ? withParts(b, a.parts) : undefined;
    if (b.calls === 0) return undefined;
    const wanted = a.calls > 0 ? 'calls' : 'call';
    return joins(joined, wanted) ? withParts(b, [...a.parts, ...b.parts]) : undefined;
  };

interface Chunk {
  readonly data: JsonObject;
  readonly candidate: JsonObject;
  readonly parts: readonly JsonObject[];
  /** The number of its calls. */
  readonly calls: number;
  readonly isThought: boolean;
  /** Whether it has a finish reason. */
  readonly isOver: boolean;
}

/** A chunk with content. */
function chunkOf({ data }: Unit): Chunk | undefined {
  if (!isObject(data) || !isArray(data['candidates'])) return undefined;
  const [candidate] = data['candidates'];
  if (!isObject(candidate) || !isObject(candidate['content'])) return undefined;
  const { parts: list } = candidate['content'];
  const parts = isArray(list) ? list.filter((part) => isObject(part)) : [];
  return {
    data,
    candidate,
    parts,
    calls: parts.filter((part) => 'functionCall' in part).length,
    isThought: parts.some((part) => part['thought'] === true),
    isOver: 'finishReason' in candidate,
  };
}

const withParts = ({ data, candidate }: Chunk, parts: readonly JsonObject[]): Unit => ({
  data: { ...data, candidates: [{ ...candidate, content: { parts, role: 'model' } }] },
});
