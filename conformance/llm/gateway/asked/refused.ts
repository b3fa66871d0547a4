/** A request that the gateway refuses itself: lawful where the provider's dialect has no word for it, and the refusal says so. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { readFullRequest } from '../../../../src/llm/gateway/index.ts';
import type { FullRequest, GatewayDialect } from '../../../../src/llm/gateway/index.ts';
import type { Above } from '../exchanges.ts';
import { broken, kept } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { mostStops, rangeOf } from '../tables.ts';
import { mediaOf } from './conversation.ts';

/** Something that a provider's dialect has no word for: its row, and words of which a refusal has one. */
interface Wordless {
  readonly row: string;
  readonly names: readonly string[];
}

function wordless(
  request: FullRequest,
  client: GatewayDialect,
  provider: GatewayDialect,
): readonly Wordless[] {
  const { spoken, inResults } = mediaOf(request.messages);
  const most = mostStops(provider);
  const { stop = [], temperature = 0, format, previous } = request;
  const all: readonly (Wordless | false)[] = [
    stop.length > most && { row: most === 0 ? 'LLM-G57' : 'LLM-G64', names: ['stop'] },
    // Not all images and files have a place everywhere.
    [...spoken, ...inResults].length > 0 && {
      row: 'LLM-G57',
      names: ['image', 'file', 'document', 'media', 'url', 'content', 'messages', 'input'],
    },
    temperature > rangeOf('temperature', provider).most && {
      row: 'LLM-G57',
      names: ['temperature'],
    },
    format !== undefined &&
      client !== provider && { row: 'LLM-G65', names: ['format', 'json', 'schema', 'output'] },
    previous !== undefined && { row: 'LLM-G70', names: ['previous_response', 'state', 'conversation'] },
  ];
  return all.filter((one) => one !== false);
}

/** The facts of a refusal without a request below; undefined: nothing in the request is lawfully refused. */
export function refusedFacts({
  dialect,
  body = null,
  heard,
  about,
}: Above): readonly GatewayFact[] | undefined {
  const { provider = dialect } = about;
  if (heard.status < 400 || heard.status >= 500) return undefined;
  const all = wordless(readFullRequest(dialect, body), dialect, provider);
  if (all.length === 0) return undefined;
  const words = JSON.stringify(isObject(heard.body) ? heard.body : null).toLowerCase();
  const named = all.find(({ names }) => names.some((name) => words.includes(name)));
  if (named !== undefined) return [kept(named.row)];
  const expected = all.map(({ names }) => names[0]).join(' or ');
  return [
    broken(
      'LLM-G57',
      `expected a refusal that names ${expected}; came ${heard.status} ${words.slice(0, 160)}`,
    ),
  ];
}
