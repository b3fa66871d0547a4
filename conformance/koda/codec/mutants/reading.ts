/** Codecs that read tags, fields and args in another way than serde. */
import { kodaTesteeWith } from '../../../../src/koda/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { echoes, mutant, refuses, sends, snake, takesAs } from './mutant.ts';
import { repeatedNames } from './repeated-names.ts';

/** Reads unknown tags as edited ones. */
const readsTags = (edit: (tag: string) => string): ReturnType<typeof takesAs> =>
  takesAs((text, { fault }) =>
    fault === 'unknown-tag'
      ? text.replaceAll(/(?<="(?:type|kind|decision|cmd|action)":")[^"\\]*(?:\\.[^"\\]*)*/g, edit)
      : text,
  );

const readsTag = (from: string, to: string): ReturnType<typeof takesAs> =>
  readsTags((tag) => (tag === from ? to : tag));

const isCall = /"type":"tool_call_start"/;

/** Whether args have a member that stands twice. */
const repeatsInArgs = (text: string): boolean => isCall.test(text) && repeatedNames(text).length > 0;

const serdeAnswer = kodaTesteeWith({ serde: true });

/** The mutants of the reading of tags. */
const tagMutants: readonly Mutant[] = [
  mutant(3, 'tag-first', 'It reads the tag of a message only as the first member.', refuses((text) => !/^\s*\{\s*"(?:type"|\\u0074ype")/.test(text))),
];
export const x = { tagMutants, readsTag, repeatsInArgs, serdeAnswer, echoes, sends, snake };
