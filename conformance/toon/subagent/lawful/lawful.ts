/** What the oddities of lawful subagents share. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { framed, packed, rightly, runs, utf8 } from '../../shared/mutants/bytes.ts';
import type { PeerFault } from '../../shared/mutants/mutant.ts';

/** Writes the JSON of each payload in another way. Compresses payloads of more than `above` bytes where that is shorter. */
export const written =
  (json: (payload: JsonObject, message: ToonMessage) => string, above = 1024) =>
  (): PeerFault => ({
    writes(frame, message) {
      const text = utf8(json(message.payload, message));
      const code = packed(runs(text, rightly));
      return framed(frame, text.length > above && code.length < text.length ? code : text);
    },
  });

/** Edits the payload of each message of some types. */
export const payloads =
  (types: readonly string[], edit: (payload: JsonObject) => JsonObject) => (): PeerFault => ({
    output: (output) =>
      output.type === 'send' && types.includes(output.message.type)
        ? [
            {
              ...output,
              message: { ...output.message, payload: edit(output.message.payload) } as ToonMessage,
            },
          ]
        : [output],
  });
