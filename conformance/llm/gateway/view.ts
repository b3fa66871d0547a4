/**
 * The view of the rules of gateways: the exchanges of both sides, joined by the word that each request carries, and the facts
 * that the current event shows.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
import { Streams, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type { Judging, RunView } from '../../../src/kit/judge/index.ts';
import { gatewayDialects } from '../../../src/llm/gateway/index.ts';
import { Efforts } from './asked/effort.ts';
import { askedFacts } from './asked/index.ts';
import { continuesAnswer, furtherAttempt } from './checks/attempts.ts';
import { answerFacts } from './checks/index.ts';
import { claimsIn } from './claims.ts';
import { largeRequestFacts } from './checks/large.ts';
import { mixedFacts, mixedRequestFacts } from './checks/mixed.ts';
import { comparedAnswer, comparedRequest } from './compared/index.ts';
import { nonceIn, openAbove, openBelow } from './exchanges.ts';
import type { About, Above, Below } from './exchanges.ts';
import type { GatewayFact } from './facts.ts';
import { clientKeyFacts, keysIn, providerKeyFacts, secretsIn } from './keys.ts';
import type { KeyWords } from './keys.ts';
import { passedRequestFacts } from './checks/noise.ts';
import { heldBackFacts } from './checks/slow.ts';
import { Twins } from './twins.ts';

/** Default time limits of the rules (ms). */
export const defaultTimeouts = {
  /** A whole answer. */
  step: 15_000,
  /** From the leaving of a client to the end of the provider's request. */
  leave: 2000,
  /** From the first attempt to the end of all. */
  tries: 60_000,
  /** The silence of a provider after which a gateway gives up. */
  stalled: 30_000,
  /** From the first piece of a stream to its hearing, while the provider waits. */
  barrier: 2000,
} as const;

type Timeouts = { readonly [name in keyof typeof defaultTimeouts]: number };

export interface GatewayView extends RunView<Timeouts> {
  readonly above: Streams<Above>;
  readonly below: Streams<Below>;
  /** The answers of a case that came before. */
  readonly twins: Twins;
  /** The efforts of the requests that came before. */
  readonly efforts: Efforts;
  about: About;
  keys: KeyWords;
  /** Whether the clients read. */
  reads: boolean;
  /** The facts of the current event. */
  facts: readonly GatewayFact[];
}

/** The wires of the two sides, as traces name them. */
export const wires = { above: 'client', below: 'provider' } as const;

/** The most exchanges that are kept, and the most ended ones among them. */
const kept = { all: 4096, over: 64 } as const;

const startView = (): GatewayView => ({
  drive: '',
  timeouts: defaultTimeouts,
  late: 0,
  above: new Streams(kept.over, kept.all),
  below: new Streams(kept.over, kept.all),
  twins: new Twins(),
  efforts: new Efforts(),
  about: { case: '', claims: {} },
  keys: {},
  reads: true,
  facts: [],
});

const nothing: readonly GatewayFact[] = [];

/** Reads the current event, before any rule. */
function lookAt(view: GatewayView, event: TraceEvent): void {
  view.facts = nothing;
  if (event.kind === 'mark') view.facts = heldBackFacts(event, view);
  if (event.kind === 'mark' || event.kind === 'open') return;
  if (event.wire === wires.below) return lookBelow(view, event);
  const exchange = view.above.get(event.stream);
  if (exchange === undefined || exchange.ended !== undefined) return;
  if (event.from !== 'target') return;
  exchange.heard.take(event);
  const isOver = event.kind === 'end' || event.kind === 'reset';
  view.facts = [
    ...providerKeyFacts(providerKeys(view, exchange), event),
    ...(isOver ? comparedAnswer(exchange, answerFacts(exchange, view.twins)) : []),
    ...(isOver ? mixedFacts(exchange, view.above.values()) : []),
  ];
}

/** The keys that the provider got, without those that the client had sent. */
function providerKeys({ keys }: GatewayView, { below, headers }: Above): readonly string[] {
  const own = new Set(below.flatMap((one) => secretsIn(one.headers)));
  if (keys.provider !== undefined) own.add(keys.provider);
  return [...own].filter((word) => word !== keys.client && !secretsIn(headers).includes(word));
}

/** The keys of the client whose request this is, and the one that all clients of a scenario have. */
const clientKeys = ({ keys }: GatewayView, above: Above | undefined): readonly string[] => [
  ...(keys.client === undefined ? [] : [keys.client]),
  ...(above === undefined ? [] : secretsIn(above.headers)),
];

