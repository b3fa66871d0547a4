// The executor of SEP: a run with twice the actions that wait against one with half of them. 0.4 is 2.5 times the cost.
const action = (id, mode, more = {}) =>
  `<action type="tool" mode="${mode}" id="${id}">${JSON.stringify({ name: id, ...more })}</action>`;

const many = (n, make) => Array.from({ length: n }, (_, i) => make(i)).join('');

const done = '<response>done</response>';

/** The outcomes of n actions: each after a time of its own. */
const outcomes = (n, after) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`a${i}`, [{ after: after(i), output: i }]]));

/** Runs of n actions, by what they wait for. */
const plans = {
  'that wait in a row': (n) => ({
    output: many(n, (i) => action(`a${i}`, 'async', i === 0 ? {} : { depends_on: [`a${i - 1}`] })) + done,
    providers: outcomes(n, () => 1),
  }),
  'of one cycle': (n) => ({
    output: many(n, (i) => action(`a${i}`, 'async', { depends_on: [`a${(i + 1) % n}`] })) + done,
    providers: {},
  }),
  'that wait for one cycle in a row': (n) => ({
    output: many(n, (i) => action(`a${i}`, 'async', { depends_on: [`a${Math.max(0, i - 1)}`] })) + done,
    providers: {},
  }),
  'of one dependency': (n) => ({
    output: many(n, (i) => action(`a${i}`, 'async', i === 0 ? {} : { depends_on: ['a0'] })) + done,
    providers: outcomes(n, () => 1),
  }),
  'that end in another order': (n) => ({
    output: many(n, (i) => action(`a${i}`, 'async')) + done,
    providers: outcomes(n, (i) => (i * 7919) % n),
  }),
  'that one response names': (n) => ({
    output:
      many(n, (i) => action(`a${i}`, 'async')) +
      `<response>${many(n, (i) => `$a${i} `)}${'.'.repeat(10 * n)}</response>`,
    providers: outcomes(n, (i) => i),
  }),
};

/** The rows of the executor of SEP. */
export async function sepExecutorRows({ row, pair }) {
  const { playRun } = await import('../../dist/src/sep/index.js');
  for (const [what, plan] of Object.entries(plans)) {
    const [whole, half] = [20_000, 10_000].map((n) => {
      const { output, providers } = plan(n);
      return () => playRun({ iterations: [[output]], providers });
    });
    row(`SEP run, 20,000 actions ${what}`, 'half of them', '≥ 0.4', pair(whole, half, 20_000), 'actions');
  }
}
