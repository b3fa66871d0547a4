/** Facts about the texts of an output: of its thoughts, its responses, its context feeds, and outside of all tags. */
import type { Json } from '../../../../src/kit/base/index.ts';
import { difference, exercisedUnless, mismatch, sameValue, shown } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { parsedOutput } from '../events.ts';
import type { ParsedOutput } from '../events.ts';

/** A fact of the events. */
export const ofEvents =
  (judge: (wanted: Json, came: ParsedOutput) => Judgement): Fact =>
  (wanted, ok) => {
    const came = parsedOutput(ok);
    return typeof came === 'string' ? { violated: came } : judge(wanted, came);
  };

/** A text without blanks at its ends, and with single ones inside. SEP-09 alone judges blanks. */
export const tidy = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** Compares a text of the output, apart from its blanks. */
const alike = (name: string, wanted: Json, came: string): Judgement =>
  sameText(name, typeof wanted === 'string' ? tidy(wanted) : wanted, tidy(came));

/** Compares a text of the output, and shows the place of the first difference. */
const sameText = (name: string, wanted: Json, came: string): Judgement =>
  typeof wanted !== 'string' || wanted === came
    ? sameValue(name, wanted, came)
    : otherText(name, wanted, came);

/** The characters that are shown before the first difference of two texts. */
const before = 20;

function otherText(name: string, wanted: string, came: string): Judgement {
  let at = 0;
  while (at < wanted.length && wanted[at] === came[at]) at++;
  const from = Math.max(0, at - before);
  const part = (text: string): string => shown(text.slice(from, from + 3 * before));
  const where = from === 0 ? '' : ` from character ${from} on`;
  return mismatch(`the ${name} ${part(wanted)}${where}`, part(came));
}

const responseText = ({ responses: all }: ParsedOutput): string => all.map(({ text }) => text).join('');

/** The context feeds, with their texts read in a way. */
const feedsAs = (read: (text: string) => string): Fact =>
  ofEvents((wanted, came) =>
    exercisedUnless(
      difference(
        'feeds',
        wanted,
        came.feeds.map(({ id, text }) => ({ id, text: read(text) })),
      ),
    ),
  );

/** The facts, by their names. */
export const textFacts: Facts = {
  thought: ofEvents((wanted, { thought }) => alike('text of thoughts', wanted, thought)),
  text: ofEvents((wanted, { text }) => alike('text outside of tags', wanted, text)),
  outside: ofEvents((wanted, { text }) =>
    text.trim() === ''
      ? { unknowable: 'it tells no text outside of tags' }
      : alike('text outside of tags', wanted, text),
  ),
  response: ofEvents((wanted, came) => alike('text of responses', wanted, responseText(came))),
  exactThought: ofEvents((wanted, { thought }) => sameText('text of thoughts', wanted, thought)),
  exactResponse: ofEvents((wanted, came) => sameText('text of responses', wanted, responseText(came))),
  // The tags of inner thoughts are text of the outer one, or nothing: no text is lost.
  nested: ofEvents((wanted, { thought }) =>
    alike('text of thoughts', wanted, thought.replaceAll(/<\/?thought\s*>/g, '')),
  ),
  feeds: feedsAs(tidy),
  exactFeeds: feedsAs((text) => text),
};
