/** Codecs that read or send args in another way, or refuse deep messages. */
import { inArgs, refuses, sends, takesAs } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

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

export const argsFaults: CodecFaults = {
  'demands-object': refuses((text) => /^\{"type":"tool_call_start",[^{[]*"args":[^{]/.test(text)),
  'refuses-null': refuses((text) => text.includes('"args":null')),
  'absent-means-null': takesAs((text, { path }) =>
    path === 'args' ? text.replace(/\}$/, ',"args":null}') : text,
  ),
  'null-means-empty': sends((sent) => sent.replace('"args":null', '"args":{}')),
  'args-in-string': sends((sent) =>
    sent.replace(/(?<=^\{"type":"tool_call_start",[^{[]*"args":)(?:true|false|null|-?[\d.]+)(?=,)/, '"$&"'),
  ),

  'drops-proto': drops('"__proto__":(?:\\{[^}]*\\}|\\w+)'),
  'drops-nulls': drops('"\\w*":null'),
  'drops-empty-names': drops('"":1'),
  'drops-constructor': drops('"constructor":1'),
  'camel-args': sends(inArgs((args) => args.replaceAll(/"[A-Z](?=":)/g, (name) => name.toLowerCase()))),
  'drops-type': drops('"type":"text_done"'),

  'counts-containers': refuses(
    (text) => isCall(text) && (text.match(/[[{]/g)?.length ?? 0) > 127 && depthOf(text) < 127,
  ),
  shallow: refuses((text) => isCall(text) && depthOf(text) > 64),
  'one-level-less': refuses((text) => isCall(text) && depthOf(text) >= 127),
  'shallow-unknown': refuses((text) => !isCall(text) && depthOf(text) > 64),
};
