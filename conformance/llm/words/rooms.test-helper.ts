/** Where the kit plays, decodes and judges each dialect's words. A file of a dialect that is in no list fails a test. */

/** The files of each use, and those that are about requests only. Paths are from the root of the project. */
export interface Rooms {
  readonly played: readonly string[];
  readonly decoded: readonly string[];
  readonly judged: readonly string[];
  readonly requests: readonly string[];
  /** Words that the provider does not have. The judge blames them. */
  readonly blamed?: readonly string[];
}

/** Words of scripts, which dialects translate: stop reasons, types and forms of errors, and a stop word that no provider has. */
export const neutralWords: ReadonlySet<string> = new Set([
  'authentication',
  'azure-async',
  'billing',
  'choice',
  'conflict',
  'context_overflow',
  'invalid_request',
  'not_found',
  'object',
  'overloaded',
  'permission',
  'rate_limit',
  'server',
  'timeout',
  'too_large',
  'unknown',
  'word',
]);

/** The common starts of `….delta` and `….done`, of which the judge of Responses has a table. */
export const commonStarts: ReadonlySet<string> = new Set([
  'response.output_text',
  'response.refusal',
  'response.reasoning_text',
  'response.reasoning',
  'response.reasoning_summary_text',
  'response.function_call_arguments',
  'response.custom_tool_call_input',
]);

const inFolder = (folder: string, ...names: string[]): string[] =>
  names.map((name) => `${folder}/${name}.ts`);
const of = (dialect: string, ...names: string[]): string[] =>
  inFolder(`src/llm/dialects/${dialect}`, ...names);
const judge = (...names: string[]): string[] => inFolder('conformance/llm/server/dialects', ...names);

const hints = of('shared', 'http-error');
const openaiPlays = [...of('openai', 'citations', 'errors', 'usage', 'headers', 'obfuscation'), ...hints];
const openaiDecodes = [...of('openai', 'decoder', 'errors', 'usage'), ...hints];

/** What the judges of all dialects share. It has no words of its own. */
export const general: readonly string[] = judge('reader', 'shape');

/** What a gateway reads of a provider's answer. */
const translator = (dialect: string): string[] => inFolder('src/llm/gateway/answer', dialect);

/** The rooms of the dialects that the kit plays. */
export const rooms: { readonly [dialect: string]: Rooms } = {
  anthropic: {
    played: [
      ...of('anthropic', 'render', 'delta', 'whole', 'words', 'citations', 'provider-block', 'index'),
      ...hints,
    ],
    decoded: [...translator('anthropic'), ...of('anthropic', 'decode', 'kept-blocks', 'words'), ...hints],
    judged: judge('anthropic', 'anthropic-shapes'),
    requests: of(
      'anthropic',
      'body-bytes',
      'cache-marks',
      'conversation',
      'final-message',
      'request-message',
      'request',
      'server-tools',
      'thinking',
      'tools',
    ),
  },
  'openai-chat': {
    // The fields of thoughts are a variant of scripts.
    played: [
      ...of('openai-chat', 'render', 'whole', 'finish', 'join', 'call-object', 'chunk', 'mid-stream-error'),
      ...of('openai-chat', 'azure', 'openrouter', 'mistral'),
      'src/llm/messages.ts',
      ...openaiPlays,
    ],
    decoded: [...translator('openai-chat'), ...of('openai-chat', 'decode', 'finish'), ...openaiDecodes],
    judged: judge(
      'openai-chat',
      'chat-calls',
      'chat-content',
      'chat-head',
      'chat-shapes',
      'chat-usage',
      'openai-error',
    ),
    requests: of('openai-chat', 'index', 'messages', 'reasoning-details', 'request'),
  },
  // A variant of Chat Completions.
  mistral: {
    played: [...of('openai-chat', 'mistral', 'finish'), ...of('openai', 'usage')],
    decoded: [...of('openai-chat', 'decode', 'finish'), ...of('openai', 'usage')],
    judged: judge('openai-chat', 'chat-content'),
    requests: [],
  },
  'openai-responses': {
    played: [
      ...of('openai-responses', 'render', 'whole', 'output', 'output-item', 'message-item', 'join'),
      ...of('openai-responses', 'server-tool-item', 'response-object', 'status', 'call-words'),
      ...of('openai-responses', 'socket-errors', 'compact', 'open-responses'),
      ...openaiPlays,
    ],
    decoded: [
      ...translator('openai-responses'),
      ...of('openai-responses', 'decode', 'kept-items', 'status', 'call-words', 'message-events'),
      ...openaiDecodes,
    ],
    judged: judge(
      'openai-responses',
      'responses-calls',
      'responses-items',
      'responses-output',
      'responses-shapes',
      'open-items',
      'open-responses',
      'openai-error',
    ),
    requests: of(
      'openai-responses',
      'index',
      'item-ids',
      'items',
      'part-types',
      'request',
      'socket-client',
      'socket-memory',
      'socket-request',
      'socket-server',
    ),
  },
  ollama: {
    played: of('ollama', 'render', 'whole', 'words', 'join'),
    decoded: [...translator('ollama'), ...of('ollama', 'decode', 'words')],
    judged: judge('ollama', 'ollama-shapes'),
    requests: of('ollama', 'index', 'request', 'request-messages'),
  },
  lmstudio: {
    played: [
      ...of('lmstudio', 'render', 'words', 'join', 'server', 'server-messages', 'server-endpoints'),
      ...inFolder('src/llm/streamer/faces', 'lmstudio-chat'),
    ],
    decoded: of('lmstudio', 'decode', 'words', 'client'),
    judged: [...judge('lmstudio', 'lmstudio-shapes'), 'conformance/llm/server/socket.ts'],
    requests: of('lmstudio', 'config', 'conversation', 'count', 'history', 'index', 'request'),
    blamed: ['error'],
  },
  bedrock: {
    played: [...of('bedrock', 'render', 'whole', 'words', 'usage'), ...hints],
    decoded: [...of('bedrock', 'decode', 'words', 'usage', 'errors'), ...hints],
    judged: judge('bedrock', 'bedrock-shapes'),
    requests: of('bedrock', 'conversation', 'index', 'message', 'request'),
  },
  gemini: {
    played: [
      ...of('gemini', 'render', 'whole', 'words', 'usage', 'errors', 'join', 'argument-paths'),
      ...hints,
    ],
    decoded: [
      ...of('gemini', 'decode', 'kept-parts', 'words', 'usage', 'errors', 'partial-arguments'),
      ...hints,
    ],
    judged: judge('gemini', 'gemini-calls', 'gemini-shapes'),
    requests: of('gemini', 'contents', 'index', 'json-path', 'members', 'request', 'request-checks'),
  },
  'gemini-interactions': {
    played: [
      ...of('gemini-interactions', 'render', 'whole', 'words', 'usage', 'errors', 'join'),
      ...of('gemini', 'usage'),
      ...hints,
    ],
    decoded: [
      ...of('gemini-interactions', 'decode', 'kept-steps', 'words', 'usage', 'errors'),
      ...of('gemini', 'usage'),
      ...hints,
    ],
    judged: judge('gemini-interactions', 'gemini-interactions-shapes', 'gemini-interactions-steps'),
    requests: of('gemini-interactions', 'index', 'request', 'request-checks', 'steps'),
  },
};
