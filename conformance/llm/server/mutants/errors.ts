/** Servers whose errors have not the form of their dialect, and whose counts are not those of their usage: LLM-S14, S16, S17. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { changed, kindOf, streamed, unitFault, valueOf, wrong } from './mutant.ts';
import type { ServerFault, Scene } from './mutant.ts';

type UnitEdit = (unit: Unit) => readonly Unit[];

const midStream = (id: string, title: string, dialect: DialectName, kind: string, edit: UnitEdit): Mutant =>
  wrong('LLM-S14', `${dialect}-${id}`, title, { unit: inMidStream(unitFault(dialect, kind, edit)) });

/** LM Studio has one form for both: before anything was said in the channel, an error is another row's. */
const inMidStream =
  (fault: NonNullable<ServerFault['unit']>): NonNullable<ServerFault['unit']> =>
  (unit, scene) => {
    if (kindOf(unit, scene) === 'fragment') scene.memory.set('begun', 1);
    return scene.dialect !== 'lmstudio' || scene.memory.has('begun') ? fault(unit, scene) : [unit];
  };

const streams: readonly Mutant[] = [
  midStream('error-as-text', 'The error in its event is text.', 'anthropic', 'error', (unit) => [
    changed(unit, ['error'], 'Overloaded'),
  ]),
  midStream('error-untyped', 'The data of its event has no type.', 'anthropic', 'error', (unit) => [
    changed(unit, ['type'], undefined),
  ]),
  midStream('error-as-text', 'Its error is text.', 'openai-chat', 'error', (unit) => [
    changed(unit, ['error'], 'Overloaded'),
  ]),
  midStream('error-without-message', 'Its error says nothing.', 'openai-responses', 'error', (unit) => [
    changed(unit, ['message'], undefined),
  ]),
  midStream('error-as-object', 'Its error is an object.', 'ollama', 'line', (unit) =>
    valueOf(unit, 'error') === undefined ? [unit] : [changed(unit, ['error'], { message: 'Overloaded' })],
  ),
  midStream('error-untitled', 'Its error has no title.', 'lmstudio', 'channelError', (unit) => [
    changed(unit, ['error'], { message: 'Overloaded' }),
  ]),
  wrong('LLM-S14', 'lmstudio-error-in-channel', 'Its error is a message of the channel.', {
    unit: inMidStream((unit, scene) =>
      scene.dialect === 'lmstudio' && kindOf(unit, scene) === 'channelError' && isObject(unit.data)
        ? [{ data: inChannel(unit) }]
        : [unit],
    ),
  }),
];

const inChannel = (unit: Unit): Json => ({
  type: 'channelSend',
  channelId: valueOf(unit, 'channelId') ?? 0,
  message: { type: 'error', error: valueOf(unit, 'error') ?? null },
});

/** Whether a body says that an answer is refused. */
const refuses = ({ what, status, dialect }: Scene): boolean =>
  what === 'answer' && status >= 400 && dialect !== 'lmstudio';

const refusals: readonly Mutant[] = [
  wrong('LLM-S17', 'error-page', 'It refuses with a page of HTML.', {
    bytes: (bytes, scene) => (refuses(scene) ? Buffer.from('<html><h1>Bad Request</h1></html>') : bytes),
  }),
  wrong('LLM-S17', 'error-empty', 'It refuses without a word.', {
    unit: (unit, scene) => (refuses(scene) ? [] : [unit]),
  }),
  wrong('LLM-S17', 'error-detail', 'It refuses in the form of the framework that it is built on.', {
    unit: (unit, scene) => (refuses(scene) ? [{ data: { detail: 'Bad Request' } }] : [unit]),
  }),
  wrong('LLM-S17', 'error-with-200', 'It refuses with an error whose status is 200.', {
    headers: (headers, { what, status }) =>
      what === 'answer' && status >= 400 ? { ...headers, ':status': '200' } : headers,
  }),
  wrong('LLM-S17', 'lmstudio-refusal-untitled', 'It closes channels by an error without a title.', {
    unit: (unit, scene) => {
      if (kindOf(unit, scene) === 'fragment') scene.memory.set('begun', 1);
      const refused = scene.dialect === 'lmstudio' && streamed(scene) && !scene.memory.has('begun');
      return refused && kindOf(unit, scene) === 'channelError'
        ? [changed(unit, ['error'], { message: 'no' })]
        : [unit];
    },
  }),
];

const counts: readonly Mutant[] = (['anthropic', 'openai-responses'] as const).map((dialect) =>
  wrong('LLM-S16', `${dialect}-counts-half`, `In ${dialect} it counts half of a prompt.`, {
    unit: (unit, scene) => {
      const tokens = valueOf(unit, 'input_tokens');
      return scene.dialect === dialect && scene.what === 'count' && typeof tokens === 'number'
        ? [changed(unit, ['input_tokens'], Math.floor(tokens / 2))]
        : [unit];
    },
  }),
);

/** Every mutant of this theme. */
export const errorMutants: readonly Mutant[] = [...streams, ...refusals, ...counts];
