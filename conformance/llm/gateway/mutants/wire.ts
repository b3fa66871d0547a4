/** Faults of the wire: between exchanges, in noise, in large bodies and in what waits for a slow client. */
import type { JsonObject, Metadata } from '../../../../src/kit/base/index.ts';
import type { Faults, MakePeer } from '../../../../src/kit/suite/index.ts';
import type { FullMessage, GatewayDialect, GatewayParts } from '../../../../src/llm/gateway/index.ts';
import { gatewayPeer } from '../target.ts';
import type { GatewayFault } from '../target.ts';
import { onPiece } from './edits.ts';

/** Whether a link is a client's. One to a provider has the URL that was dialled. */
const isClient = (opened: Metadata | undefined): boolean => opened?.[':url'] === undefined;

/** Changes what a provider writes, byte by byte. */
const inText = (edit: (text: string, provider: GatewayDialect) => string): GatewayParts => ({
  bytes:
    ({ route }) =>
    (chunk) =>
      Buffer.from(edit(Buffer.from(chunk).toString('latin1'), route.provider), 'latin1'),
});

/** A piece of text in the words of a provider. */
const pieceOf = (provider: GatewayDialect, text: string): string =>
  JSON.stringify(
    provider === 'anthropic'
      ? { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
      : provider === 'openai-chat'
        ? { choices: [{ index: 0, delta: { content: text } }] }
        : { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text },
  );

export const wireFaults: Faults<GatewayParts> = {
  'large-request-refused': { make: (options) => gatewayPeer({ largest: { request: 1 << 20 } }, options) },
  'large-answer-refused': { make: (options) => gatewayPeer({ largest: { answer: 1 << 20 } }, options) },
  'large-request-cut': {
    request: (request) => ({
      ...request,
      messages: request.messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) =>
          part.kind === 'text' ? { ...part, text: part.text.slice(0, 1 << 20) } : part,
        ),
      })),
    }),
  },
  'large-answer-cut': onPiece('text', ({ text }) => [{ do: 'text', text: text.slice(0, 1 << 20) }]),
  'unknown-dropped': { rewrites: true },
  'unknown-not-asked': { request: (request) => ({ ...request, unknown: {} }) },
  'betas-dropped': {
    fields: (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => !name.endsWith('-beta'))),
  },
  'full-buffer-emptied': { make: (options) => gatewayPeer({}, options, emptiedWhenFull()) },
  'slow-client-cut-off': {
    make: (options) =>
      gatewayPeer({}, options, {
        input: (input, context) => {
          if (input.type === 'full' && isClient(context.metadataOf(input.peer)))
            context.close(14, 'too slow', input.peer);
          return [input];
        },
      }),
  },
  'unbounded-buffer': {
    make: (options) =>
      gatewayPeer({}, options, { output: (output) => (output.type === 'pause' ? [] : [output]) }),
  },
  'comment-as-text': inText((text, provider) =>
    text.replaceAll(/^: ?(.*)$/gm, (_, said: string) => `data: ${pieceOf(provider, said)}`),
  ),
  'comment-is-no-json': inText((text) => text.replaceAll(/^:/gm, 'data:')),
  'unknown-event-fails': inText((text) =>
    text.replaceAll(/"type":"(?:response\.)?kit_noise"/g, '"type":"error"'),
  ),
  'streams-share-a-buffer': { make: (options) => gatewayPeer({ parts: sharedBuffer() }, options) },
  'requests-share-messages': { make: (options) => gatewayPeer({ parts: sharedMessages() }, options) },
  'failure-ends-others': { make: (options) => gatewayPeer({ parts: sharedFailure() }, options) },
  'leave-ends-others': { make: leaveEndsOthers },
};

/** Text waits in one buffer for all exchanges while several are open, and the next one of them writes it. */
function sharedBuffer(): GatewayParts {
  const held: string[] = [];
  let open = 0;
  return {
    pieces: () => (piece) => {
      if (piece.do === 'start') open++;
      if (piece.do === 'terminal' || piece.do === 'error') open--;
      const before = held.splice(0).map((text) => ({ do: 'text', text }) as const);
      if (piece.do !== 'text' || open < 2) return [...before, piece];
      held.push(piece.text);
      return before;
    },
  };
}

/** A request has the last message of the one before it, too, while that is open. */
function sharedMessages(): GatewayParts {
  let before: readonly FullMessage[] = [];
  let open = 0;
  return {
    request(request) {
      const messages = open > 0 ? [...request.messages, ...before] : request.messages;
      before = request.messages.slice(-1);
      open++;
      return { ...request, messages };
    },
    pieces: () => (piece) => {
      if (piece.do === 'terminal' || piece.do === 'error') open--;
      return [piece];
    },
  };
}

/** One failure ends all streams that are open. */
function sharedFailure(): GatewayParts {
  let failures = 0;
  return {
    pieces: () => {
      let known = failures;
      return (piece) => {
        if (piece.do === 'error') known = ++failures;
        const error = { type: 'server', message: 'another stream failed' };
        return failures > known ? [{ do: 'error', error }] : [piece];
      };
    },
  };
}

/** When a client leaves, the requests of the others end, too. */
function leaveEndsOthers(options: JsonObject = {}): MakePeer {
  const links = new Map<string, Metadata>();
  return gatewayPeer({}, options, {
    input(input, context) {
      if (input.type === 'opened') links.set(input.peer, input.metadata);
      if (input.type !== 'left') return [input];
      const leaves = isClient(links.get(input.peer));
      links.delete(input.peer);
      const own = `${input.peer} `;
      for (const [peer, opened] of leaves ? links : [])
        if (!isClient(opened) && !peer.startsWith(own)) context.close(1, 'let go', peer);
      return [input];
    },
  });
}

/** When there is room again, the next piece is lost. */
function emptiedWhenFull(): GatewayFault {
  const emptied = new Set<string>();
  return {
    input(input) {
      if (input.type === 'drained') emptied.add(input.peer);
      return [input];
    },
    output: (output) => (output.type === 'send' && emptied.delete(output.peer) ? [] : [output]),
  };
}
