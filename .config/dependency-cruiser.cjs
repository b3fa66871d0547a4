// Who may import whom (CONTRIBUTING.md, "Rooms"). Each rule names a room, and what it may not reach.
const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const test = '\\.(test|bench)\\.ts$|\\.test-helper\\.m?[jt]s$';
const node = ['core'];

/**
 * A room may reach only these places, and only these packages.
 *
 * @param {string} name
 * @param {string} path
 * @param {{ places: string[], types?: string[], packages?: string[], builtins?: boolean, except?: string }} reach
 */
const room = (name, path, { places, types = [], packages = [], builtins = false, except = test }) => [
  {
    name: `${name}: places`,
    severity: 'error',
    from: { path, pathNot: except },
    to: { path: '^(src|conformance|bin)/', pathNot: [path, ...places, ...types] },
  },
  ...(types.length === 0
    ? []
    : [
        {
          name: `${name}: only as types`,
          severity: 'error',
          from: { path, pathNot: except },
          to: { path: types.join('|'), dependencyTypesNot: ['type-only'] },
        },
      ]),
  {
    name: `${name}: packages`,
    severity: 'error',
    from: { path, pathNot: except },
    to: {
      dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
      pathNot: packages.length === 0 ? '^$' : `node_modules/(${packages.join('|')})/`,
    },
  },
  ...(builtins
    ? []
    : [
        {
          name: `${name}: no node builtins`,
          severity: 'error',
          from: { path, pathNot: except },
          to: { dependencyTypes: node },
        },
      ]),
];

/** A room of the command may reach these other rooms of it, and the list of protocols. */
const commandRoom = (name, others) => ({
  name: `bin/${name}: places`,
  severity: 'error',
  from: { path: `^bin/(${name})/`, pathNot: test },
  to: {
    path: '^bin/',
    pathNot: ['^bin/registry\\.ts$', ...['$1', ...others].map((other) => `^bin/${other}/`)],
  },
});

