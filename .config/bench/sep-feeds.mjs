// The feeds of SEP's executor: a run with 100 feeds against one with half of them. 0.4 is 2.5 times the cost.
const said = '<response final="false">x</response>';

/** A run of 500 iterations, before each of which all feeds are fetched; a third of them is transformed. */
const plan = (count) => {
  const feeds = Array.from({ length: count }, (_, i) => ({
    id: `f${i}`,
    trigger: /** @type {const} */ ('on_demand'),
    enabled: true,
    source: { type: /** @type {const} */ ('tool'), name: `t${i}`, params: { of: 'cpu' } },
    ...(i % 3 === 0 && { transform: [{ pick: 'load' }, { first: 2 }, { join: ' ' }] }),
  }));
  return {
    iterations: Array.from({ length: 500 }, () => [said]),
    feeds: { feeds },
    sources: ({ name }) => ({ value: { name, load: [0.5, 0.4, 0.3] } }),
    extensions: { transformations: true },
  };
};

/** The row of the feeds of SEP. */
export async function sepFeedRows({ row, pair }) {
  const { playRun } = await import('../../dist/src/sep/index.js');
  const [whole, half] = [100, 50].map((count) => {
    const script = plan(count);
    return () => playRun(script);
  });
  row('SEP run, 100 feeds in 500 iterations', 'half of them', '≥ 0.4', pair(whole, half, 50_000), 'fetches');
}
