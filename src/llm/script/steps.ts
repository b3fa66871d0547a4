/** Reads the steps of a turn, one by one, and judges their order. */
import { stopReasons } from '../../kit/base/index.ts';
import type { Usage } from '../../kit/base/index.ts';
import { isContent, scriptLimits } from './script.ts';
import type { Fill, Offset, Step } from './script.ts';
import { jsonTextOf } from './json.ts';
import { defined } from './read.ts';
import type { DocumentCursor } from './read.ts';
import type { ProviderError } from '../messages.ts';

/** Most that a count in a script says. */
export const mostCount = 1_000_000_000;

const readers: { readonly [key: string]: (place: DocumentCursor) => Step } = {
  thinking: (place) => {
    const { text, signature } = textOr(place, ['text', 'signature']);
    return { do: 'thinking', text, ...defined({ signature: signature?.content() }) };
  },
  text: (place) => {
    const { text, fill } = textOr(place, ['text', 'fill']);
    return { do: 'text', text, ...defined({ fill: fill && fillOf(fill) }) };
  },
  tool_call: toolCall,
  barrier: (place) => {
    if (typeof place.value === 'string') return { do: 'barrier', name: place.line() };
    place.object(['name', 'at'], ['name']);
    return { do: 'barrier', name: place.at('name').line(), ...defined({ at: place.maybe('at', offset) }) };
  },
  wait: (place) => ({ do: 'wait', ms: place.time() }),
  ping: (place) => {
    if (place.value !== true) place.refuse('bad-shape', 'true');
    return { do: 'ping' };
  },
  comment: (place) => ({ do: 'comment', text: place.value === '' ? '' : place.line() }),
  usage: (place) => ({ do: 'usage', usage: usage(place) }),
  stop,
  error: (place) => ({ do: 'error', error: providerError(place) }),
};

const kinds = Object.keys(readers);

/** Reads the steps of a turn; refuses what cannot stand where it stands. */
export function stepsOf(places: readonly DocumentCursor[]): readonly Step[] {
  const steps: Step[] = [];
  let over: 'stop' | 'error' | undefined;
  let held = 0;
  let content = false;
  for (const place of places) {
    const step = stepOf(place);
    if (over !== undefined && step.do !== 'usage')
      place.refuse('bad-order', `nothing but usage after ${over}, which ends the turn`, step.do);
    if (step.do === 'stop' || step.do === 'error') over = step.do;
    if (step.do === 'error' && steps.length === 0 && step.error.status === undefined)
      place.at('error').refuse('bad-shape', 'a status (400 to 599) for an error before the stream', 'none');
    content ||= isContent(step);
    if (step.do === 'barrier' && step.at !== undefined) {
      if (!content)
        place.refuse('bad-order', 'thinking, text or tool_call before a barrier with a place in it', 'none');
      if (++held > scriptLimits.places)
        place.refuse(
          'too-large',
          `at most ${scriptLimits.places} barriers inside the steps of a turn`,
          'more',
        );
    }
    steps.push(step);
  }
  return steps;
}

function stepOf(place: DocumentCursor): Step {
  place.object(kinds);
  const present = kinds.filter((kind) => place.has(kind));
  const [kind, second] = present;
  const read = kind === undefined ? undefined : readers[kind];
  if (kind === undefined || read === undefined || second !== undefined) {
    place.refuse('bad-shape', `one of ${kinds.join(', ')}`, present.join(' and ') || 'none');
    return { do: 'ping' };
  }
  return read(place.at(kind));
}

/** Text, or an object with the text and one thing more. */
function textOr<K extends string>(
  place: DocumentCursor,
  keys: readonly ['text', K],
): { readonly text: string } & { readonly [key in K]?: DocumentCursor } {
  if (typeof place.value === 'string') return { text: place.content() } as ReturnType<typeof textOr<K>>;
  place.object(keys, ['text']);
  const more = place.has(keys[1]) ? { [keys[1]]: place.at(keys[1]) } : {};
  return { text: place.at('text').content(), ...more } as ReturnType<typeof textOr<K>>;
}

function fillOf(place: DocumentCursor): Fill {
  place.object(['text', 'bytes'], ['text', 'bytes']);
  const text = place.at('text').content();
  if (text === '') place.at('text').refuse('bad-value', 'at least one character');
  const bytes = place.at('bytes').integer(1, mostCount);
  return place.at('bytes').countBytes(bytes) ? { text, bytes } : { text, bytes: 0 };
}

function toolCall(place: DocumentCursor): Step {
  place.object(['id', 'name', 'input', 'arguments'], ['name']);
  if (place.has('input') === place.has('arguments'))
    place.refuse('bad-shape', 'either input or arguments', place.has('input') ? 'both' : 'none');
  const json = place.has('input')
    ? jsonTextOf(place.at('input'))
    : place.maybe('arguments', (p) => p.content());
  return {
    do: 'tool_call',
    ...defined({ id: place.maybe('id', (id) => id.line()) }),
    name: place.at('name').line(),
    arguments: json ?? '',
  };
}

/** A place in a text. */
export function offset(place: DocumentCursor): Offset {
  place.object(['byte', 'char', 'token']);
  const present = (['byte', 'char', 'token'] as const).filter((key) => place.has(key));
  const [unit = 'char', second] = present;
  if (present.length === 0 || second !== undefined)
    place.refuse('bad-shape', 'one of byte, char, token', present.join(' and ') || 'none');
  const n = place.maybe(unit, (at) => at.integer(0, mostCount)) ?? 0;
  return unit === 'byte' ? { byte: n } : unit === 'char' ? { char: n } : { token: n };
}

function usage(place: DocumentCursor): Partial<Usage> {
  place.object(['input', 'output', 'cache_read', 'cache_write', 'thinking']);
  const count = (key: string): number | undefined => place.maybe(key, (n) => n.integer(0, mostCount));
  return defined({
    inputTokens: count('input'),
    outputTokens: count('output'),
    cacheReadTokens: count('cache_read'),
    cacheWriteTokens: count('cache_write'),
    thinkingTokens: count('thinking'),
  });
}

function stop(place: DocumentCursor): Step {
  if (typeof place.value !== 'string') place.object(['reason', 'sequence'], ['reason']);
  const word = typeof place.value === 'string' ? place : place.at('reason');
  const reason = word.oneOf(stopReasons, 'end_turn');
  const sequence = place.maybe('sequence', (text) => text.content());
  if ((reason === 'stop_sequence') !== (sequence !== undefined && sequence !== ''))
    place.refuse('bad-shape', 'a sequence with stop_sequence, and with nothing else', reason);
  return { do: 'stop', reason, ...defined({ sequence }) };
}

function providerError(place: DocumentCursor): ProviderError {
  place.object(['type', 'message', 'status', 'retry_after', 'should_retry'], ['type', 'message']);
  const ms = place.maybe('retry_after', (time) => time.time());
  const whole = ms !== undefined && ms % 1000 === 0;
  return {
    type: place.at('type').line(),
    message: place.at('message').content(),
    ...defined({
      status: place.maybe('status', (status) => status.integer(400, 599)),
      retryAfter: whole ? ms / 1000 : undefined,
      retryAfterMs: whole ? undefined : ms,
      shouldRetry: place.maybe('should_retry', (should) => should.boolean()),
    }),
  };
}
