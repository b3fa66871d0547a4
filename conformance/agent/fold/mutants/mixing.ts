/** Mutants that mix requests up: FOLD-A18. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentFault } from '../target.ts';
import { editResponses, mutant } from './mutant.ts';

/** Shows the texts of all other requests at the end of a request, too. */
function showsAll(): AgentFault {
  /** By request: its texts. */
  const texts = new Map<string, string>();
  return editResponses((response) => {
    const { request_id: id = '', text, done } = response;
    if (text !== undefined) texts.set(id, (texts.get(id) ?? '') + text);
    if (done === undefined) return [response];
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
  return editResponses((response) => {
    const { request_id: id = '', text, done } = response;
    if (text !== undefined) parts.push({ of: id, text });
    if (done === undefined) return [response];
    const others = parts.filter(({ of }) => of !== id).toReversed();
    parts = [];
    const shown = others.map((one) => ({ request_id: id, text: one.text }));
    return [...shown, shown.length === 0 ? response : { request_id: id, done: {} }];
  });
}

/** The mutants of this theme. */
export const mixingMutants: readonly Mutant[] = [
  mutant('FOLD-A18', 'shows-all-texts', 'It shows the texts of all requests at the end of each.', () => ({
    fault: showsAll(),
  })),
  mutant('FOLD-A18', 'shows-parts', 'It shows parts of the texts of other requests.', () => ({
    fault: showsParts(),
  })),
];
