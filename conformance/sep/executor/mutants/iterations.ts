/** Executors that go on in another way. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { textsIn } from '../events.ts';
import { actionsOf, answers, emits, emitsEach, isOf, mutant, outputsOf, plays, reads } from './mutant.ts';
import type { ExecutorMutant } from './mutant.ts';

/** Edits the transcripts of an answer. */
const transcripts = (edit: (text: string) => string): ReturnType<typeof answers> =>
  answers((ok: JsonObject) => ({ ...ok, transcripts: textsIn(ok['transcripts']).map(edit) }));

/** Edits the results of actions with a status in the transcripts of an answer. */
const results = (status: string, edit: (text: string) => string): ReturnType<typeof answers> =>
  transcripts((text) =>
    text.replaceAll(
      /(<action_result[^>]* status="(\w+)">)(.*?)(?=<\/action_result>)/gs,
      (all, open: string, came: string, words: string) => (came === status ? open + edit(words) : all),
    ),
  );

/** A text without its escapes. */
const raw = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The mutants of iterations. */
export const iterationMutants: readonly ExecutorMutant[] = [
  mutant(
    51,
    'first-response-alone',
    'It shows the first response of an output.',
    reads((output) => {
      const end = output.indexOf('</response>');
      return end < 0
        ? output
        : output.slice(0, end + '</response>'.length) +
            output
              .slice(end)
              .replaceAll(/<response.*?<\/response>/gs, '')
              .slice('</response>'.length);
    }),
  ),
  mutant(
    51,
    'all-final',
    'It says of every response that it was final.',
    emitsEach((event, request) =>
      isOf('response_end', event) && outputsOf(request).length === 1 ? { ...event, final: true } : event,
    ),
  ),
  mutant(
    52,
    'one-iteration',
    'It does not go on.',
    plays((request) => ({
      iterations: outputsOf(request)
        .slice(0, 1)
        .map((output) => [output]),
    })),
  ),
  mutant(
    52,
    'goes-on-after-final',
    'It goes on after a final response.',
    emits((events) =>
      events.at(-1)?.['reason'] === 'final'
        ? [...events.slice(0, -1), { type: 'iteration', n: 99, at: 0 }, ...events.slice(-1)]
        : events,
    ),
  ),
  mutant(
    53,
    'reads-on',
    'It shows a response that comes after the final one.',
    emits((events, request) => {
      const hidden = outputsOf(request).some((output) =>
        /final="true">.*?<\/response>.*<response/s.test(output),
      );
      const more = { type: 'response', text: 'More.', final: false, at: 0 };
      return hidden ? [...events.slice(0, -1), more, ...events.slice(-1)] : events;
    }),
  ),
  mutant(
    53,
    'runs-rest',
    'It runs an action that comes after the final response.',
    emits((events, request) => {
      const rest = outputsOf(request).map(
        (output) => /final="true">.*?<\/response>(.*)/s.exec(output)?.[1] ?? '',
      );
      const made = rest.flatMap((text) => [...text.matchAll(/id="(\w+)"/g)]);
      const starts = made.flatMap(([, id = '']) => [
        { type: 'action', action: { id, mode: 'fire_and_forget' }, at: 0 },
        { type: 'started', id, parameters: {}, at: 0 },
      ]);
      return [...events.slice(0, -1), ...starts, ...events.slice(-1)];
    }),
  ),
  mutant(
    56,
    'forgets-outputs',
    'It forgets the outputs of earlier iterations.',
    plays((request) => {
      const names = actionsOf(request).flatMap(({ id, body }) => [id, body['output_key']]);
      const forget = (output: string): string =>
        output.replaceAll(/\$(\w+)/g, (all, name: string) => (names.includes(name) ? `$${all}` : all));
      return { iterations: outputsOf(request).map((output, i) => [i === 0 ? output : forget(output)]) };
    }),
  ),
  mutant(
    56,
    'no-cap',
    'It never ends without a final response.',
    emits((events) =>
      events.filter((event) => !isOf('finished', event) || event['reason'] !== 'max_iterations'),
    ),
  ),
  mutant(
    99,
    'no-outcomes',
    'The model sees its own output alone.',
    transcripts((text) => text.replaceAll(/<action_result.*?<\/action_result>/gs, '')),
  ),
  mutant(
    99,
    'no-errors',
    'The model does not see why an action failed.',
    transcripts((text) => text.replaceAll(/(status="failed">).*?(?=<\/action_result>)/gs, '$1')),
  ),
  mutant(
    99,
    'no-skips',
    'The model does not see skipped actions.',
    transcripts((text) => text.replaceAll(/<action_result[^>]*status="skipped".*?<\/action_result>/gs, '')),
  ),
  mutant(146, 'raw-outputs', 'The model sees outputs as they are.', results('completed', raw)),
  mutant(146, 'raw-errors', 'The model sees errors as they are.', results('failed', raw)),
  mutant(
    146,
    'ends-alone-escaped',
    'It escapes the end of a result alone.',
    results('completed', (text) => raw(text.replaceAll('&lt;/action_result', '&amp;lt;/action_result'))),
  ),
  mutant(
    146,
    'ends-not-escaped',
    'It escapes the tags of a model, and no end of a result.',
    results('completed', (text) => text.replaceAll('&lt;/action_result&gt;', '</action_result>')),
  ),
  mutant(
    146,
    'values-not-escaped',
    'It takes JSON for escaped.',
    results('completed', (text) => (/^[[{]/.test(text) ? raw(text) : text)),
  ),
  mutant(
    99,
    'no-own-output',
    'The model does not see its own output.',
    transcripts((text) =>
      text.replace(/^((?:<context_feed .*?<\/context_feed>\n?)*).*?(?=<action_result|$)/s, '$1'),
    ),
  ),
];
