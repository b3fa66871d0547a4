/** Oddities of framing, ids and names. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Faults } from '../../../../src/kit/suite/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import type { GatewayParts, PartContext } from '../../../../src/llm/gateway/index.ts';
import { inAnswers, inChoices, inStreams, lacking, listOf, objectIn, renumbered } from './edits.ts';
import { ascii } from './texts.ts';

const keepAlive: Unit = { comment: true, data: 'keep-alive' };

/** Changes the text of each unit as it goes on the wire. */
const inText = (edit: (text: string) => string): GatewayParts => ({
  framed: () => (bytes) => [Buffer.from(edit(Buffer.from(bytes).toString('utf8')))],
});

/** The last event of a stream, behind which nothing comes. */
const isLast = ({ data }: Unit): boolean =>
  data === '[DONE]' ||
  /"(?:message_stop|response\.(?:completed|incomplete|failed)|error)"/.test(JSON.stringify(data));

export const framingOddities: Faults<GatewayParts> = {
  'comments-between': { units: () => (unit) => [keepAlive, unit] },
  'comment-before-answer': { greeting: keepAlive },
  'pings-between': inStreams(
    'anthropic',
    () => (data, unit) =>
      isLast(unit) || data['type'] === 'message_start'
        ? undefined
        : [{ event: 'ping', data: { type: 'ping' } }, data],
  ),
  'empty-deltas': {
    units: (context) => (unit) => {
      const { data, event } = unit;
      const edit = isLast(unit) || !isObject(data) ? undefined : emptied[context.route.client];
      const more = isObject(data) ? (edit?.(data, event) ?? []) : [];
      return [unit, ...more];
    },
  },
  'padding-added': { variants: { obfuscation: true } },
  'lines-end-with-crlf': inText((text) => text.replaceAll('\n', '\r\n')),
  'data-without-space': inText((text) => text.replaceAll(/^(data|event): /gm, '$1:')),
  'fields-of-sse': inText((text) => `id: 7\nretry: 3000\n${text}`),
  'json-in-ascii': inText(ascii),
  'units-cut': {
    framed: () => (bytes) => {
      const half = Math.floor(bytes.length / 2);
      return [bytes.subarray(0, half), bytes.subarray(half)];
    },
  },
  'charset-named': {
    head: (fields) => ({
      ...Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'content-length')),
      'content-type': `${fields['content-type']?.split(';')[0] ?? ''};charset=UTF-8`,
    }),
  },
  'headers-added': {
    head: (fields) => ({
      ...fields,
      server: 'a-gateway',
      'x-request-id': '7f0c',
      'x-ratelimit-remaining-requests': '99',
      'x-gateway-response-cost': '0.0001',
    }),
  },
  'responses-not-in-progress': renumbered((type) => type !== 'response.in_progress'),
  'responses-without-parts': renumbered((type) => !type.startsWith('response.content_part.')),
  'responses-unnumbered': inStreams('openai-responses', () => (data) => [lacking(data, 'sequence_number')]),
  'chat-finish-absent': inChoices((choice) =>
    choice['finish_reason'] === null ? lacking(choice, 'finish_reason', 'logprobs') : choice,
  ),
  'chat-role-in-each-delta': inChoices((choice, name) =>
    name === 'delta' ? { ...choice, delta: { role: 'assistant', ...objectIn(choice, 'delta') } } : choice,
  ),
};

export const nameOddities: Faults<GatewayParts> = {
  'members-lost': inAnswers((data, { route }) =>
    route.client === 'openai-chat' ? lacking(data, 'system_fingerprint', 'service_tier') : undefined,
  ),
  'members-added': inAnswers((data) => ({
    ...data,
    provider: 'somebody',
    extra_fields: { latency: 12, chunk_index: 0 },
    provider_specific_fields: null,
  })),
  'members-added-to-messages': inChoices((choice, name) => ({
    ...choice,
    native_finish_reason: null,
    [name]: {
      ...objectIn(choice, name),
      reasoning_content: null,
      thinking_blocks: [],
      provider_specific_fields: { citations: null },
    },
  })),
  'ids-of-gateway': inAnswers((data, context) => renamed(data, context, { id: 'gen-1764263000-abc' })),
  'model-with-prefix': inAnswers((data, context) =>
    renamed(data, context, { model: `kit/${asked(context)}` }),
  ),
};

const asked = ({ route }: PartContext): string => route.served ?? route.model ?? 'model';

/** The answer's object with other names, where it has them. */
function renamed(data: JsonObject, { route }: PartContext, names: JsonObject): JsonObject {
  const nested = { anthropic: 'message', 'openai-responses': 'response', 'openai-chat': '', ollama: '' }[
    route.client
  ];
  const has = (object: JsonObject): boolean =>
    Object.keys(names).some((name) => typeof object[name] === 'string');
  if (nested !== '' && has(objectIn(data, nested)))
    return { ...data, [nested]: { ...objectIn(data, nested), ...names } };
  return has(data) ? { ...data, ...names } : data;
}

/** Units without content, to follow one with content. */
const emptied: { readonly [dialect: string]: (data: JsonObject, event?: string) => readonly Unit[] } = {
  anthropic: ({ delta, ...more }, event = '') => {
    if (!isObject(delta) || delta['type'] !== 'text_delta') return [];
    return [{ event, data: { ...more, delta: { type: 'text_delta', text: '' } } }];
  },
  'openai-chat': (data) => {
    const [choice] = listOf(data['choices']);
    if (choice?.['finish_reason'] !== null) return [];
    const chunk = (delta: JsonObject): Unit => ({ data: { ...data, choices: [{ ...choice, delta }] } });
    return [chunk({}), chunk({ content: '' })];
  },
  ollama: ({ done, message, ...more }) =>
    done === false && message !== undefined
      ? [{ data: { ...more, message: { role: 'assistant', content: '' }, done } }]
      : [],
};