const base = '^src/kit/base/';
// A folder of src that is not the kit is a protocol: each has the same rooms.
const protocols = readdirSync(join(__dirname, '../src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'kit')
  .map(({ name }) => name);

/** The one place that joins protocols: it may import these doors, which nobody else of another protocol may. */
const joining = 'agent';
const doorsOf = (p) => (p === joining ? ['^src/(fold|llm|tokens)/index\\.ts$'] : []);

module.exports = {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '(package|registry)\\.json$' },
    },
    ...room('kit/base', base, { places: [] }),
    ...room('kit/spec', '^src/kit/spec/', { places: [base], packages: ['yaml'], builtins: true }),
    ...room('kit/world', '^src/kit/world/', { places: [base], builtins: true }),
    ...room('kit/transport', '^src/kit/transport/', {
      places: [base, '^src/kit/world/'],
      packages: ['@grpc/grpc-js', 'ws', 'p-limit'],
      builtins: true,
    }),
    ...room('kit/laws', '^src/kit/laws/', { places: [base], packages: ['fast-check'] }),
    ...room('kit/report', '^src/kit/report/', { places: [base], packages: ['picocolors'] }),
    ...room('kit/scenario', '^src/kit/scenario/', { places: [base], types: ['^src/kit/(world|spec)/'] }),
    ...room('kit/judge', '^src/kit/judge/', { places: [base], types: ['^src/kit/(scenario|spec)/'] }),
    ...room('kit/suite', '^src/kit/suite/', { places: ['^src/kit/(base|spec|world|scenario|judge)/'] }),
    ...room('kit/storm', '^src/kit/storm/', {
      places: ['^src/kit/(base|world|judge|suite)/'],
      packages: ['fast-check'],
    }),
    ...room('kit/testee', '^src/kit/testee/', {
      places: ['^src/kit/(base|spec|world|scenario|judge|suite)/'],
    }),
    ...room('kit/run', '^src/kit/run/', {
      places: ['^src/kit/(base|spec|world|transport|scenario|judge|suite|testee)/'],
    }),
    ...room('kit/simulate', '^src/kit/simulate/', {
      places: ['^src/kit/'],
      packages: ['picocolors'],
      builtins: true,
    }),
    {
      name: 'never kit to protocol',
      severity: 'error',
      from: { path: '^src/kit/', pathNot: test },
      to: { path: '^src/(?!kit/)' },
    },
    {
      name: 'never src to conformance or bin',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { path: '^(conformance|bin)/' },
    },
    ...protocols.flatMap((p) => [
      ...room(`${p}/core`, `^src/${p}/(?!edge/|arbitrary)`, {
        places: [base, `^src/${p}/`, ...doorsOf(p)],
        // The shape of an argument: randomness, a clock.
        types: ['^src/kit/world/'],
        packages: ['protobufjs'],
      }),
      ...room(`${p}/edge`, `^src/${p}/edge/`, {
        // Files of a protocol's own are read by the kit's reader.
        places: [`^src/${p}/`, '^src/kit/(base|spec|world|transport)/', ...doorsOf(p)],
        packages: ['@grpc/grpc-js', 'protobufjs'],
        builtins: true,
      }),
      {
        name: `${p}: no other protocol`,
        severity: 'error',
        from: { path: `^src/${p}/`, pathNot: test },
        to: { path: '^src/', pathNot: ['^src/kit/', `^src/${p}/`, ...doorsOf(p)] },
      },
      {
        name: `${p}: its door loads no edge`,
        severity: 'error',
        from: { path: `^src/${p}/(?!edge/)`, pathNot: test },
        to: { path: `^src/${p}/edge/` },
      },
      // Generators are made from the schemas of the protocol, which lie in spec/.
      ...room(`${p}/arbitrary`, `^src/${p}/arbitrary`, {
        places: [base, '^src/kit/spec/', `^src/${p}/`],
        packages: ['fast-check', 'protobufjs'],
      }),
      ...room(`conformance/${p}`, `^conformance/${p}/`, {
        places: [
          '^src/kit/(base|spec|scenario|judge|storm|suite|testee|simulate|laws|world)/',
          ...protocols.map((q) => `^src/${q}/(edge/)?index\\.ts$`),
          // The doors of its own protocol's rooms, which programs do not get with the protocol's.
          `^src/${p}/[a-z-]+/index\\.ts$`,
          '^conformance/',
        ],
        packages: ['fast-check'],
      }),
      {
        // Tests, too: what two protocols share belongs to the kit.
        name: `conformance/${p}: no other protocol`,
        severity: 'error',
        from: { path: `^conformance/${p}/` },
        to: {
          path: `^conformance/(${protocols.filter((q) => q !== p).join('|')})/`,
          pathNot: p === joining ? '^conformance/(fold|llm)/' : [],
        },
      },
    ]),
    {
      name: 'conformance never to bin',
      severity: 'error',
      from: { path: '^conformance/' },
      to: { path: '^bin/' },
    },
    {
      name: 'the core knows no time and no node',
      severity: 'error',
      from: {
        path: '^src/[a-z]+/',
        pathNot: ['^src/kit/', '/edge/', test],
      },
      to: { dependencyTypes: node },
    },
    // The rooms of the command, from the lowest: each may reach those below it. The program reaches verbs by import() only.
    commandRoom('output|words|traces', []),
    commandRoom('check', ['output', 'traces']),
    commandRoom('api', ['check', 'traces']),
    commandRoom('verbs', ['output', 'words', 'traces', 'check']),
    commandRoom('program', ['output', 'verbs']),
    {
      name: 'the command loads verbs when asked',
      severity: 'error',
      from: { path: '^bin/(wireproof\\.cts$|program/)', pathNot: test },
      to: { path: '^(src|conformance)/', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.cts', '.js', '.mjs'],
    },
  },
};
