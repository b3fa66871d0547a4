/** Executors that go on in another way. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { textsIn } from '../events.ts';
import { actionsOf, answers, emits, emitsEach, isOf, outputsOf, plays, reads } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';

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
export const iterationFaults: ExecutorFaults = {
  'first-response-alone': reads((output) => {
    const end = output.indexOf('</response>');
    return end < 0
      ? output
      : output.slice(0, end + '</response>'.length) +
          output
            .slice(end)
            .replaceAll(/<response.*?<\/response>/gs, '')
            .slice('</response>'.length);
  }),
  'all-final': emitsEach((event, request) =>
    isOf('response_end', event) && outputsOf(request).length === 1 ? { ...event, final: true } : event,
  ),
  'one-iteration': plays((request) => ({
    iterations: outputsOf(request)
      .slice(0, 1)
      .map((output) => [output]),
  })),
  'goes-on-after-final': emits((events) =>
    events.at(-1)?.['reason'] === 'final'
      ? [...events.slice(0, -1), { type: 'iteration', n: 99, at: 0 }, ...events.slice(-1)]
      : events,
  ),
  'reads-on': emits((events, request) => {
    const hidden = outputsOf(request).some((output) =>
      /final="true">.*?<\/response>.*<response/s.test(output),
    );
    const more = { type: 'response', text: 'More.', final: false, at: 0 };
    return hidden ? [...events.slice(0, -1), more, ...events.slice(-1)] : events;
  }),
  'runs-rest': emits((events, request) => {
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
  'forgets-outputs': plays((request) => {
    const names = actionsOf(request).flatMap(({ id, body }) => [id, body['output_key']]);
    const forget = (output: string): string =>
      output.replaceAll(/\$(\w+)/g, (all, name: string) => (names.includes(name) ? `$${all}` : all));
    return { iterations: outputsOf(request).map((output, i) => [i === 0 ? output : forget(output)]) };
  }),
  'no-cap': emits((events) =>
    events.filter((event) => !isOf('finished', event) || event['reason'] !== 'max_iterations'),
  ),
  'no-outcomes': transcripts((text) => text.replaceAll(/<action_result.*?<\/action_result>/gs, '')),
  'no-errors': transcripts((text) => text.replaceAll(/(status="failed">).*?(?=<\/action_result>)/gs, '$1')),
  'no-skips': transcripts((text) =>
    text.replaceAll(/<action_result[^>]*status="skipped".*?<\/action_result>/gs, ''),
  ),
  'raw-outputs': results('completed', raw),
  'raw-errors': results('failed', raw),
  'ends-alone-escaped': results('completed', (text) =>
    raw(text.replaceAll('&lt;/action_result', '&amp;lt;/action_result')),
  ),
  'ends-not-escaped': results('completed', (text) =>
    text.replaceAll('&lt;/action_result&gt;', '</action_result>'),
  ),
  'values-not-escaped': results('completed', (text) => (/^[[{]/.test(text) ? raw(text) : text)),
  'no-own-output': transcripts((text) =>
    text.replace(/^((?:<context_feed .*?<\/context_feed>\n?)*).*?(?=<action_result|$)/s, '$1'),
  ),
};
