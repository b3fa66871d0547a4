/** Clients that what a provider adds to OpenAI Chat confuses: LLM-C07, C12, C30, C52. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { ClientParts, Decoded } from '../../../../src/llm/index.ts';
import { changeDecoded, changeExchange, withoutError, withStopReason } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';
import { editUnits } from './shapes.ts';

/** Fails at bytes that it does not understand. */
const failsAt = (bytes: RegExp, message: string): ClientParts =>
  changeDecoded((decoded, { raw }) =>
    bytes.test(raw) ? { ...decoded, error: { kind: 'protocol', message, retryable: false } } : decoded,
  );

const endsWell = (decoded: Decoded): Decoded =>
  withoutError(decoded, { metadata: withStopReason(decoded, 'end_turn') });

/** Edits the delta, or the message, of the choice of each unit. */
const editMessages = (edit: (message: JsonObject) => JsonObject): ClientParts =>
  editUnits((unit) => {
    const [choice] = isArray(unit['choices']) ? unit['choices'] : [];
    if (!isObject(choice)) return unit;
    const name = 'delta' in choice ? 'delta' : 'message';
    const message = choice[name];
    return isObject(message) ? { ...unit, choices: [{ ...choice, [name]: edit(message) }] } : unit;
  });

/** The text of a chunk of thoughts. */
function thoughtOf({ thinking }: JsonObject): string {
  const texts = isArray(thinking) ? thinking.map((part) => (isObject(part) ? part['text'] : '')) : [];
  return texts.filter((text) => typeof text === 'string').join('');
}

/** Edits the thoughts that go back to OpenRouter. */
export const editDetails = (
  edit: (details: readonly JsonObject[]) => readonly JsonObject[] | undefined,
): ClientParts =>
  changeExchange({
    body: (body) => {
      const { messages } = body;
      if (!isArray(messages)) return body;
      return { ...body, messages: messages.map((one) => (isObject(one) ? withDetails(one, edit) : one)) };
    },
  });

function withDetails(
  message: JsonObject,
  edit: (details: readonly JsonObject[]) => readonly JsonObject[] | undefined,
): JsonObject {
  const { reasoning_details: details, ...rest } = message;
  if (!isArray(details)) return message;
  const edited = edit(details.filter((one) => isObject(one)));
  return edited === undefined ? rest : { ...rest, reasoning_details: edited };
}

/** A list of objects as JavaScript makes a text of it. */
const asObjects = (list: readonly unknown[]): string => list.map(() => '[object Object]').join(',');

export const providerFaults: ClientFaults = {
  'indexes-the-first-choice': failsAt(
    /^(?::[^\r\n]*(?:\r\n|\r|\n){2})*data: \{[^\r\n]*"choices":\[\]/,
    'choices has no item 0',
  ),
  'reads-every-delta': failsAt(/"choices":\[\{"index":0,"finish_reason":/, 'a choice has no delta'),
  'takes-the-error-word-for-an-end': changeDecoded((decoded) =>
    decoded.error?.message === 'the finish_reason is error' ? endsWell(decoded) : decoded,
  ),
  'reads-choices-before-errors': editUnits((unit) => {
    const { error, ...rest } = unit;
    const [choice] = isArray(unit['choices']) ? unit['choices'] : [];
    if (error === undefined || !isObject(choice)) return unit;
    return { ...rest, choices: [{ ...choice, finish_reason: 'stop' }] };
  }),
  'passes-over-errors-without-choices': changeDecoded((decoded, { raw }) =>
    /"error":\{[^\n]*"choices":\[\]/.test(raw) ? endsWell(decoded) : decoded,
  ),
  'drops-listed-content': editMessages((message) =>
    isArray(message['content']) ? { ...message, content: '' } : message,
  ),
  'shows-lists-as-objects': editMessages((message) =>
    isArray(message['content']) ? { ...message, content: asObjects(message['content']) } : message,
  ),
  'shows-listed-thoughts': editMessages((message) => {
    const { content } = message;
    if (!isArray(content)) return message;
    const shown = content.map((chunk) =>
      isObject(chunk) && chunk['type'] === 'thinking' ? { type: 'text', text: thoughtOf(chunk) } : chunk,
    );
    return { ...message, content: shown };
  }),
  'drops-reasoning-details': editDetails(() => undefined),
  'drops-hidden-thoughts': editDetails((details) =>
    details.filter(({ type }) => type !== 'reasoning.encrypted'),
  ),
  'drops-signatures-of-details': editDetails((details) =>
    details.map((detail) => {
      const { signature: _, ...rest } = detail;
      return rest;
    }),
  ),
};
