/** How often, when and whom a gateway asks for one request of a client: LLM-G40 to G44. */
import type { Above, Below } from '../exchanges.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';

/** The statuses of a fault in the request: the same request fails again. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 413, 422]);

/** The statuses of a request that no provider can answer. Keys and models differ between providers. */
const clientStatuses: ReadonlySet<number> = new Set([400, 413, 422]);

/** Further attempts of a gateway that claims no number. */
const retriesByDefault = 10;

/** Whether the provider's answer failed so that another attempt may help: it is busy or broken. */
export function mayBeTriedAgain({ sent, ended }: Below): boolean {
  const { status, over } = sent;
  return status === 429 || status === 408 || status >= 500 || (ended !== undefined && !over);
}

/** Whether the provider refused the request for good. */
const refused = ({ sent }: Below): boolean => finalStatuses.has(sent.status);

/** Whether a stream has failed after its first piece. */
const failedInMidStream = ({ sent, ended }: Below): boolean =>
  sent.streamed &&
  sent.began !== undefined &&
  (sent.answer().error !== undefined || (ended !== undefined && !sent.over));

/** What a further request below shows about the attempts before it. */
export function furtherAttempt(above: Above, asking: Below): readonly GatewayFact[] {
  const before = above.below.filter(({ id }) => id !== asking.id);
  const last = before.at(-1);
  // What follows when the client has left is judged by LLM-G38.
  if (last === undefined || above.ended !== undefined) return [];
  return [...afterAPiece(above, last), ...afterARefusal(last, asking), ...tooOften(above, before, asking)];
}

/** LLM-G40: once the client has heard a piece, nothing is asked again. */
function afterAPiece({ heard }: Above, last: Below): readonly GatewayFact[] {
  return heard.began === undefined || !failedInMidStream(last)
    ? []
    : [broken('LLM-G40', 'expected no further request after the client had heard a piece; came one')];
}

/** LLM-G41 and G44: a refused request is not sent again, and one with a fault goes to nobody else. */
function afterARefusal(last: Below, asking: Below): readonly GatewayFact[] {
  const { status } = last.sent;
  if (asking.peer === last.peer)
    return refused(last)
      ? [broken('LLM-G41', `expected no further request after a status ${status}; came one`)]
      : [];
  return clientStatuses.has(status)
    ? [
        broken(
          'LLM-G44',
          `expected no other provider to be asked after a status ${status}; came a request to it`,
        ),
      ]
    : [];
}

/** LLM-G42: a number of attempts. */
function tooOften({ about }: Above, before: readonly Below[], { peer }: Below): readonly GatewayFact[] {
  const { retries } = about.claims;
  const most = 1 + (retries ?? retriesByDefault);
  const attempts = 1 + before.filter((one) => one.peer === peer).length;
  if (attempts <= most || !before.every(mayBeTriedAgain)) return [];
  const why = retries === undefined ? 'no number is claimed' : `retries: ${retries} is claimed`;
  return [broken('LLM-G42', `expected at most ${most} requests, since ${why}; came request ${attempts}`)];
}

/** What the requests below show when the client's answer is over. */
export function attemptsFacts(above: Above): readonly GatewayFact[] {
  const { below } = above;
  const first = below[0];
  if (first === undefined) return [];
  const isOnly = below.length === 1;
  return [
    ...(isOnly && failedInMidStream(first) ? [kept('LLM-G40')] : []),
    ...(isOnly && refused(first) ? [kept('LLM-G41')] : []),
    ...(mayBeTriedAgain(first) ? [kept('LLM-G42'), ...otherProvider(above, first)] : []),
    ...(isOnly && above.about.claims.fallback === true && clientStatuses.has(first.sent.status)
      ? [kept('LLM-G44')]
      : []),
    ...oneProvider(above),
  ];
}

/** LLM-G44: another provider is asked when the first one is busy or broken. */
function otherProvider({ below, about }: Above, first: Below): readonly GatewayFact[] {
  const { status } = first.sent;
  // An answer that has begun, and one that came in pieces, may be the provider's last word.
  if (about.claims.fallback !== true || (status > 0 && status < 400)) return [];
  const came = status === 0 ? 'no answer' : `a status ${status}`;
  return [
    held(
      'LLM-G44',
      below.some(({ peer }) => peer !== first.peer),
      () => `expected the second provider to be asked after ${came} of the first one; came no request to it`,
    ),
  ];
}

/** LLM-G43: the answer is that of one provider. */
function oneProvider({ below, heard, about }: Above): readonly GatewayFact[] {
  const texts = below.map(({ sent }) => sent.answer().text).filter((text) => text !== '');
  const last = texts.at(-1);
  if (below.length < 2 || last === undefined) return [];
  const { text, starts } = heard.answer();
  const mixed = texts.slice(0, -1).find((one) => one !== last && text.includes(one) && text.includes(last));
  const isOne =
    about.claims.continues === true
      ? starts <= 1 && !isRepeated(text, texts)
      : mixed === undefined && starts <= 1;
  return [
    held(
      'LLM-G43',
      isOne,
      () => `expected the answer of one provider, ${quoted(last)}; came ${starts} starts and ${quoted(text)}`,
    ),
  ];
}

/** Whether a text that was heard stands a second time. */
const isRepeated = (heard: string, texts: readonly string[]): boolean =>
  texts.some((one) => heard.indexOf(one) !== heard.lastIndexOf(one));