function lookBelow(view: GatewayView, event: TraceEvent): void {
  const exchange = view.below.get(event.stream);
  if (exchange === undefined || exchange.ended !== undefined) return;
  if (event.from !== 'target') return exchange.sent.take(event);
  const { body } = event.data;
  if (event.kind !== 'message' || body === undefined) return;
  const asking: Below = { ...exchange, body, nonce: nonceIn(body) };
  const above = ownerOf(view, asking);
  const secret = [
    ...clientKeyFacts(clientKeys(view, above), {
      ...event,
      data: { ':path': exchange.path, ...exchange.headers, body },
    }),
  ];
  if (above?.body === undefined) return void (view.facts = secret);
  // A request for the rest of an answer is another one than the client's.
  const asked = continuesAnswer(above)
    ? []
    : comparedRequest(above, asking, askedFacts(above, asking, view.efforts));
  view.facts = [
    ...asked,
    ...furtherAttempt(above, asking, view.late),
    ...mixedRequestFacts(above, asking),
    ...largeRequestFacts(above, asking),
    ...passedRequestFacts(above, asking),
    ...secret,
  ];
}

/** Takes the current event into the view, after all rules. */
function stepView(view: GatewayView, event: TraceEvent): void {
  if (event.kind === 'mark') return mark(view, event);
  if (event.wire === wires.below) return stepBelow(view, event);
  if (event.kind === 'open') {
    const opened = openAbove(event, view.about);
    if (opened !== undefined) view.above.open(opened);
    return;
  }
  const exchange = view.above.get(event.stream);
  if (exchange === undefined) return;
  const isOver = event.kind === 'end' || event.kind === 'reset';
  if (event.from === 'target') {
    if (isOver) exchange.ended ??= momentOf(event);
    return;
  }
  if (event.kind === 'message') {
    ask(exchange, event);
    exchange.size = event.size ?? 0;
  }
  if (!isOver) return;
  if (!exchange.heard.over && exchange.ended === undefined) exchange.left ??= momentOf(event);
  exchange.ended ??= momentOf(event);
}

function ask(exchange: Above | Below, { data: { body } }: TraceEvent): void {
  if (body === undefined) return;
  exchange.body = body;
  exchange.nonce = nonceIn(body);
}

function stepBelow(view: GatewayView, event: TraceEvent): void {
  if (event.kind === 'open') {
    const opened = openBelow(event);
    if (opened !== undefined) view.below.open(opened);
    return;
  }
  const exchange = view.below.get(event.stream);
  if (exchange === undefined) return;
  if (event.kind === 'message' && event.from === 'target') {
    ask(exchange, event);
    ownerOf(view, exchange)?.below.push(exchange);
    return;
  }
  if (event.kind !== 'end' && event.kind !== 'reset') return;
  if (event.from === 'target' && !exchange.sent.over) exchange.letGo ??= momentOf(event);
  exchange.ended ??= momentOf(event);
}

/** The client's exchange of a request below: by its word, else the only one that is open. */
function ownerOf(view: GatewayView, { nonce }: Below): Above | undefined {
  const all = [...view.above.values()];
  const named = nonce === undefined ? undefined : all.findLast((one) => one.nonce === nonce);
  if (named !== undefined || nonce !== undefined) return named;
  const open = all.filter(({ ended }) => ended === undefined);
  return open.length === 1 ? open[0] : undefined;
}

/** A busy machine held up the kit for so long (ms): every open request may have waited for it. */
function holdUp(view: GatewayView, ms: Json | undefined): void {
  if (typeof ms !== 'number') return;
  for (const above of view.above.values()) if (above.ended === undefined) above.held += ms;
}

function mark(view: GatewayView, event: TraceEvent): void {
  takeMark(view, event, defaultTimeouts);
  holdUp(view, event.data['busy']);
  for (const side of [view.above, view.below]) side.disturb(event);
  view.keys = keysIn(event) ?? view.keys;
  const { about, reads } = event.data;
  if (typeof reads === 'boolean') read(view, reads);
  if (!isObject(about) || typeof about['case'] !== 'string') return;
  const provider = gatewayDialects.find((name) => name === about['provider']);
  const { window } = about;
  view.about = {
    case: about['case'],
    claims: claimsIn(about['claims']),
    ...(provider === undefined ? {} : { provider }),
    ...(typeof window === 'number' ? { window } : {}),
  };
}

/** The clients read, or do not for now. */
function read(view: GatewayView, reads: boolean): void {
  view.reads = reads;
  for (const exchange of view.above.values()) exchange.slow ||= !reads && exchange.ended === undefined;
}

/** The topic of an event: `above.` or `below.` and its kind, or `mark`. */
function topicOf({ kind, wire }: TraceEvent): string {
  if (kind === 'mark') return 'mark';
  return `${wire === wires.below ? 'below' : 'above'}.${kind}`;
}

/** The view and topics of the rules, for a judge. */
export const gatewayJudging: Omit<Judging<GatewayView>, 'rules'> = {
  topicOf,
  view: { start: startView, look: lookAt, step: stepView },
  forgot: ({ above, below }) =>
    above.forgotten || below.forgotten ? 'there were too many exchanges at once' : undefined,
};
