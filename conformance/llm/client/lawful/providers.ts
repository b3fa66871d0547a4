/** Lawful clients that know nothing of the providers of OpenAI Chat, or send thoughts back in another form. */
import { intercepted, onSend } from '../../../../src/kit/suite/index.ts';
import { isObject } from '../../../../src/kit/base/index.ts';
import type { OwnPeer } from '../../../../src/kit/suite/index.ts';
import { changeDecoded, withoutError, withStopReason } from '../mutants/mutant.ts';
import type { ClientFaults } from '../mutants/mutant.ts';
import { editDetails } from '../mutants/providers.ts';
import { hosted, roleOf } from '../target.ts';

/** Takes the finish reason `error` for a word that it does not know. */
const unknownWord = changeDecoded((decoded) =>
  decoded.error?.message === 'the finish_reason is error'
    ? withoutError(decoded, { metadata: withStopReason(decoded, 'unknown') })
    : decoded,
);

/** Names no provider in `hello`. */
const openaiOnly: OwnPeer = {
  make: (reference) =>
    hosted(
      intercepted(roleOf(unknownWord, reference), () =>
        onSend((message) => {
          const answer = 'ok' in message ? message['ok'] : undefined;
          if (!isObject(answer) || !('providers' in answer)) return undefined;
          const { providers: _, ...rest } = answer;
          return [{ ...message, ok: rest }];
        }),
      ),
    ),
};

export const lawfulProviders: ClientFaults = {
  'knows-openai-only': openaiOnly,
  'drops-thoughts-without-signature': editDetails((details) =>
    details.filter(({ signature, data }) => signature !== undefined || data !== undefined),
  ),
  'sends-thoughts-in-pieces': editDetails((details) =>
    details.flatMap((detail) => {
      const { signature, text, ...rest } = detail;
      if (signature === undefined || text === undefined) return [detail];
      return [
        { ...rest, text },
        { ...rest, signature },
      ];
    }),
  ),
};
