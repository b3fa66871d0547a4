/** Clients that an odd but lawful event, or one that they must drop, ends or silences. */
import { allFaults, onInput, onReceive } from '../../../../src/kit/suite/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import type { ClientFault } from '../../shared/mutants/mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** Closes the stream at an event. `isFatal` sees every event. */
const diesAt = (makeFatal: () => (event: EngineEvent) => boolean) => (): ClientFault => {
  const isFatal = makeFatal();
  return onReceive((event, context, peer) => {
    if (!isFatal(event)) return;
    context.close(1, `it died at ${event.type}`, peer);
    return [];
  });
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

/** Ignores the requests that follow an event that ends the turn for it; undefined: one that it cannot read. */
const endsTurnAt = (isEnd: (event: EngineEvent | undefined) => boolean) => (): ClientFault => {
  let ended = false;
  return allFaults(
    onInput('undecodable', () => void (ended ||= isEnd(undefined))),
    onReceive((event) => {
      ended = (ended || isEnd(event)) && !working.has(event.type);
      return ended && isRequest(event) ? [] : undefined;
    }),
  );
};

const isBeyondDoubles = (event: EngineEvent): boolean =>
  event.type === 'footer' && !Number.isSafeInteger(Number(event.prompt_tokens));

export const eventFaults: ClientFaults = {
  'dies-at-large-counts': diesAt(() => isBeyondDoubles),
  'dies-at-negative-counts': diesAt(
    () => (event) => event.type === 'footer' && Number(event.completion_tokens) < 0,
  ),
  'needs-thinking-starts': diesWithout('thinking_start', 'thinking_delta'),
  'dies-at-second-spinner-stop': diesWithout('spinner_start', 'spinner_stop'),
  'dies-at-large-shares': diesAt(() => (event) => event.type === 'status_update' && event.context_pct > 1),
  'ends-turn-at-error': endsTurnAt((event) => event?.type === 'error'),
  'ends-turn-at-garbage': endsTurnAt((event) => event === undefined),
  'drops-long-events': () => ({ takes: (text) => text.length <= 8192 }),
  'needs-tags-first': () => ({ takes: (text) => /^\{\s*"type"/.test(text) }),
  'needs-known-fields': () => ({ takes: (text) => !/approval_request.*"x_/.test(text) }),
  'needs-plain-letters': () => ({ takes: (text) => !/\\u00[46]/.test(text) }),
};
