// A hostile program on stdio: writes to its stdout without end. Usage: stdout.mjs KIND
const [kind] = process.argv.slice(2);
const chunks = {
  lines: Buffer.from(`${JSON.stringify({ id: 'hello', ok: { text: 'x'.repeat(60_000) } })}\n`),
  'short-lines': Buffer.from('{"id":"x","ok":{}}\n'.repeat(3000)),
  'one-line': Buffer.alloc(60_000, 0x78),
  thoughts: Buffer.from('<thought>a <b '.repeat(4000)),
  bytes: Buffer.alloc(60_000, 0xff),
};
const chunk = chunks[kind];
process.stdin.resume();
process.stdout.on('error', () => process.exit(0));
function flood() {
  for (let i = 0; i < 64; i++)
    if (!process.stdout.write(chunk)) return void process.stdout.once('drain', flood);
  setImmediate(flood);
}
flood();
setTimeout(() => process.exit(0), 60_000);
