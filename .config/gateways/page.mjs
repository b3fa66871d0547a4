/** The page of the measured gateways: what was measured, the table of verdicts, and the explained reds. */
import { tableOf } from '../measured.mjs';
import { explainedReds, pairsOf, statementOf, unexercised, unmeasured } from './list.mjs';
import { checkOf } from './measure.mjs';

const about = (day) => `# Real gateways, measured

The suite \`llm/gateway\` judges translators between dialects of models. This page shows how real ones do on ${day}. A verdict is a
fact about one version, one configuration and one pair of dialects, not an opinion of the whole product. Each red was looked at
twice: in the trace of the check, and in the installed source of the gateway.

\`npm run gateways\` in a built checkout installs the gateways into a folder outside the tree (\`WIREPROOF_GATEWAYS\`, by default
\`wireproof/gateways\` in your cache), measures them and writes this page. \`npm run gateways -- --only litellm\` prints the columns
of one of them, \`-- --check\` compares the page with new measurements, and \`-- --test\` tests one pair of each. The reasons stand in
\`.config/gateways/reds/\`: a red without a reason fails the run, and so does a reason without its red.
`;

const commandOf = ({ registry, package: named, version }) =>
  ({
    npm: `npm install ${named}@${version}`,
    pip: `pip install '${named}==${version}'`,
    cargo: `cargo install --locked --version ${version} ${named}`,
  })[registry];

const file = (path) => `[${path.split('/').at(-1)}](../../${path})`;

/** What was measured: a line for each gateway. */
const listOf = (gateways) => [
  '| gateway | version | installed by | statement |',
  '| --- | --- | --- | --- |',
  ...gateways.map(
    (one) => `| ${[one.title, one.version, `\`${commandOf(one)}\``, file(statementOf(one))].join(' | ')} |`,
  ),
];

/** How one pair is repeated. */
const repeated = (gateway) => `To repeat a column, put the gateway on your \`PATH\`, and run:

\`\`\`
npx wireproof check ${checkOf(gateway, pairsOf(gateway)[0]).join(' ')}
\`\`\`
`;

const shortRow = (row) => row.replace('LLM-', '');

/** Why a red is red. */
const reasonOf = (red) =>
  'follows' in red ? `follows from ${shortRow(red.follows)}.` : `${red.seen} _Its source:_ ${red.source}`;

/** The explained reds of a gateway. */
const reasonsOf = (gateway) => [
  `### ${gateway.title} ${gateway.version}`,
  '',
  ...explainedReds(gateway).map((red) => {
    const isEverywhere = red.pairs.length === pairsOf(gateway).length && red.pairs.length > 1;
    return `- **${shortRow(red.row)}**, ${isEverywhere ? 'all pairs' : red.pairs.join(', ')}: ${reasonOf(red)}`;
  }),
  '',
];

/** Whether a column shows nothing of a row, though it applies. */
const isUnseen = (row, { report }) =>
  report.requirements.find(({ id }) => id === row)?.verdict === 'not-observed';

/** The rows of which a column shows nothing for another reason than its statement, such as a busy machine. */
const unseenIn = (column) =>
  column.report.requirements
    .map(({ id }) => id)
    .filter((row) => isUnseen(row, column))
    .filter(
      (row) =>
        !unexercised.some(
          ({ rows, only }) => rows.includes(row) && (only === undefined || only === column.gateway.name),
        ),
    );

/** Which rows were not exercised, and why. */
const unexercisedOf = (gateways, columns) => [
  ...unexercised.map(({ rows, only, why }) => {
    const title = gateways.find(({ name }) => name === only)?.title ?? 'all gateways';
    return `- **${rows.map(shortRow).join(', ')}**, ${title}: ${why}`;
  }),
  ...columns.flatMap((column) =>
    unseenIn(column).map((row) => `- **${shortRow(row)}**, ${column.name}: it did not come up in this run.`),
  ),
];

/** The page, before Prettier. */
export const pageOf = (gateways, columns, day) =>
  [
    about(day),
    ...listOf(gateways),
    '',
    repeated(gateways[0]),
    '## Verdicts',
    '',
    '`·` means that no scenario exercised the requirement, or that it does not apply; `sometimes`, that it fails in some runs. The requirements are in [requirements.yaml](requirements.yaml).',
    '',
    ...tableOf(columns),
    '',
    '## Reds',
    '',
    ...gateways.flatMap(reasonsOf),
    '## Not exercised',
    '',
    ...unexercisedOf(gateways, columns),
    '',
    '## Not measured',
    '',
    ...unmeasured.map(([title, why]) => `- **${title}**: ${why}`),
    '',
  ].join('\n');

/** A page without its day, for comparison. */
export const withoutDay = (page) => page.replace(/on \d{4}-\d{2}-\d{2}\b/, 'on a day');
