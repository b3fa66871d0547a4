// The pages about lawful peers: their lists are made from spec/<protocol>/lawful; the words around them stay.
import { readFileSync } from 'node:fs';
import prettier from 'prettier';
import { readLawfulWords } from '../../dist/src/kit/spec/index.js';

/** A table of peers. `heads`: of its columns. */
const table = (heads) => (peers) =>
  [heads, heads.map(() => '-'), ...peers.map(([id, { title, allowed }]) => [`\`${id}\``, title, allowed])]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');

/** A list of peers, with the requirements that cannot be seen at each. */
const list = (peers) =>
  peers
    .map(([id, { title, allowed, drive, unseen = {} }]) =>
      [
        `- \`${id}\`: ${title}${drive === 'passive' ? ' It obeys no directive.' : ''}`,
        `  Allowed by ${allowed}.`,
        ...Object.entries(unseen).map(([row, reason]) => `  ${row} cannot be seen: ${reason}.`),
      ].join('\n'),
    )
    .join('\n')
    .concat('\n');

const pages = {
  'spec/fold/lawful-agents.md': { 'fold/agent': list },
  'spec/fold/lawful-gateways.md': { 'fold/gateway': table(['gateway', 'its oddity', 'allowed by']) },
  'spec/toon/lawful.md': {
    'toon/subagent': table(['id', 'oddity', 'allowed by']),
    'toon/orchestrator': table(['id', 'oddity', 'allowed by']),
  },
};

/** A list or a table of a page. */
const listed = /^(?:\||- `).*\n(?:(?:\||- `| {2}\S).*\n)*/gm;

/** The pages, by their paths. */
export async function lawfulPages() {
  const made = {};
  for (const [path, lists] of Object.entries(pages)) {
    const rest = Object.entries(lists);
    const text = readFileSync(path, 'utf8').replaceAll(listed, () => {
      const next = rest.shift();
      if (next === undefined) throw new Error(`${path} has more lists than pages/lawful.mjs knows`);
      const [suite, form] = next;
      return form(Object.entries(readLawfulWords(suite)));
    });
    made[path] = await prettier.format(text, { ...(await prettier.resolveConfig(path)), filepath: path });
  }
  return made;
}
