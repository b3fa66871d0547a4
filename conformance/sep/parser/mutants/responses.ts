/** Parsers that read responses in another way. */
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { outputOf } from '../memory.ts';
import { emits, emitsEach, eventsOf, isOf, reads, silentAbout, textAt } from './mutant.ts';
import type { Event, ParserFaults } from './mutant.ts';
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
export const responseFaults: ParserFaults = {
  'runs-in-responses': emits((events, request) => {
    const inside = /<response>[^<]*(<action[^>]*>\{[^<]*\}<\/action>)/.exec(outputOf(request));
    return inside === null ? events : [...events, ...eventsOf(inside[1] ?? '')];
  }),
  'cuts-markup': emitsEach((event) =>
    isOf('response', event)
      ? { ...event, text: textAt(event, 'text').replaceAll(/<action[^>]*>/g, '') }
      : event,
  ),
  'markup-silently': silentAbout('action-in-response'),
  'not-final-by-default': retags((tag) => (tag === '<response>' ? '<response final="false">' : tag)),
  'always-final': retags((tag) => tag.replace('"false"', '"true"')),
  'yes-means-true': retags((tag) => tag.replace(/"(?:yes|1)"/, '"true"')),
  'true-in-any-case': retags((tag) => tag.replace('"TRUE"', '"true"')),
  'empty-means-true': retags((tag) => tag.replace('final=""', 'final="true"')),
  'values-silently': silentAbout('attribute-value'),
  'one-response': emits((events) => {
    const [end = events.length] = endsIn(events);
    return events.filter((event, i) => i <= end || !ofResponse(event));
  }),
  'last-is-final': emits((events) => {
    const ends = endsIn(events);
    return events.map((event, i) =>
      ends.length > 1 && i === ends.at(-1) ? { ...event, final: true } : event,
    );
  }),
  'reads-on': emits((events, request) => [...events, ...eventsOf(afterFinal(outputOf(request)).trim())]),
  'runs-on': emits((events, request) => [
    ...events,
    ...eventsOf(afterFinal(outputOf(request))).filter((event) => isOf('action', event)),
  ]),
  'after-silently': silentAbout('after-final'),
  'joins-responses': emits((events) => {
    const ends = new Set(endsIn(events).slice(0, -1));
    return events.filter((_, i) => !ends.has(i));
  }),
  'repeats-text': emits((events) => {
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
  'no-empty-responses': reads((output) => output.replaceAll(/<response[^>]*><\/response>/g, '')),
};
