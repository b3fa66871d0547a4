// A reporter that says where the time of the tests goes: for each area the time that its files took on their workers. The
// table of a whole run goes to spec/quality.md.
import { writeMeasured } from './quality.mjs';

/** @type {[name: string, pattern: RegExp][]} */
const areas = [
  ['suites: sessions and self-tests', /(suite|selftest)\.test/],
  ['random conversations, sweeps, laws, fuzz', /(storm|sweep|system|honest|laws|fuzz)\.test/],
  ['the command: check', /^bin\/check\//],
  ['the command: gateways', /^bin\/protocols\/(simulate-)?gateway/],
  ['the command: TOON', /^bin\/protocols\/toon/],
  ['the command: the rest', /^bin\//],
  ['the SDKs of model providers', /sdks\//],
  ['other units', /./],
];

export default class TestTimes {
  onInit({ config }) {
    this.root = config.root;
  }

  onTestRunEnd(modules) {
    const rows = new Map(areas.map(([name]) => [name, { files: 0, tests: 0, ms: 0, longest: 0, file: '' }]));
    for (const module of modules) {
      const file = module.moduleId.slice(this.root.length + 1);
      const [area] = areas.find(([, pattern]) => pattern.test(file)) ?? ['other units'];
      const row = rows.get(area);
      if (row === undefined) continue;
      const { duration, collectDuration } = module.diagnostic();
      const ms = duration + collectDuration;
      row.files++;
      row.tests += [...module.children.allTests()].length;
      row.ms += ms;
      if (ms > row.longest) Object.assign(row, { longest: ms, file });
    }
    const seconds = (ms) => (ms / 1000).toFixed(1);
    const table = [...rows].flatMap(([name, { files, tests, ms, longest, file }]) =>
      files > 0 ? [[name, files, tests, seconds(ms), `${file} ${seconds(longest)}`]] : [],
    );
    console.log('\n| area | files | tests | seconds | longest file |\n| --- | ---: | ---: | ---: | --- |');
    for (const cells of table) console.log(`| ${cells.join(' | ')} |`);
    if (table.length === areas.length) writeMeasured('Tests', table);
  }
}
