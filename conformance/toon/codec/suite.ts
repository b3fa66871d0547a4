/**
 * The suite of TOON codecs (TOON is Task Orchestration Over Node, not Token-Oriented Object Notation): the target is a
 * testee that encodes and decodes what it is given, a line of JSON each way on its stdin and stdout.
 */
import { lineFraming, testeeOf, tester } from '../../../src/kit/testee/index.ts';
import { testeeStatement } from '../../../src/kit/suite/index.ts';
import type { Suite } from '../../../src/kit/suite/index.ts';
import { toonTestee } from '../../../src/toon/index.ts';
import { codecMutants } from './mutants/index.ts';
import { codecRules } from './rules.ts';
import { codecScenarios } from './scenarios.ts';
import { advertised, judgedBy } from './view.ts';
import type { CodecView } from './view.ts';

/** TOON codecs: the target answers operations, the kit asks. */
export const toonCodecSuite: Suite<CodecView> = {
  id: 'toon/codec',
  protocol: 'toon',
  role: 'codec',
  title: 'TOON codecs: are bytes made and read as TOON (Task Orchestration Over Node) demands?',
  features: [
    {
      name: 'compression',
      advertised: true,
      text: 'compresses large payloads (toon.rle.encode, or seen in what it encodes)',
    },
  ],
  judging: { rules: codecRules, ...judgedBy },
  secrets: { metadata: [], fields: [], may: () => false },
  timeouts: { handshake: 5000, step: 10_000, late: 0 },
  target: { kind: 'meets', carriers: ['stdio'], framing: lineFraming, drive: 'operations', advertised },
  scenarios: () => codecScenarios(),
  unsupported: () => undefined,
  peers: { 'toon/tester': () => tester },
  conditionalRows: [],
  statement: testeeStatement,
  reference: () => testeeOf(toonTestee),
  mutants: codecMutants,
};
