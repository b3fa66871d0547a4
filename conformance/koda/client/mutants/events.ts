/** Clients that an odd but lawful event, or one that they must drop, ends or silences. */
import { editIncoming } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import { mutant } from './mutant.ts';

/** Closes the stream at an event. `isFatal` sees every event. */
const diesAt = (makeFatal: () => (event: EngineEvent) => boolean) => (): ClientFault => {
  const isFatal = makeFatal();
  return {
    input(input, context) {
      if (input.type !== 'message' || !isFatal(input.message)) return [input];
      context.close(1, `it died at ${input.message.type}`, input.peer);
      return [];
    },
  };
};

/** Closes the stream at the end or the middle of something whose begin it has not seen. */
const diesWithout = (begin: EngineEvent['type'], next: EngineEvent['type']): (() => ClientFault) =>
  diesAt(() => {
    let last: EngineEvent['type'] | undefined;
    return ({ type }) => {
      const fails = type === next && last !== begin;
      if (type === begin || type === next) last = type;
      return fails;
    };
  });

/** Events that show a client, which takes the turn for ended, that it runs. */
const working: ReadonlySet<string> = new Set([
  'turn_start',
  'tool_call_start',
  'text_delta',
  'response_start',
]);

const isRequest = ({ type }: EngineEvent): boolean =>
  type.endsWith('_request') || type === 'loop_cap_reached';

/** Ignores the requests that follow an error event. */
const endsTurnAtError = (): ClientFault => {
  let ended = false;
  return editIncoming((event) => {
    if (event.type === 'error') ended = true;
    if (working.has(event.type)) ended = false;
    return ended && isRequest(event) ? [] : [event];
  });
};

/** Ignores the requests that follow an event that it cannot read. */
const endsTurnAtGarbage = (): ClientFault => {
  let ended = false;
  return {
    input(input) {
      if (input.type === 'undecodable') ended = true;
      if (input.type !== 'message') return [input];
      if (working.has(input.message.type)) ended = false;
      return ended && isRequest(input.message) ? [] : [input];
    },
  };
};

const isBeyondDoubles = (event: EngineEvent): boolean =>
  event.type === 'footer' && !Number.isSafeInteger(Number(event.prompt_tokens));

/** The mutants of this theme. */
export const eventFaults: readonly Mutant[] = [
  mutant(
    'KODA-61',
    'dies-at-large-counts',
    'It closes the stream at a footer with a count beyond 2^53.',
    diesAt(() => isBeyondDoubles),
  ),
  mutant(
    'KODA-61',
    'dies-at-negative-counts',
    'It closes the stream at a footer with a count below 0.',
    diesAt(() => (event) => event.type === 'footer' && Number(event.completion_tokens) < 0),
  ),
  mutant(
    'KODA-61',
    'needs-thinking-starts',
    'It closes the stream at a thought whose begin it has not seen.',
    diesWithout('thinking_start', 'thinking_delta'),
  ),
  mutant(
    'KODA-55',
    'dies-at-second-spinner-stop',
    'It closes the stream at a spinner_stop without a spinner_start.',
    diesWithout('spinner_start', 'spinner_stop'),
  ),
  mutant(
    'KODA-55',
    'dies-at-large-shares',
    'It closes the stream at a context_pct above 1.',
    diesAt(() => (event) => event.type === 'status_update' && event.context_pct > 1),
  ),
  mutant('KODA-55', 'ends-turn-at-error', 'It ignores a request that follows an error.', endsTurnAtError),
  mutant(
    'KODA-65',
    'ends-turn-at-garbage',
    'It ignores a request that follows an event that it cannot read.',
    endsTurnAtGarbage,
  ),
  mutant('KODA-55', 'drops-long-events', 'It drops events of more than 8192 characters.', () => ({
    takes: (text) => text.length <= 8192,
  })),
  mutant('KODA-55', 'needs-tags-first', 'It drops events whose tag is not their first member.', () => ({
    takes: (text) => /^\{\s*"type"/.test(text),
  })),
  mutant('KODA-55', 'needs-known-fields', 'It drops approvals with an unknown field.', () => ({
    takes: (text) => !/approval_request.*"x_/.test(text),
  })),
  mutant('KODA-55', 'needs-plain-letters', 'It drops events whose letters are escapes.', () => ({
    takes: (text) => !/\\u00[46]/.test(text),
  })),
];
