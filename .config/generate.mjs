// Writes what is derived: message types and codecs from the .proto files, validators from our formats' schemas, the
// script of the HTML report and the program of the guard from their modules. Run by the build.
import { existsSync, readdirSync } from 'node:fs';
import { generateDescriptors } from './generate/descriptors.mjs';
import { generateGuard } from './generate/guard.mjs';
import { generatePage } from './generate/page.mjs';
import { generateProto } from './generate/proto.mjs';
import { generateValidators } from './generate/validators.mjs';

await generateProto({
  proto: 'spec/fold/coven.proto',
  out: 'src/fold/generated',
  roots: [
    'AgentMessage',
    'ServerMessage',
    'PackManifest',
    'ExecuteToolRequest',
    'ExecuteToolResponse',
    'Empty',
    'ClientSendMessageRequest',
    'ClientSendMessageResponse',
    'StreamEventsRequest',
    'ClientStreamEvent',
    'ListAgentsRequest',
    'ListAgentsResponse',
    'MeResponse',
    'ApproveToolRequest',
    'ApproveToolResponse',
  ],
});
await generateDescriptors({
  protos: ['spec/fold/coven.proto', 'spec/fold/fold.proto'],
  out: 'src/fold/generated/descriptors.ts',
});
await generateValidators({
  schemas: {
    requirements: 'spec/formats/requirements.schema.json',
    mutants: 'spec/formats/mutants.schema.json',
    lawful: 'spec/formats/lawful.schema.json',
    scenario: 'spec/formats/scenario.schema.json',
    statement: 'spec/formats/statement.schema.json',
    baseline: 'spec/formats/baseline.schema.json',
    vectors: 'spec/formats/vectors.schema.json',
    cases: 'spec/formats/cases.schema.json',
    vectorManifest: 'spec/formats/vectors.schema.json#/definitions/manifest',
    traceHeader: 'spec/formats/trace.schema.json#/definitions/header',
    traceEvent: 'spec/formats/trace.schema.json#/definitions/event',
  },
  // What the vectors of a protocol hold stands in its own room.
  vectors: Object.fromEntries(
    readdirSync('spec')
      .filter((name) => name !== 'formats' && existsSync(`spec/${name}/vectors.schema.json`))
      .map((name) => [name, `spec/${name}/vectors.schema.json`]),
  ),
  out: 'src/kit/spec/generated/validators.ts',
});
await generateValidators({
  schemas: { report: 'spec/formats/report.schema.json' },
  out: 'src/kit/spec/generated/report-validator.ts',
});
await generatePage({
  script: 'src/kit/report/html/browser/main.ts',
  style: 'src/kit/report/html/browser/page.css',
  out: 'src/kit/report/generated/page.ts',
});
await generateGuard({
  program: 'src/kit/transport/guard-program.ts',
  out: 'src/kit/transport/generated/guard.ts',
});
await generateValidators({
  schemas: { answerScript: 'spec/fold/script.schema.json' },
  out: 'src/fold/generated/validators.ts',
});
await generateValidators({
  schemas: { script: 'spec/llm/script.schema.json' },
  out: 'src/llm/generated/validators.ts',
});
await generateValidators({
  schemas: {
    turnTest: 'spec/llm/scenarios.schema.json#/definitions/turn',
    programTest: 'spec/llm/scenarios.schema.json#/definitions/program',
    serverTest: 'spec/llm/scenarios.schema.json#/definitions/server',
    gatewayTest: 'spec/llm/scenarios.schema.json#/definitions/gateway',
  },
  out: 'conformance/llm/generated/scenario-validators.ts',
});
await generateValidators({
  schemas: {
    ends: 'spec/llm/translation.schema.json#/definitions/ends',
    requests: 'spec/llm/translation.schema.json#/definitions/requests',
    errors: 'spec/llm/translation.schema.json#/definitions/errors',
  },
  out: 'conformance/llm/generated/translation-validators.ts',
});
await generateValidators({
  schemas: { words: 'spec/llm/words.schema.json#/definitions/words' },
  out: 'conformance/llm/generated/words-validator.ts',
});
await generateValidators({
  schemas: { event: 'spec/koda/event.schema.json', command: 'spec/koda/command.schema.json' },
  out: 'src/koda/generated/validators.ts',
});
await generateValidators({
  schemas: {
    actionBody: 'spec/sep/action.schema.json',
    templateBody: 'spec/sep/template.schema.json',
    rollbackBody: 'spec/sep/action.schema.json#/definitions/rollback',
    parseRequest: 'spec/sep/operations.schema.json#/definitions/parse',
    runRequest: 'spec/sep/operations.schema.json#/definitions/run',
    scriptFile: 'spec/sep/script.schema.json#/definitions/script',
    providersFile: 'spec/sep/script.schema.json#/definitions/providers',
    manifest: 'spec/sep/manifest.schema.json',
    feed: 'spec/sep/manifest.schema.json#/definitions/feed',
    feedId: 'spec/sep/manifest.schema.json#/definitions/id_only',
    noParameters: 'spec/sep/manifest.schema.json#/definitions/nothing',
    setVariable: 'spec/sep/manifest.schema.json#/definitions/set_variable',
    deleteVariable: 'spec/sep/manifest.schema.json#/definitions/delete_variable',
  },
  out: 'src/sep/generated/validators.ts',
});
