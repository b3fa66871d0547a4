/**
 * Compares the message that a codec sends with the expected one, by value (KODA-13): integers exactly, floats within 2 ULP,
 * the order of members does not matter.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { difference } from '../../../src/kit/testee/index.ts';
import type { DecodedText, MessageKind, Messages } from '../../../src/koda/index.ts';
import { argsDifference } from './args-difference.ts';
import { areNear } from './ulp.ts';

type Decoded = DecodedText<Messages[MessageKind]>;

/** The fields of events that are floats. */
const floats: readonly string[] = ['context_pct', 'rate'];

/** The first difference in words; undefined when the messages are equal. */
export function messageDifference(expected: Decoded, came: Decoded): string | undefined {
  const [wanted, sent] = [expected.message, came.message].map(membersOf) as [JsonObject, JsonObject];
  const { args: wantedArgs, ...wantedRest } = wanted;
  const { args: sentArgs, ...sentRest } = sent;
  const wrong = difference('message', wantedRest, nearFloats(wantedRest, sentRest));
  if (wrong !== undefined || wantedArgs === undefined || sentArgs === undefined) return wrong;
  return argsDifference(argsText(expected, wantedArgs), argsText(came, sentArgs));
}

const membersOf = (message: Messages[MessageKind]): JsonObject => {
  const json: unknown = message;
  return isObject(json) ? (json as JsonObject) : {};
};

/** The args as text. A message shows its large integers only there. */
const argsText = ({ argsText: exact }: Decoded, args: Json): string => exact ?? JSON.stringify(args);

/** The sent members, with each float that is near the expected one in the place of it. */
const nearFloats = (wanted: JsonObject, sent: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const expected = wanted[name];
      const isNear =
        floats.includes(name) &&
        typeof expected === 'number' &&
        typeof value === 'number' &&
        areNear(expected, value);
      return [name, isNear ? expected : value];
    }),
  );
