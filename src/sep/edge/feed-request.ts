/** Reads a request to a feed server: its path, its method and its body. */
import { clip, exactJsonOf, inWords, isObject, ok, refuse } from '../../kit/base/index.ts';
import type { Json, JsonObject, Metadata, Result } from '../../kit/base/index.ts';
import { feedId, mostRequest } from './feed-contract.ts';
import type { FeedRefusal } from './feed-guard.ts';

/** What a request asks for: the list of feeds, or the value of one. */
export type FeedRequest =
  { readonly asks: 'list' } | { readonly asks: 'value'; readonly id: string; readonly takesParams: boolean };

/** A text of a client in a sentence. */
const shown = (text: string): string => JSON.stringify(clip(text, 200));

/** Reads the head of a request. */
export function feedRequest(head: Metadata): Result<FeedRequest, FeedRefusal> {
  const { ':method': method = '', ':path': target = '' } = head;
  const [path = '', query] = target.split(/\?(.*)/s, 2);
  const [, segment] = /^\/feeds\/([^/]+)$/.exec(path) ?? [];
  if (segment === undefined && path !== '/feeds')
    return refuse({ status: 404, error: `expected /feeds or /feeds/ID; came ${shown(path)}` });
  const allow = segment === undefined ? 'GET' : 'GET, POST';
  if (!allow.split(', ').includes(method)) {
    const error = `${segment === undefined ? '/feeds' : '/feeds/ID'}: expected ${allow}; came ${shown(method)}`;
    return refuse({ status: 405, error, headers: { allow } });
  }
  if (query !== undefined)
    return refuse({
      status: 400,
      error: 'expected no query: parameters are the member params of the body of a POST to /feeds/ID',
    });
  if (segment === undefined) return ok({ asks: 'list' });
  const id = feedId(segment);
  if (id === undefined)
    return refuse({ status: 400, error: `expected a percent-encoded id; came ${shown(segment)}` });
  const takesParams = method === 'POST';
  const form = takesParams ? wrongForm(head) : undefined;
  return form === undefined ? ok({ asks: 'value', id, takesParams }) : refuse(form);
}

/** The refusal of a body by its headers. */
function wrongForm(head: Metadata): FeedRefusal | undefined {
  const {
    'content-type': type = '',
    'content-encoding': encoding = 'identity',
    'content-length': size = '0',
  } = head;
  if (Number(size) > mostRequest)
    return { status: 413, error: `expected a body of at most ${mostRequest} bytes; came ${shown(size)}` };
  if (!/^application\/json *(;|$)/i.test(type))
    return { status: 415, error: `expected content-type application/json; came ${shown(type)}` };
  if (encoding.toLowerCase() !== 'identity')
    return { status: 415, error: `expected a body without content-encoding; came ${shown(encoding)}` };
  return undefined;
}

/** The parameters in a body; or a sentence. */
export function paramsIn(body: Uint8Array): Result<JsonObject, string> {
  const parsed = jsonIn(body);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (!isObject(value)) return refuse(`the body: expected an object; came ${inWords(value)}`);
  const other = Object.keys(value).find((name) => name !== 'params');
  if (other !== undefined) return refuse(`the body: expected no member but params; came ${shown(other)}`);
  const { params = {} } = value;
  return isObject(params) ? ok(params) : refuse(`params: expected an object; came ${inWords(params)}`);
}

/** The JSON in bytes; or a sentence. */
export function jsonIn(bytes: Uint8Array): Result<Json, string> {
  try {
    return ok(exactJsonOf(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (error) {
    const came =
      bytes.length === 0 ? 'an empty body' : error instanceof Error ? error.message : 'something else';
    return refuse(`the body: expected JSON in UTF-8; came ${clip(came, 200)}`);
  }
}
