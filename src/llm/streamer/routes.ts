/** Where the streamer is asked for what: one port, the paths of all dialects. */
import type { DialectName } from '../messages.ts';

/** In which dialect something is generated, or the tokens of a prompt counted. */
export interface Generating {
  readonly dialect: DialectName;
  readonly path: string;
}

/** What a path is for. */
export type Route =
  | ({ readonly kind: 'generate' } & Generating)
  | ({ readonly kind: 'count' } & Generating)
  | {
      readonly kind: 'models' | 'model' | 'tags' | 'show' | 'version' | 'greeting' | 'alive';
      readonly path: string;
    }
  /** The path is there, for other methods. */
  | { readonly kind: 'wrong-method'; readonly allow: string; readonly path: string }
  | { readonly kind: 'nowhere'; readonly path: string };

interface Entry {
  readonly method: 'GET' | 'POST';
  readonly kind: Exclude<Route['kind'], 'wrong-method' | 'nowhere'>;
  readonly dialect?: DialectName;
}

/** Paths and their methods, as `llm.md` lists them (Endpoints), with LM Studio's older name of the OpenAI routes. */
const table: { readonly [path: string]: Entry } = {
  '/v1/messages': { method: 'POST', kind: 'generate', dialect: 'anthropic' },
  '/v1/messages/count_tokens': { method: 'POST', kind: 'count', dialect: 'anthropic' },
  '/v1/chat/completions': { method: 'POST', kind: 'generate', dialect: 'openai-chat' },
  '/api/v0/chat/completions': { method: 'POST', kind: 'generate', dialect: 'openai-chat' },
  '/v1/responses': { method: 'POST', kind: 'generate', dialect: 'openai-responses' },
  '/v1/responses/input_tokens': { method: 'POST', kind: 'count', dialect: 'openai-responses' },
  '/api/chat': { method: 'POST', kind: 'generate', dialect: 'ollama' },
  '/v1/models': { method: 'GET', kind: 'models' },
  '/api/v0/models': { method: 'GET', kind: 'models' },
  '/api/tags': { method: 'GET', kind: 'tags' },
  '/api/show': { method: 'POST', kind: 'show' },
  '/api/version': { method: 'GET', kind: 'version' },
  '/lmstudio-greeting': { method: 'GET', kind: 'greeting' },
  '/': { method: 'GET', kind: 'alive' },
};

/** Every path of {@link routeOf} that is fixed, for a refusal that helps. */
export const knownPaths: readonly string[] = Object.keys(table);

/**
 * What is asked for by this method at this path; a query and slashes at the end do not matter.
 *
 * @example
 * routeOf('POST', '/v1/messages?beta=true').kind; // 'generate'
 */
export function routeOf(method: string, target: string): Route {
  const path = target.replace(/[?#].*$/, '').replace(/(?<=.)\/+$/, '');
  const entry = Object.hasOwn(table, path) ? table[path] : oneModel(path);
  if (entry === undefined) return { kind: 'nowhere', path };
  const asked = method === 'HEAD' ? 'GET' : method;
  if (asked !== entry.method) return { kind: 'wrong-method', allow: entry.method, path };
  const { kind, dialect } = entry;
  if (kind === 'generate' || kind === 'count') return { kind, dialect: dialect ?? 'anthropic', path };
  return { kind, path };
}

const oneModel = (path: string): Entry | undefined =>
  /^\/v1\/models\/[^/]+$/.test(path) ? { method: 'GET', kind: 'model' } : undefined;
