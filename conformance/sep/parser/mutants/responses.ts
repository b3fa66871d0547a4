/** Parsers that read responses in another way. */
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { outputOf } from '../memory.ts';
import { emits, emitsEach, eventsOf, isOf, mutant, reads, silentAbout, textAt } from './mutant.ts';
import type { Event } from './mutant.ts';
import { retagged } from './walk.ts';

const ofResponse = (event: Event): boolean => isOf('response', event) || isOf('response_end', event);

/** A parser that changes the tags of responses before it reads them. */
const retags = (edit: (tag: string) => string): AnswerFault =>
  reads((output) =>
    retagged(output, ({ tag, name, closes }) => (name === 'response' && !closes ? edit(tag) : tag)),
  );

/** What comes after the first final response of an output. */
function afterFinal(output: string): string {
  const end = /<response(?: final="true")?>.*?<\/response>/s.exec(output);
  return end === null ? '' : output.slice(end.index + end[0].length);
}

/** The positions of the ends of responses. */
const endsIn = (events: readonly Event[]): readonly number[] =>
  events.flatMap((event, i) => (isOf('response_end', event) ? [i] : []));

/** The mutants of responses. */
export const responseMutants: readonly Mutant[] = [
  mutant(
    17,
    'runs-in-responses',
    'It emits an action inside of a response.',
    emits((events, request) => {
      const inside = /<response>[^<]*(<action[^>]*>\{[^<]*\}<\/action>)/.exec(outputOf(request));
      return inside === null ? events : [...events, ...eventsOf(inside[1] ?? '')];
    }),
  ),
  mutant(
    17,
    'cuts-markup',
    'It removes the markup of actions from a response.',
    emitsEach((event) =>
      isOf('response', event)
        ? { ...event, text: textAt(event, 'text').replaceAll(/<action[^>]*>/g, '') }
        : event,
    ),
  ),
  mutant(
    17,
    'markup-silently',
    'It says nothing about an action in a response.',
    silentAbout('action-in-response'),
  ),
  mutant(
    50,
    'not-final-by-default',
    'A response without the attribute is not final.',
    retags((tag) => (tag === '<response>' ? '<response final="false">' : tag)),
  ),
  mutant(
    50,
    'always-final',
    'The value false means nothing.',
    retags((tag) => tag.replace('"false"', '"true"')),
  ),
  mutant(
    50,
    'yes-means-true',
    'It takes yes and 1 for true.',
    retags((tag) => tag.replace(/"(?:yes|1)"/, '"true"')),
  ),
  mutant(
    50,
    'true-in-any-case',
    'It takes true in uppercase.',
    retags((tag) => tag.replace('"TRUE"', '"true"')),
  ),
  mutant(
    50,
    'empty-means-true',
    'It takes an empty value for true.',
    retags((tag) => tag.replace('final=""', 'final="true"')),
  ),
  mutant(50, 'values-silently', 'It says nothing about another value.', silentAbout('attribute-value')),
  mutant(
    51,
    'one-response',
    'It knows one response of an output.',
    emits((events) => {
      const [end = events.length] = endsIn(events);
      return events.filter((event, i) => i <= end || !ofResponse(event));
    }),
  ),
  mutant(
    51,
    'last-is-final',
    'The last of several responses is final.',
    emits((events) => {
      const ends = endsIn(events);
      return events.map((event, i) =>
        ends.length > 1 && i === ends.at(-1) ? { ...event, final: true } : event,
      );
    }),
  ),
  mutant(
    53,
    'reads-on',
    'It reads what comes after a final response.',
    emits((events, request) => [...events, ...eventsOf(afterFinal(outputOf(request)).trim())]),
  ),
  mutant(
    53,
    'runs-on',
    'It emits an action after a final response.',
    emits((events, request) => [
      ...events,
      ...eventsOf(afterFinal(outputOf(request))).filter((event) => isOf('action', event)),
    ]),
  ),
  mutant(
    53,
    'after-silently',
    'It says nothing about what comes after a final response.',
    silentAbout('after-final'),
  ),
  mutant(
    55,
    'joins-responses',
    'Responses that follow each other are one.',
    emits((events) => {
      const ends = new Set(endsIn(events).slice(0, -1));
      return events.filter((_, i) => !ends.has(i));
    }),
  ),
  mutant(
    55,
    'repeats-text',
    'Each response begins with the text of those before it.',
    emits((events) => {
      let before = '';
      let isBegun = false;
      return events.map((event) => {
        if (isOf('response_end', event)) isBegun = false;
        if (!isOf('response', event)) return event;
        const text = isBegun ? textAt(event, 'text') : before + textAt(event, 'text');
        before += textAt(event, 'text');
        isBegun = true;
        return { ...event, text };
      });
    }),
  ),
  mutant(
    55,
    'no-empty-responses',
    'It does not report an empty response.',
    reads((output) => output.replaceAll(/<response[^>]*><\/response>/g, '')),
  ),
];
