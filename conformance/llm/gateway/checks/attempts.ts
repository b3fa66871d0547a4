/** How often, when and whom a gateway asks for one request of a client: LLM-G38, and G40 to G44. */
import type { Moment } from '../../../../src/kit/judge/index.ts';
import { isDisturbed } from '../exchanges.ts';
import type { Above, Below } from '../exchanges.ts';
import { broken, held, kept, quoted } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { seemedLost } from './answered.ts';

/** The statuses of a fault in the request: the same request fails again. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 413, 422]);

/** The statuses of a request that no provider can answer. Keys and models differ between providers. */
const clientStatuses: ReadonlySet<number> = new Set([400, 413, 422]);

/** Further attempts of a gateway that claims no number. */
const retriesByDefault = 10;

/** How long the news that a client has left may be on its way (ms). */
const newsTakes = 100;

/** Whether the provider's answer failed so that another attempt may help: it is busy or broken. */
export function mayBeTriedAgain({ sent, ended }: Below): boolean {
  const { status, over } = sent;
  return status === 429 || status === 408 || status >= 500 || (ended !== undefined && !over);
}

/** Whether the provider refused the request for good. A refusal whose body is torn may be taken for a broken connection. */
const refused = ({ sent: { status, over, end } }: Below): boolean =>
  finalStatuses.has(status) && (over || end === 'clean');

/** Whether a stream has failed after its first piece. */
const failedInMidStream = ({ sent, ended }: Below): boolean =>
  sent.streamed &&
  sent.began !== undefined &&
  (sent.answer().error !== undefined || (ended !== undefined && !sent.over));

/** What a further request below shows about the attempts before it. */
export function furtherAttempt(above: Above, asking: Below, late: number): readonly GatewayFact[] {
  const before = above.below.filter(({ id }) => id !== asking.id);
  const last = before.at(-1);
  if (last === undefined) return [];
  if (above.left !== undefined) return afterLeaving(above, above.left, asking, newsTakes + late);
  if (above.ended !== undefined || isDisturbed(above)) return [];
  return [...afterAPiece(above, last), ...afterARefusal(before, asking), ...tooOften(above, before, asking)];
}

/** LLM-G38: for a client that has left, nothing is asked again. */
function afterLeaving(above: Above, left: Moment, asking: Below, within: number): readonly GatewayFact[] {
  // A gateway that lets go of a request for this client has the news, unless it has given up a silent provider.
  const knows = above.below.some(
    (one) =>
      one.id !== asking.id && one.letGo !== undefined && one.letGo.seq > left.seq && !seemedLost(above, one),
  );
  return (knows && asking.seq > left.seq) || asking.at > left.at + within
    ? [broken('LLM-G38', 'expected no further request for a client that has left; came one')]
    : [];
}

/** LLM-G40: once the client has heard a piece, nothing is asked again. */
function afterAPiece({ heard, about }: Above, last: Below): readonly GatewayFact[] {
  return about.claims.continues === true || heard.began === undefined || !failedInMidStream(last)
    ? []
    : [broken('LLM-G40', 'expected no further request after the client had heard a piece; came one')];
}

/** LLM-G41 and G44: a refused request is not sent again, and one with a fault goes to nobody else. */
function afterARefusal(before: readonly Below[], { peer }: Below): readonly GatewayFact[] {
  const own = before.find((one) => one.peer === peer && refused(one))?.sent.status;
  const other = before.find((one) => one.peer !== peer && clientStatuses.has(one.sent.status))?.sent.status;
  return [
    ...(own === undefined
      ? []
      : [broken('LLM-G41', `expected no further request after a status ${own}; came one`)]),
    ...(other === undefined
      ? []
      : [
          broken(
            'LLM-G44',
            `expected no other provider to be asked after a status ${other}; came a request to it`,
          ),
        ]),
  ];
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
  const { below, heard } = above;
  const first = below[0];
  const last = below.at(-1);
  if (first === undefined || last === undefined) return [];
  const isOnly = below.length === 1;
  return [
    ...(heard.began !== undefined && failedInMidStream(last) ? [kept('LLM-G40')] : []),
    ...(below.some(refused) ? [kept('LLM-G41')] : []),
    ...(mayBeTriedAgain(first) ? [kept('LLM-G42'), ...otherProvider(above, first)] : []),
    ...(isOnly && above.about.claims.fallback === true && clientStatuses.has(first.sent.status)
      ? [kept('LLM-G44')]
      : []),
    ...oneProvider(above),
  ];
}

/** Whether the provider is busy or broken, and has said nothing of an answer. */
const isBusy = (below: Below): boolean => {
  const { sent, ended, letGo } = below;
  const isBroken =
    ended !== undefined &&
    !sent.over &&
    sent.status < 400 &&
    letGo === undefined &&
    !failedInMidStream(below);
  return sent.status === 429 || sent.status >= 500 || isBroken;
};

/** LLM-G44: another provider is asked when the first one is busy or broken. */
function otherProvider({ below, about }: Above, first: Below): readonly GatewayFact[] {
  if (about.claims.fallback !== true || !below.filter(({ peer }) => peer === first.peer).every(isBusy))
    return [];
  const { status } = first.sent;
  // An answer that has begun, and one that came in pieces, may be the provider's last word.
  if (status > 0 && status < 400) return [];
  const came = status === 0 ? 'no answer' : `a status ${status}`;
  return [
    held(
      'LLM-G44',
      below.some(({ peer }) => peer !== first.peer),
      () => `expected the second provider to be asked after ${came} of the first one; came no request to it`,
    ),
  ];
}

/** Whether the gateway asks for the rest of an answer that broke off, as it claims. */
export const continuesAnswer = ({ about, below }: Above): boolean =>
  about.claims.continues === true && below.some(failedInMidStream);

/** LLM-G43: the answer is that of one provider. */
function oneProvider(above: Above): readonly GatewayFact[] {
  const { below, heard } = above;
  const texts = below.map(({ sent }) => sent.answer().text).filter((text) => text !== '');
  const last = texts.at(-1);
  if (below.length < 2 || last === undefined) return [];
  const { text, starts, error } = heard.answer();
  const isOne = continuesAnswer(above)
    ? standsOnce(text, texts, error !== undefined)
    : !isMixed(text, last, texts.slice(0, -1));
  return [
    held(
      'LLM-G43',
      isOne && starts <= 1,
      () => `expected the answer of one provider, ${quoted(last)}; came ${starts} starts and ${quoted(text)}`,
    ),
  ];
}

/** Whether the last answer stands in a text next to an earlier one. */
const isMixed = (heard: string, last: string, earlier: readonly string[]): boolean =>
  heard !== last && heard.includes(last) && earlier.some((one) => one !== last && heard.includes(one));

/**
 * Whether a text is that of answers of which each continues the one before. An answer may begin anew, or with the last words of
 * the one before: these stand once. White space between two answers is the gateway's (gateway.md, "Normal forms").
 */
function standsOnce(heard: string, texts: readonly string[], isCut: boolean): boolean {
  const all = withoutSpace(heard);
  let said = '';
  for (const next of texts.map(withoutSpace)) {
    if (next.startsWith(said)) said = next;
    else if (all.startsWith(said + next)) said += next;
    else return isCut || (all.startsWith(said) && overlaps(said, next, all.slice(said.length)));
  }
  return all === said || (isCut && said.startsWith(all));
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

/** Whether the end of a text is what an answer says after words that had been said. */
const overlaps = (said: string, next: string, rest: string): boolean =>
  next.endsWith(rest) && said.endsWith(next.slice(0, next.length - rest.length));
