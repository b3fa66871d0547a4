/** The two sides of a gateway: a client's exchange above, and the provider's exchanges below that belong to it. */
import type { Json, Metadata, TraceEvent } from '../../../src/kit/base/index.ts';
import { momentOf } from '../../../src/kit/judge/index.ts';
import type { KnownStream, Moment } from '../../../src/kit/judge/index.ts';
import { gatewayDialects } from '../../../src/llm/gateway/index.ts';
import type { GatewayDialect } from '../../../src/llm/gateway/index.ts';
import { purposeOf } from '../server/asked.ts';
import { textOf } from '../server/words.ts';
import type { Claims } from './claims.ts';
import { AnswerReading } from './reading.ts';

/** A provider's exchange. */
export interface Below extends KnownStream, Moment {
  /** The provider that was asked: a gateway may have two. */
  readonly peer: string;
  readonly dialect: GatewayDialect;
  readonly path: string;
  readonly headers: Metadata;
  readonly sent: AnswerReading;
  body: Json | undefined;
  /** The word that names the client's request. */
  nonce: string | undefined;
  /** When the gateway let go of it before it was over. */
  letGo: Moment | undefined;
  ended: Moment | undefined;
}

/** A client's exchange. */
export interface Above extends KnownStream, Moment {
  readonly dialect: GatewayDialect;
  readonly path: string;
  readonly headers: Metadata;
  readonly heard: AnswerReading;
  body: Json | undefined;
  /** The size of the body (bytes), from 64 KiB on. */
  size: number;
  nonce: string | undefined;
  /** The scenario of the request, and the pair that it tries. */
  readonly about: About;
  /** The exchanges below that are for it, in order. */
  readonly below: Below[];
  /** When the client left before the answer was over. */
  left: Moment | undefined;
  /** Whether the client did not read for a while. */
  slow: boolean;
  /** How long a busy machine held up the kit since the request (ms). */
  held: number;
  ended: Moment | undefined;
}

/** Whether the kit cut a connection of the exchange: then nobody knows what has arrived. */
export const isDisturbed = ({ disturbed, below }: Above): boolean =>
  disturbed || below.some((one) => one.disturbed);

/** What a scenario says of the requests that follow its mark. */
export interface About {
  /** The name of the case: a stream and a body of one case have the same script. */
  readonly case: string;
  readonly provider?: GatewayDialect;
  /** What the gateway does on purpose. */
  readonly claims: Claims;
  /** What the provider may write while the client does not read (bytes); default 16 MiB. */
  readonly window?: number;
}

const isDialect = (name: string): name is GatewayDialect =>
  gatewayDialects.some((dialect) => dialect === name);

/** The dialect of a path; undefined for a path that asks for no answer. */
function dialectOfPath(path: string): GatewayDialect | undefined {
  const purpose = purposeOf(path);
  return purpose?.what === 'answer' && isDialect(purpose.dialect) ? purpose.dialect : undefined;
}

/** The dialect, path and header fields of a request; undefined for one that asks for no answer. */
function openingOf({ data }: TraceEvent): Pick<Above, 'dialect' | 'path' | 'headers'> | undefined {
  const path = textOf(data[':path']);
  const dialect = dialectOfPath(path);
  if (dialect === undefined) return undefined;
  const fields = Object.entries(data).flatMap(([name, value]) =>
    typeof value === 'string' && !name.startsWith(':') ? [[name, value] as const] : [],
  );
  return { dialect, path: ownPath(path), headers: Object.fromEntries(fields) };
}

/** The path in the dialect's own words: servers put their own parts before it. */
const ownPath = (path: string): string => path.replace(/^.*(?=\/(?:v1|api)\/)/, '');

/** The beginning of a text in which its words are looked for: a prompt begins with them. */
const wordsWithin = 4096;

/** The words in the texts of a request. */
export function wordsIn(body: Json, word: RegExp): readonly string[] {
  if (typeof body === 'string') return body.slice(0, wordsWithin).match(word) ?? [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.values(body).flatMap((inner) => wordsIn(inner, word));
}

/** The words of scenarios in a request: they are in the prompts of all of them. */
export const caseWords = (body: Json): readonly string[] => wordsIn(body, /\[case [a-z0-9-]+\]/g);

/** The word by which a request above and its requests below are found. */
export const nonceIn = (body: Json): string | undefined => caseWords(body)[0];

/** A client's exchange that opens; undefined where its path asks for no answer. */
export function openAbove(event: TraceEvent, about: About): Above | undefined {
  const asked = openingOf(event);
  if (asked === undefined) return undefined;
  return {
    id: event.stream,
    ...momentOf(event),
    ...asked,
    heard: new AnswerReading(asked.dialect),
    body: undefined,
    size: 0,
    nonce: undefined,
    about,
    below: [],
    left: undefined,
    slow: false,
    held: 0,
    disturbed: false,
    ended: undefined,
  };
}

/** A provider's exchange that opens; undefined where its path asks for no answer. */
export function openBelow(event: TraceEvent): Below | undefined {
  const asked = openingOf(event);
  if (asked === undefined) return undefined;
  return {
    id: event.stream,
    peer: event.to,
    ...momentOf(event),
    ...asked,
    sent: new AnswerReading(asked.dialect),
    body: undefined,
    nonce: undefined,
    letGo: undefined,
    disturbed: false,
    ended: undefined,
  };
}
