/** Mutants that mix requests up: FOLD-A18. */
import type { AgentFault } from '../target.ts';
import { onResponse } from './mutant.ts';
import type { WholeAgentFaults } from './mutant.ts';

/** Shows the texts of all other requests at the end of a request, too. */
function showsAll(): AgentFault {
  /** By request: its texts. */
  const texts = new Map<string, string>();
  return onResponse((response) => {
    const { request_id: id = '', text, done } = response;
    if (text !== undefined) texts.set(id, (texts.get(id) ?? '') + text);
    if (done === undefined) return;
    const others = [...texts].flatMap(([other, said]) => (other === id ? [] : [said]));
    return others.length === 0
      ? [response]
      : [
          { request_id: id, text: others.join('') },
          { request_id: id, done: {} },
        ];
  });
}

/** Shows the parts of the texts of other requests at the end of a request, the last part first. */
function showsParts(): AgentFault {
  /** The texts that came since the last end, each with its request. */
  let parts: { readonly of: string; readonly text: string }[] = [];
  return onResponse((response) => {
    const { request_id: id = '', text, done } = response;
    if (text !== undefined) parts.push({ of: id, text });
    if (done === undefined) return;
    const others = parts.filter(({ of }) => of !== id).toReversed();
    parts = [];
    const shown = others.map((one) => ({ request_id: id, text: one.text }));
    return [...shown, shown.length === 0 ? response : { request_id: id, done: {} }];
  });
}

export const mixingFaults: WholeAgentFaults = {
  'shows-all-texts': () => ({ fault: showsAll() }),
  'shows-parts': () => ({ fault: showsParts() }),
};
