// The parser of SEP (the Streaming Execution Protocol) against an XML parser, and against a search for its tags alone.
import { SaxesParser } from 'saxes';

const words =
  'the model reads what came, compares it with what it knows and writes down each finding before it goes on'.split(
    ' ',
  );

/** Prose of so many characters, always the same. */
function proseMaker() {
  let seed = 7;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  return (length) => {
    let text = '';
    while (text.length < length) text += words[next() % words.length] + (next() % 11 === 0 ? '.\n' : ' ');
    return text;
  };
}

/** Outputs of a model: a thought, an action, and a response with Markdown. */
function mixedOutput(length) {
  const prose = proseMaker();
  let output = '';
  for (let i = 0; output.length < length; i++)
    output += `<thought>\n${prose(1500)}\n</thought>\n<action type="tool" mode="async" id="f${i}">\n{"name": "web_scraper", "parameters": {"url": "https://example.com/${i}", "depth": 3}, "output_key": "page_${i}"}\n</action>\n<response final="false">\n## Part ${i}\n\n${prose(3000)}\n\n- **one**: a < b\n- two, as $page_${i} shows\n\n${prose(2500)}\n</response>\n`;
  return Buffer.from(output).toString();
}

const chunksOf = (text, size) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));

/** The tags of a text, found by indexOf alone. */
function scan(chunks) {
  let found = 0;
  for (const chunk of chunks)
    for (let at = chunk.indexOf('<'); at >= 0; at = chunk.indexOf('<', at + 1)) found++;
  return found;
}

function saxes(chunks) {
  let events = 0;
  const parser = new SaxesParser({ fragment: true });
  for (const kind of /** @type {const} */ (['text', 'opentag', 'closetag'])) parser.on(kind, () => events++);
  parser.on('error', () => {});
  for (const chunk of chunks) parser.write(chunk);
  parser.close();
  return events;
}

/** The rows of SEP. */
export async function sepRows({ row, pair }) {
  const { SepParser } = await import('../../dist/src/sep/index.js');
  const ours = (chunks) => {
    let events = 0;
    const parser = new SepParser(() => events++);
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
    return events;
  };
  const output = mixedOutput(10_000_000);
  const against = (chunks, theirs, times = 1) => {
    const repeated = (parse) => () => {
      for (let n = 0; n < times; n++) parse(chunks);
    };
    return pair(repeated(ours), repeated(theirs), output.length * times);
  };
  const name = 'SEP parse, 10 MB';
  const four = chunksOf(output, 4);
  const one = chunksOf(output, 1);
  // One parse takes 8 ms, which the machine's noise changes by a third.
  row(`${name} whole`, 'saxes', '≥ 8', against([output], saxes, 8), 'characters');
  row(`${name} by 4 characters`, 'saxes', '≥ 2.2', against(four, saxes), 'characters');
  row(`${name} by 4 characters`, 'indexOf alone', '≥ 0.4', against(four, scan), 'characters');
  row(`${name} by 1 character`, 'saxes', '≥ 2.8', against(one, saxes), 'characters');
  const half = one.slice(0, one.length / 2);
  row(
    `${name} by 1 character, for twice the input`,
    'half of it',
    '≥ 0.45',
    pair(
      () => ours(one),
      () => ours(half),
      output.length,
    ),
    'characters',
  );
  const thought = ['<thought>', ...chunksOf('a'.repeat(200_000), 1)];
  row(
    'SEP parse, 200,000 characters of an unclosed thought, one at a time',
    '50 ms',
    '≥ 1',
    fixed(() => ours(thought), 50, thought.length),
    'characters',
  );
}

/** The ratio of a time limit (ms) to the median of nine runs. */
function fixed(run, limit, units) {
  run();
  const times = Array.from({ length: 9 }, () => {
    const began = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - began) / 1e6;
  }).toSorted((a, b) => a - b);
  return { ratio: limit / times[4], rate: units / (times[4] / 1000) };
}
