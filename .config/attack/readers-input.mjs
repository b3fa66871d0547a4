// Bytes for the readers of the kit, on stdout. Usage: readers-input.mjs KIND COUNT
const [kind, n] = process.argv.slice(2);
const parts = {
  less: () => '<',
  actions: (i) => `<action type="tool" mode="async" id="a${i}">{"name":"x"}</action>`,
};
let i = 0;
process.stdout.on('error', () => process.exit(0));
function write() {
  while (i < Number(n)) {
    let text = '';
    for (let k = 0; k < 1000 && i < Number(n); k++) text += parts[kind](i++);
    if (!process.stdout.write(text)) return void process.stdout.once('drain', write);
  }
  process.stdout.end();
}
write();
