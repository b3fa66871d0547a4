/** What the client did not ask for: LLM-G67. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { FullRequest } from '../../../../src/llm/gateway/index.ts';
import { broken, kept, quoted } from '../facts.ts';
import type { Asked, AskedCheck } from './asked.ts';
import { turnsOf, withoutLeading } from './conversation.ts';
import { hasHistory } from './messages.ts';
import { hasTexts, isText } from './texts.ts';
import { mayForceFormat } from './tools.ts';

/** A member of a request, in the words of a message; undefined: it is not there, or says what is so without it. */
type Said = (request: FullRequest) => string | undefined;

const isDefault = (value: number | undefined): boolean => value === undefined || value === 1;

/** Members that a gateway may not add. `hides`: names under which the client may have said it in words that no reader knows. */
const members: readonly {
  readonly name: keyof FullRequest;
  readonly said: Said;
  readonly hides: readonly string[];
}[] = [
  {
    name: 'temperature',
    said: ({ temperature }) => (isDefault(temperature) ? undefined : `temperature ${temperature}`),
    hides: ['temperature', 'options'],
  },
  {
    name: 'topP',
    said: ({ topP }) => (isDefault(topP) ? undefined : `top_p ${topP}`),
    hides: ['top_p', 'options'],
  },
  {
    name: 'topK',
    said: ({ topK }) => (topK === undefined ? undefined : `top_k ${topK}`),
    hides: ['top_k', 'options'],
  },
  {
    name: 'stop',
    said: ({ stop = [] }) => (stop.length === 0 ? undefined : `the stop sequences ${JSON.stringify(stop)}`),
    hides: ['stop', 'stop_sequences', 'options'],
  },
  {
    name: 'effort',
    said: ({ effort }) =>
      effort === undefined || effort === 'off' ? undefined : `the effort ${JSON.stringify(effort)}`,
    hides: ['reasoning_effort', 'reasoning', 'thinking', 'output_config', 'think'],
  },
  {
    name: 'parallel',
    said: ({ parallel }) => (parallel === false ? 'the wish for one call at a time' : undefined),
    hides: ['parallel_tool_calls', 'tool_choice'],
  },
  {
    name: 'format',
    said: ({ format }) => (format === undefined ? undefined : 'a format of the answer'),
    hides: ['response_format', 'output_config', 'text', 'format'],
  },
  {
    name: 'choice',
    said: ({ choice }) =>
      choice === undefined || choice === 'auto' ? undefined : `the tool choice ${JSON.stringify(choice)}`,
    hides: ['tool_choice'],
  },
  {
    name: 'tools',
    said: ({ tools }) => (tools.length === 0 ? undefined : `${tools.length} tools`),
    hides: ['tools'],
  },
];

/** Sampling that only some dialects have. */
const samplingNames = [
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'min_p',
  'repeat_penalty',
];

/** LLM-G67: nothing is invented but what the page of gateways lists as lawful. */
export const inventions: AskedCheck = (asked) => {
  const invented =
    memberInvented(asked) ?? limitInvented(asked) ?? namesInvented(asked) ?? systemInvented(asked);
  return [
    invented === undefined
      ? kept('LLM-G67')
      : broken('LLM-G67', `expected nothing that the client did not ask for; came ${invented}`),
  ];
};

function memberInvented(asked: Asked): string | undefined {
  const { above, below } = asked;
  for (const { name, said, hides } of members) {
    const came = said(below);
    // An empty list says nothing.
    const due = above[name];
    const isSaid = due !== undefined && (!Array.isArray(due) || due.length > 0);
    if (came === undefined || isSaid) continue;
    const isForced = mayForceFormat(asked) && (hides.includes('tool_choice') || hides.includes('tools'));
    if (!isForced && !hides.some((name) => name in above.unknown)) return came;
  }
  return undefined;
}

/** Anthropic needs a limit; a limit that says nothing is none. */
function limitInvented({ above, below, pair, claims }: Asked): string | undefined {
  const isOwed =
    pair.provider === 'anthropic' ||
    above.limit !== undefined ||
    'options' in above.unknown ||
    claims.limits === true;
  return isOwed || below.limit === undefined ? undefined : `a limit of ${below.limit} tokens`;
}

function namesInvented({ above, below }: Asked): string | undefined {
  const [before, after] = [wordsOf(above), wordsOf(below)];
  const name = samplingNames.find((one) => one in after && !(one in before));
  if (name !== undefined) return `${name} ${JSON.stringify(after[name])}`;
  const display = displayOf(below);
  return display === undefined || displayOf(above) !== undefined
    ? undefined
    : `the display ${quoted(display)} of thoughts`;
}

/** Members without neutral words, those of Ollama's options among them. */
function wordsOf({ unknown }: FullRequest): Readonly<Record<string, unknown>> {
  const { options } = unknown;
  return { ...unknown, ...(isObject(options) ? options : {}) };
}

/** How Anthropic shows thoughts: `thinking.display`. */
function displayOf({ unknown: { thinking } }: FullRequest): string | undefined {
  const display = isObject(thinking) ? thinking['display'] : undefined;
  return typeof display === 'string' ? display : undefined;
}

/** System text before the messages. A format without a word of the dialect may be asked for there. */
function systemInvented(asked: Asked): string | undefined {
  if (mayForceFormat(asked) || hasHistory(asked)) return undefined;
  const [due, came] = [asked.above, asked.below].map(({ messages }) => withoutLeading(turnsOf(messages)));
  const text = came?.system.join('') ?? '';
  const texts = due?.system ?? [];
  const hoisted = (due?.rest ?? []).some(
    (turn) => turn.role === 'system' && turn.texts.some((one) => text.includes(one)),
  );
  if (text === '' || hoisted || isText(texts, text)) return undefined;
  return hasTexts(texts, text) ? `the system text ${quoted(text)}` : undefined;
}
