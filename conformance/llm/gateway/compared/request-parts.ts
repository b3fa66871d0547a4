/** The parts of a request as short texts, for the comparison of what the client asked with what the provider was asked. */
import type { FullMessage, FullPart, FullRequest } from '../../../../src/llm/gateway/index.ts';
import { mediaOf, textsIn } from '../asked/conversation.ts';
import type { MediaPart, ResultPart } from '../asked/conversation.ts';
import { listed, quotedWhole } from './answer-parts.ts';
import type { Parts } from './answer-parts.ts';

/** The parts of a request. */
export function requestParts(request: FullRequest): Parts {
  const { messages, tools, choice, parallel, format, effort, includeUsage } = request;
  const { spoken, inResults } = mediaOf(messages);
  return {
    system: systemOf(messages),
    messages: listed(messages.flatMap(spokenBy)),
    thoughts: listed(partsOf(messages).flatMap(thoughtOf)),
    results: listed(partsOf(messages).filter(isResult).map(resultOf)),
    'images and files': listed([...spoken, ...inResults].map(mediaWords)),
    tools: listed(tools.map(({ name, description = '' }) => `${name} ${JSON.stringify(description)}`)),
    schemas: listed(tools.map(({ name, schema }) => `${name} ${JSON.stringify(schema)}`)),
    'tool choice': typeof choice === 'object' ? `the tool ${choice.name}` : choice,
    'one call at a time': parallel === undefined ? undefined : parallel ? 'off' : 'on',
    limit: textOf(request.limit),
    temperature: textOf(request.temperature),
    top_p: textOf(request.topP),
    top_k: textOf(request.topK),
    'stop sequences': listed((request.stop ?? []).map((word) => JSON.stringify(word))),
    format:
      format === undefined ? undefined : format.kind === 'json' ? 'JSON' : JSON.stringify(format.schema),
    effort: typeof effort === 'object' ? `a budget of ${effort.budget}` : effort,
    'usage in the stream': includeUsage === true ? 'asked for' : undefined,
    'earlier answer': request.previous,
    'other members': listed(
      Object.entries(request.unknown).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
    ),
  };
}

const textOf = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

const partsOf = (messages: readonly FullMessage[]): readonly FullPart[] =>
  messages.flatMap(({ parts }) => parts);

const isResult = (part: FullPart): part is ResultPart => part.kind === 'result';

/** System texts; of each after the first message, its place. */
function systemOf(messages: readonly FullMessage[]): string | undefined {
  let others = 0;
  return listed(
    messages.flatMap(({ role, parts }) => {
      if (role !== 'system') {
        others++;
        return [];
      }
      const text = JSON.stringify(textsIn(parts).join(''));
      return [others === 0 ? text : `after message ${others}: ${text}`];
    }),
  );
}

/** What a message says, without its results, images and thoughts. */
function spokenBy({ role, parts }: FullMessage): readonly string[] {
  if (role === 'system') return [];
  const text = quotedWhole(textsIn(parts).join(''));
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [`${part.name}(${part.arguments})`] : []));
  const said = [...(text === undefined ? [] : [text]), ...calls];
  return said.length === 0 ? [] : [`${role}: ${said.join(', ')}`];
}

function thoughtOf(part: FullPart): readonly string[] {
  if (part.kind === 'redacted') return [`redacted ${part.data}`];
  if (part.kind !== 'thought') return [];
  return [
    `${JSON.stringify(part.text)} ${part.signature === undefined ? 'unsigned' : `signed ${part.signature}`}`,
  ];
}

const resultOf = ({ id, parts, failed }: ResultPart): string =>
  `${id}: ${JSON.stringify(textsIn(parts).join(''))}${failed === true ? ', failed' : ''}`;

function mediaWords({ kind, mime = 'of no type', data, url }: MediaPart): string {
  const what =
    data === undefined ? `at ${url ?? 'no place'}` : `${data.slice(0, 24)} (${data.length} characters)`;
  return `${kind} ${mime} ${what}`;
}
