/** Generators of directives, for the tests of the grammar and of the roles. */
import fc from 'fast-check';
import type { Json } from '../kit/base/index.ts';
import type { DiffPreview } from './messages.ts';
import type { Step, Tool } from './directive.ts';

const word = fc.constantFrom('a', 'b', ' ', '', '\n', 'é𝄞', 'completed');
const texts = fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 4 }));
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;

/** Without the keys that are undefined. */
const optional = <T extends object>(
  model: { readonly [K in keyof T]?: fc.Arbitrary<NonNullable<T[K]> | (null & T[K])> },
  ...required: string[]
): fc.Arbitrary<T> =>
  fc.record(model as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
  }) as unknown as fc.Arbitrary<T>;

/** A preview of each kind with few fields. */
const preview: fc.Arbitrary<DiffPreview | null> = fc.constantFrom<(DiffPreview | null)[]>(
  null,
  { kind: 'PathNotFound' },
  { kind: 'DeleteDir', recursive: true },
  { kind: 'DeleteFile', line_count: 3, byte_count: 20 },
);

const action = optional({ detail: word, preview });
const line = fc.tuple(fc.constantFrom('x', '', 'é'), fc.boolean());
const name = fc.constantFrom('Read', 'Bash', 'Edit', 'toString');
const beside = { name, args: json, output: word, sub_agent: word, lines: fc.array(line, { maxLength: 4 }) };

/** Any call of a `tool` step. */
export const anyTool: fc.Arbitrary<Tool> = optional<Tool>(
  {
    ...beside,
    approval: action,
    blocked: action,
    ask: optional({ question: word, options: fc.array(word, { maxLength: 3 }) }, 'question'),
    hold: fc.constantFrom(true, false, false),
  },
  'name',
);

const batched = optional<Tool>(beside, 'name');

const count = fc.constantFrom(0, 1, 200, 4_000_000_000);
const usage = optional({
  prompt_tokens: count,
  completion_tokens: count,
  cache_read_tokens: count,
  thinking_tokens: count,
});

/** Any step of the directive grammar. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ think: texts }),
  // The long one takes more than one step of the engine.
  fc.record({ say: fc.oneof(texts, fc.constant([]), fc.constant(Array.from({ length: 99 }, () => 'x'))) }),
  fc.record({ tool: anyTool }),
  fc.record({ parallel: fc.array(batched, { minLength: 1, maxLength: 3 }) }),
  fc.record({ loop_cap: optional({ cap: count }) }),
  fc.record({ usage }),
  fc.record({ compact: fc.record({ used: count }) }),
  fc.record({ error: optional({ message: word, fatal: fc.constantFrom(true, false, false) }, 'message') }),
  fc.record({ cancel_point: fc.constant<true>(true) }),
  fc.record({ wait_ms: fc.nat(500) }),
);
