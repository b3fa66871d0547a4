/** Generators of full requests that a dialect has words for: all of its members, and nothing else. */
import fc from 'fast-check';
import type { JsonObject } from '../../kit/base/index.ts';
import type {
  Choice,
  Effort,
  Format,
  FullRequest,
  GatewayDialect,
  Tool,
} from '../gateway/request/request.ts';
import { anyConversation } from './full-messages.ts';
import type { Words } from './full-messages.ts';
import { anyToolName } from './request.ts';
import { anyWords } from './text.ts';

const levels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const openai = {
  texts: true,
  refusals: true,
  failures: false,
  resultNames: false,
  format: 'named',
  efforts: levels,
  budgets: false,
} as const;

const wordsOf: { readonly [D in GatewayDialect]: Words } = {
  anthropic: {
    thoughts: 'signed',
    media: ['image', 'image url', 'pdf', 'text file', 'file url'],
    resultMedia: true,
    texts: true,
    refusals: false,
    failures: true,
    resultNames: false,
    leadingSystem: 1,
    members: ['choice', 'parallel', 'temperature', 'topP', 'topK', 'stop', 'format', 'effort', 'user'],
    format: 'schema',
    efforts: ['off', 'low', 'medium', 'high', 'xhigh', 'max', 'adaptive'],
    budgets: true,
    mostTemperature: 1,
  },
  'openai-chat': {
    ...openai,
    thoughts: 'plain',
    media: ['image', 'image url', 'pdf', 'text file'],
    resultMedia: false,
    leadingSystem: 3,
    members: [
      'choice',
      'parallel',
      'limit',
      'temperature',
      'topP',
      'stop',
      'format',
      'effort',
      'user',
      'includeUsage',
    ],
    mostTemperature: 2,
  },
  'openai-responses': {
    ...openai,
    thoughts: 'sealed',
    media: ['image', 'image url', 'pdf', 'text file', 'file url'],
    resultMedia: true,
    leadingSystem: 3,
    members: [
      'choice',
      'parallel',
      'limit',
      'temperature',
      'topP',
      'format',
      'effort',
      'user',
      'previous',
      'store',
    ],
    mostTemperature: 2,
  },
  ollama: {
    thoughts: 'plain',
    media: ['image'],
    resultMedia: true,
    texts: false,
    refusals: false,
    failures: false,
    resultNames: true,
    leadingSystem: 3,
    members: ['limit', 'temperature', 'topP', 'topK', 'stop', 'format', 'effort'],
    format: 'unnamed',
    efforts: ['off', 'low', 'medium', 'high', 'adaptive'],
    budgets: false,
    mostTemperature: 5,
  },
};

/** A request that came in this dialect, with members that only the dialect knows. */
export function anyFullRequest(dialect: GatewayDialect): fc.Arbitrary<FullRequest> {
  const words = wordsOf[dialect];
  return fc
    .record({
      messages: anyConversation(words),
      tools: fc.uniqueArray(anyTool(dialect), { maxLength: 3, selector: ({ name }) => name }),
      stream: fc.boolean(),
      members: anyMembers(dialect, words),
      unknown: fc.constantFrom(...unknowns),
    })
    .map(({ messages, tools, stream, members, unknown }) => ({
      from: dialect,
      model: 'kit-model',
      messages,
      tools,
      stream,
      unknown,
      ...besideTools(members, tools),
      ...(members.includeUsage !== undefined && !stream ? { includeUsage: false } : {}),
    }));
}

const unknowns: readonly JsonObject[] = [{}, { x_kit: { a: [1, null] } }];

type Members = Partial<Omit<FullRequest, 'from' | 'model' | 'messages' | 'tools' | 'stream' | 'unknown'>>;

/** A choice is only beside tools. */
function besideTools({ choice, parallel, ...others }: Members, [tool]: readonly Tool[]): Members {
  if (tool === undefined || choice === undefined) return others;
  const named = typeof choice === 'object' ? { name: tool.name } : choice;
  return { ...others, choice: named, ...(parallel === undefined || choice === 'none' ? {} : { parallel }) };
}

const anyNumber = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(0, most),
    fc.integer({ min: 0, max: most * 100 }).map((n) => n / 100),
  );

function anyMembers(dialect: GatewayDialect, words: Words): fc.Arbitrary<Members> {
  const all = {
    choice: fc.constantFrom<Choice[]>('auto', 'must', 'none', { name: '' }),
    parallel: fc.boolean(),
    limit: fc.integer({ min: 1, max: 100_000 }),
    temperature: anyNumber(words.mostTemperature),
    topP: anyNumber(1),
    topK: fc.integer({ min: 1, max: 100 }),
    stop: fc.array(anyWords, { minLength: 1, maxLength: 4 }),
    format: anyFormat(words.format),
    effort: anyEffort(words),
    user: anyWords,
    includeUsage: fc.boolean(),
    previous: fc.stringMatching(/^resp_[a-z0-9]{4,12}$/),
    store: fc.boolean(),
  };
  const optional = Object.fromEntries(
    Object.entries(all).filter(([key]) => words.members.some((member) => member === key)),
  );
  const limit = fc.record({ limit: all.limit });
  const members: fc.Arbitrary<Members> = fc.record(optional, { requiredKeys: [] });
  // Anthropic requires a limit.
  return dialect === 'anthropic'
    ? fc.tuple(members, limit).map(([some, one]) => ({ ...some, ...one }))
    : members;
}

const schemas: readonly JsonObject[] = [
  { type: 'object', properties: {} },
  {
    type: 'object',
    properties: { title: { type: 'string', enum: ['a', 'b'] } },
    required: ['title'],
    additionalProperties: false,
  },
  {
    type: 'object',
    properties: { a: { $ref: '#/$defs/A' } },
    $defs: { A: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
  },
];

const anySchema: fc.Arbitrary<JsonObject> = fc.constantFrom(...schemas);

function anyFormat(kind: Words['format']): fc.Arbitrary<Format> {
  const schema = fc.record({ kind: fc.constant('schema' as const), schema: anySchema });
  if (kind === 'schema') return schema;
  const json = fc.constant<Format>({ kind: 'json' });
  if (kind === 'unnamed') return fc.oneof(json, schema);
  const named = fc.record(
    { kind: fc.constant('schema' as const), name: anyToolName, schema: anySchema, strict: fc.boolean() },
    { requiredKeys: ['kind', 'name', 'schema'] },
  );
  return fc.oneof(json, named);
}

const anyEffort = ({ efforts, budgets }: Words): fc.Arbitrary<Effort> =>
  budgets
    ? fc.oneof(fc.constantFrom(...efforts), fc.record({ budget: fc.integer({ min: 1024, max: 90_000 }) }))
    : fc.constantFrom(...efforts);

const anyTool = (dialect: GatewayDialect): fc.Arbitrary<Tool> =>
  fc.record(
    {
      name: anyToolName,
      description: anyWords,
      schema: anySchema,
      ...(dialect === 'ollama' ? {} : { strict: fc.boolean() }),
      more: fc.constant<JsonObject>({ x_tool: true }),
    },
    { requiredKeys: ['name', 'schema'] },
  );
