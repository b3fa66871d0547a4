/** Mutations that break a client, and that no judge of servers can call a fault. */
import type { DialectName } from '../../../../src/llm/index.ts';
import type { Mutation } from './mutations.test-helper.ts';

/** A reason, and the mutations that it excuses. Each expression matches a whole text. */
interface Excuse {
  readonly reason: string;
  readonly dialect?: DialectName;
  readonly kind?: RegExp;
  readonly place: RegExp;
  readonly change: RegExp;
}

const excuses: readonly Excuse[] = [
  {
    reason: 'A model may say other words, or none.',
    place: /(.*\.)?(content|text|delta|thinking|refusal|partial_json)/,
    change: /empty|text/,
  },
  {
    reason: 'A model may say nothing: a message or a delta without content is lawful.',
    dialect: 'openai-chat',
    place: /choices\.\[\]\.(delta|message)\.content/,
    change: /missing|null/,
  },
  {
    reason: 'A model may call no tool, or fewer.',
    place: /.*tool_calls(\.\[\])?/,
    change: /missing|null|empty/,
  },
  {
    reason: 'A model may say less: an answer may have fewer items and parts.',
    kind: /body/,
    place: /(output|content|output\.\[\]\.content)(\.\[\])?/,
    change: /missing|null|empty/,
  },
  {
    reason: 'A model may give other arguments, also some that the schema of the tool forbids.',
    place: /(.*\.)?(arguments|input)(\..*)?/,
    change: /.*/,
  },
  {
    reason: 'Calls of Ollama and LM Studio need no id: results are matched by name, or by place.',
    place: /.*(tool_calls\.\[\]|toolCallRequest)\.id/,
    change: /missing|null|empty/,
  },
  {
    reason:
      'A provider may add types of events, messages, items, parts, deltas and callers: clients read over them.',
    place: /(.*\.)?type/,
    change: /text/,
  },
  {
    reason: 'A server may refuse a client: the report says so.',
    dialect: 'lmstudio',
    place: /success/,
    change: /false/,
  },
  {
    reason:
      'A helper of openai throws; its iterator, and ai, read the answer. LLM-S32 (SHOULD): Groq, Mistral and others.',
    dialect: 'openai-chat',
    place: /choices\.\[\]\.(delta|message)\.(role|tool_calls\.\[\]\.type)/,
    change: /missing|null/,
  },
  {
    reason: '@ai-sdk/openai throws, @ai-sdk/openai-compatible reads an empty role: LLM-S32 (SHOULD).',
    dialect: 'openai-chat',
    place: /choices\.\[\]\.(delta|message)\.role/,
    change: /empty/,
  },
  {
    reason:
      "A helper of openai throws over a gap; its iterator, and ai, do not. LLM-S32 (SHOULD): Anthropic's OpenAI face.",
    dialect: 'openai-chat',
    place: /choices\.\[\]\.delta\.tool_calls\.\[\]\.index/,
    change: /number/,
  },
];

const whole = (pattern: RegExp, text: string): boolean => new RegExp(`^(?:${pattern.source})$`).test(text);

/** The reason why a mutation is no fault that a judge can see. */
export const excuseOf = ({ dialect, kind, place, change }: Mutation): string | undefined =>
  excuses.find(
    (excuse) =>
      (excuse.dialect === undefined || excuse.dialect === dialect) &&
      (excuse.kind === undefined || whole(excuse.kind, kind)) &&
      whole(excuse.place, place) &&
      whole(excuse.change, change),
  )?.reason;
