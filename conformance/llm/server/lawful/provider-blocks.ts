/** A server of Anthropic's that adds the blocks, the usage and the members of November 2026 to each answer. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { kindOf, valueOf, withUnitValue } from '../mutants/mutant.ts';
import type { FaultContext, ServerFault } from '../mutants/mutant.ts';

/** A block with its deltas, of a whole answer. */
interface Added {
  readonly block: JsonObject;
  /** The block as it begins, where that differs. */
  readonly start?: JsonObject;
  readonly deltas?: readonly JsonObject[];
}

const compaction = { type: 'compaction', content: 'They greeted.', encrypted_content: 'c2VjcmV0' } as const;
const called = { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'find', server_name: 'pages' } as const;

const added: readonly Added[] = [
  {
    block: compaction,
    start: { ...compaction, content: null, encrypted_content: null },
    deltas: [{ ...compaction, type: 'compaction_delta' }],
  },
  {
    block: {
      type: 'fallback',
      from: { model: 'a' },
      to: { model: 'b' },
      trigger: { type: 'refusal', category: null },
    },
  },
  {
    block: { ...called, input: { q: 'a' } },
    start: { ...called, input: {} },
    deltas: [
      { type: 'input_json_delta', partial_json: '' },
      { type: 'input_json_delta', partial_json: '{"q":"a"}' },
    ],
  },
  { block: { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: 'None.' } },
  { block: { type: 'container_upload', file_id: 'file_1' } },
];

/** More tokens than the limit of any request: those of a compaction are not in the totals. */
const iterations: Json = [
  { type: 'compaction', input_tokens: 150_000, output_tokens: 90_000 },
  { type: 'message', model: 'm', input_tokens: 9, output_tokens: 5 },
];

const event = (type: string, fields: JsonObject): Unit => ({ event: type, data: { type, ...fields } });

const streamed = added.flatMap(({ block, start = block, deltas = [] }, index) => [
  event('content_block_start', { index, content_block: start }),
  ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  event('content_block_stop', { index }),
]);

function inStream(unit: Unit, context: FaultContext): readonly Unit[] {
  const kind = kindOf(unit, context);
  if (kind === 'message_delta') return [ended(unit)];
  if (!kind.startsWith('content_block_')) return [unit];
  const index = Number(valueOf(unit, 'index'));
  const moved = withUnitValue(unit, ['index'], index + added.length);
  return kind === 'content_block_start' && index === 0 ? [...streamed, moved] : [moved];
}

const ended = ({ event: name, data }: Unit): Unit => ({
  ...(name === undefined ? {} : { event: name }),
  data: {
    ...(isObject(data) ? data : {}),
    usage: { ...(isObject(data) && isObject(data['usage']) ? data['usage'] : {}), iterations },
    context_management: {
      applied_edits: [
        { type: 'clear_tool_uses_20250919', cleared_input_tokens: 50_000, cleared_tool_uses: 8 },
        { type: 'wireproof_edit', cleared_input_tokens: 0 },
      ],
    },
    input_transformations: [
      { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'model_binding_mismatch' },
    ],
  },
});

const inBody = (unit: Unit): Unit => {
  const content = valueOf(unit, 'content');
  if (valueOf(unit, 'type') !== 'message' || !isArray(content)) return unit;
  return ended(withUnitValue(unit, ['content'], [...added.map(({ block }) => block), ...content]));
};

export const providerBlocks: ServerFault = {
  unit: (unit, context) => {
    const { dialect, what, status, streams } = context;
    if (dialect !== 'anthropic' || what !== 'answer' || status !== 200) return [unit];
    return streams ? inStream(unit, context) : [inBody(unit)];
  },
};
