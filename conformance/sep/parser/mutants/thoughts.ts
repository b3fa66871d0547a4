/** Parsers that read thoughts, and what the end of the output leaves open, in another way. */
import { outputOf } from '../memory.ts';
import { emits, emitsEach, eventsOf, hidden, isOf, reads, readsAs, silentAbout, textAt } from './mutant.ts';
import type { ParserFaults } from './mutant.ts';
import { firstClose, isJson, retagged } from './walk.ts';

/** Keeps the first thought of an output; the tags of further ones are removed. */
function oneThought(output: string): string {
  let depth = 0;
  let closed = false;
  return retagged(output, ({ tag, name, closes }) => {
    if (name !== 'thought') return tag;
    if (closed) return '';
    depth += closes ? -1 : 1;
    closed = depth === 0;
    return tag;
  });
}

/** Rewrites the tags of actions inside of thoughts. */
function inThoughts(output: string, edit: (tag: string, closes: boolean) => string): string {
  let depth = 0;
  return retagged(output, ({ tag, name, closes }) => {
    if (name === 'thought') depth += closes ? -1 : 1;
    return name === 'action' && depth > 0 ? edit(tag, closes) : tag;
  });
}

/** Ends a thought at the first action inside of it. */
function endsAtAction(output: string): string {
  let ended = false;
  const inside = inThoughts(output, (tag, closes) => (closes ? `${tag}${hidden}` : tag));
  return retagged(inside.replaceAll(hidden, '</thought><thought/>'), ({ tag, name, closes }) => {
    if (name !== 'thought') return tag;
    if (tag === '<thought/>') {
      ended = true;
      return '';
    }
    if (!ended || !closes) return tag;
    ended = false;
    return '';
  });
}

/** Removes the tags of thoughts inside of thoughts, so that the first closing tag ends all. */
function flat(output: string): string {
  let open = false;
  return retagged(output, ({ tag, name, closes }) => {
    if (name !== 'thought') return tag;
    const again = open && !closes;
    open = !closes;
    return again ? '' : tag;
  });
}

/** Removes thoughts inside of thoughts. */
function withoutNested(output: string): string {
  let made = output;
  for (let before = ''; before !== made;) {
    before = made;
    made = made.replace(
      /(?<=<thought>(?:(?!<\/?thought>).)*)<thought>(?:(?!<\/?thought>).)*<\/thought>/s,
      '',
    );
  }
  return made;
}

/** The action at the end of an output that has no closing tag, if its body is whole. */
function openAction(output: string): string | undefined {
  const at = output.lastIndexOf('<action');
  const whole = /^(<action[^>]*>)(.*?)(?:<\/action)?$/s.exec(output.slice(Math.max(at, 0)));
  if (at < 0 || firstClose(output, at) !== undefined || whole === null) return undefined;
  const [, open = '', body = ''] = whole;
  return isJson(body) ? `${open}${body}</action>` : undefined;
}

/** The mutants of thoughts and of unclosed blocks. */
export const thoughtFaults: ParserFaults = {
  'one-thought': reads(oneThought),
  'markup-in-thoughts': readsAs((output) => inThoughts(output, (tag) => tag.replace('<', hidden))),
  'action-ends-thought': reads(endsAtAction),
  'flat-thoughts': reads(flat),
  'drops-nested': reads(withoutNested),
  'drops-unclosed': emits((events) => {
    const open = events.findLast((event) => textAt(event, 'code').startsWith('unclosed-'));
    const kind = open?.['code'] === 'unclosed-thought' ? 'thought' : 'response';
    return open === undefined || open['code'] === 'unclosed-action'
      ? events
      : events.filter((event) => !isOf(kind, event));
  }),
  'completes-responses': emitsEach((event) =>
    isOf('response_end', event) ? { ...event, complete: true } : event,
  ),
  'final-though-unclosed': emitsEach((event) =>
    isOf('response_end', event) && event['complete'] === false ? { ...event, final: true } : event,
  ),
  'drops-held-tag': reads((output) => output.replace(/(<thought>[^<]*)<\/\w*$/, '$1')),
  'runs-unclosed': emits((events, request) => {
    const open = openAction(outputOf(request));
    return open === undefined ? events : [...events, ...eventsOf(open)];
  }),
  'unclosed-silently': silentAbout('unclosed-action'),
};
