/** Codecs that read or send args in another way, or refuse deep messages. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { inArgs, mutant, refuses, sends, takesAs } from './mutant.ts';

/** Drops members of args with this name or value. */
const drops = (member: string): ReturnType<typeof sends> =>
  sends(
    inArgs((args) =>
      args.replaceAll(new RegExp(`(?<=[{,])${member}(?:,|(?=\\}))`, 'g'), '').replaceAll(/,(?=\})/g, ''),
    ),
  );

/** The deepest nesting of containers in a text. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    most = Math.max(most, depth);
  }
  return most;
}

const isCall = (text: string): boolean => text.includes('"tool_call_start"');

/** The mutants of args and depth. */
export const argsMutants: readonly Mutant[] = [
  mutant(
    14,
    'demands-object',
    'It refuses args that are not an object.',
    refuses((text) => /^\{"type":"tool_call_start",[^{[]*"args":[^{]/.test(text)),
  ),
  mutant(
    14,
    'refuses-null',
    'It refuses args of null.',
    refuses((text) => text.includes('"args":null')),
  ),
  mutant(
    14,
    'absent-means-null',
    'It takes absent args for null.',
    takesAs((text, { path }) => (path === 'args' ? text.replace(/\}$/, ',"args":null}') : text)),
  ),
  mutant(
    14,
    'null-means-empty',
    'It sends args of null as {}.',
    sends((sent) => sent.replace('"args":null', '"args":{}')),
  ),
  mutant(
    14,
    'args-in-string',
    'It sends args that are no object as a string.',
    sends((sent) =>
      sent.replace(/(?<=^\{"type":"tool_call_start",[^{[]*"args":)(?:true|false|null|-?[\d.]+)(?=,)/, '"$&"'),
    ),
  ),

  mutant(
    15,
    'drops-proto',
    'It drops members of args with the name __proto__.',
    drops('"__proto__":(?:\\{[^}]*\\}|\\w+)'),
  ),
  mutant(15, 'drops-nulls', 'It drops members of args that are null.', drops('"\\w*":null')),
  mutant(15, 'drops-empty-names', 'It drops members of args without a name.', drops('"":1')),
  mutant(15, 'drops-constructor', 'It drops the member constructor.', drops('"constructor":1')),
  mutant(
    15,
    'camel-args',
    'It lowers the names of members of args.',
    sends(inArgs((args) => args.replaceAll(/"[A-Z](?=":)/g, (name) => name.toLowerCase()))),
  ),
  mutant(
    15,
    'drops-type',
    'It reads the member type of args as a tag, and drops it.',
    drops('"type":"text_done"'),
  ),

  mutant(
    14,
    'counts-containers',
    'It refuses more than 127 containers, nested or not.',
    refuses((text) => isCall(text) && (text.match(/[[{]/g)?.length ?? 0) > 127 && depthOf(text) < 127),
  ),
  mutant(
    17,
    'shallow',
    'It refuses more than 64 nested containers.',
    refuses((text) => isCall(text) && depthOf(text) > 64),
  ),
  mutant(
    17,
    'one-level-less',
    'It refuses 127 nested containers.',
    refuses((text) => isCall(text) && depthOf(text) >= 127),
  ),
  mutant(
    4,
    'shallow-unknown',
    'It refuses unknown fields of more than 64 nested containers.',
    refuses((text) => !isCall(text) && depthOf(text) > 64),
  ),
];
