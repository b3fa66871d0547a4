/** Makes the golden vectors of SEP from the case tables, and from tricky outputs that are cut everywhere. */
import { isObject } from '../../src/kit/base/index.ts';
import { objectArgument, textArgument, textBuilders } from '../../src/kit/spec/index.ts';
import type { CaseBuilders } from '../../src/kit/spec/index.ts';
import type { VectorMaker } from '../../src/kit/suite/index.ts';
import { vectorMaker } from '../../src/kit/testee/index.ts';
import { sepManifestTestee } from '../../src/sep/edge/index.ts';
import { judgeFacts } from './executor/judge.ts';
import { cutTests } from './parser/cuts.ts';
import { judgeParse, parserFeatures } from './parser/judge.ts';

const builders: CaseBuilders = {
  ...textBuilders,
  /** An action of a tool whose name is its id, with these members of its body. */
  act: (id, mode, more) => {
    const body = { name: textArgument(id), ...objectArgument(more) };
    return `<action type="tool" mode="${textArgument(mode)}" id="${textArgument(id)}">${JSON.stringify(body)}</action>`;
  },
  /** An internal action, with these parameters. */
  internal: (id, name, parameters) => {
    const body = { name: textArgument(name), parameters: objectArgument(parameters) };
    return `<action type="internal" mode="sync" id="${textArgument(id)}">${JSON.stringify(body)}</action>`;
  },
  /** A variable of the environment. */
  env: (name) => `\${${textArgument(name)}}`,
  /** A reference. */
  ref: (name) => `$${textArgument(name)}`,
  /** An object with one key, which may look like a reference. */
  keyed: (key, value) => ({ [textArgument(key)]: value ?? null }),
};

/** The features that facts of runs depend on. */
const runFeatures: readonly string[] = ['diagnostics', 'transcripts', 'manifests', 'internal_actions'];

/** The maker of the vectors. */
export const sepVectors: VectorMaker = vectorMaker(
  { protocol: 'sep', buildersOf: () => builders, random: { cuts: cutTests } },
  {
    reference: sepManifestTestee,
    judge: ({ result, expect: demanded }, request, answer) => {
      const expect = isObject(demanded) ? demanded : {};
      return request['op'] === 'sep.run'
        ? judgeFacts({
            isInvalid: result === 'invalid',
            expect,
            request,
            answer,
            features: runFeatures,
            isVirtual: true,
          })
        : judgeParse(expect, request, answer, parserFeatures);
    },
  },
);
