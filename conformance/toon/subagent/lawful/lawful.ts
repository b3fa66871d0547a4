/** Makes lawful subagents: the reference subagent with one oddity that the protocol allows. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { subagent } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { framed, packed, rightly, runs, utf8 } from '../../shared/mutants/bytes.ts';
import { faultyPeer } from '../../shared/mutants/mutant.ts';
import type { PeerFault } from '../../shared/mutants/mutant.ts';
import { subagentOptions } from '../../shared/peers.ts';

/** What a lawful peer has besides its oddity. */
export type LawfulFacts = Pick<LawfulPeer, 'lacks' | 'drive' | 'unseen'> & {
  /** The role's options that differ from the target's. */
  readonly options?: JsonObject;
};

/**
 * Makes a lawful subagent.
 *
 * @param allowed the document and the section that allow the oddity
 * @param oddity makes a new edit for each run
 */
export const lawful = (
  id: string,
  title: string,
  allowed: string,
  oddity: () => PeerFault,
  { options = {}, ...facts }: LawfulFacts = {},
): LawfulPeer => ({
  id,
  title,
  allowed,
  make: (given = {}) => faultyPeer(subagent(subagentOptions({ ...given, ...options })), oddity()),
  ...facts,
});

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
