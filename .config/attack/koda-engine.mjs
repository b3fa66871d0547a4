// A hostile engine of Koda on stdio: floods the client without end. Usage: koda-engine.mjs KIND
const kind = process.argv[2];
const members = Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join(',');
const call = (i, args) =>
  `{"type":"tool_call_start","id":"c${i}","name":"Write","args":${args},"preview":null,"is_sub_agent":false}`;
const events = {
  keys: (i) => call(i, `{${members}}`),
  lists: (i) => call(i, `[${'[],'.repeat(300_000)}1]`),
  lines: (i) =>
    JSON.stringify({ type: 'tool_output_line', id: `c${i}`, line: 'x'.repeat(900_000), is_stderr: false }),
  tiny: () => '{"type":"text_delta","text":"x"}',
};
let i = 0;
process.stdout.on('error', () => process.exit(0));
process.stdin.on('end', () => process.exit(0));
process.stdin.once('data', () => {
  process.stdout.write('{"type":"turn_start","turn_id":"t1"}\n');
  flood();
});
function flood() {
  for (let k = 0; k < 16; k++)
    if (!process.stdout.write(`${events[kind](i++)}\n`)) return void process.stdout.once('drain', flood);
  setImmediate(flood);
}
setTimeout(() => process.exit(0), 60_000);
