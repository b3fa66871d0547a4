/** The reference of SEP as a testee of the suites `sep/parser` and `sep/executor`: one request in, one answer out. */
import { dispatcher, RequestRefusal, schemaRefusal, pathOf } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { playRun } from '../executor/scripted-run.ts';
import type { RunScript } from '../executor/scripted-run.ts';
import { parseRequest, runRequest } from '../generated/validators.ts';
import { parseSep } from '../parser/parser.ts';

/**
 * Answers one request: `{id, ok}`, `{id, error}`, or `{id, unsupported}` of an operation that it does not know. Never
 * throws.
 *
 * @example
 * sepTestee({ id: 1, op: 'sep.parse', chunks: ['<thought>Hm', 'm'] });
 * // { id: 1, ok: { events: [{ type: 'thought', text: 'Hm' }, { type: 'thought', text: 'm' }, …] } }
 */
export const sepTestee: (request: JsonObject) => JsonObject = dispatcher({
  name: 'wireproof reference',
  version: '0.1.0',
  operations: {
    'sep.parse': parse,
    'sep.run': run,
  },
  hello: {
    virtual_time: true,
    features: [
      'thought_actions',
      'non_final_responses',
      'variables',
      'dependencies',
      'timeouts',
      'retries',
      'transcripts',
      'feeds',
      'response_ends',
      'diagnostics',
    ],
  },
});

function parse(request: JsonObject): JsonObject {
  demand(parseRequest, request);
  const { chunks, bytes = [] } = request as { chunks?: readonly string[]; bytes?: readonly string[] };
  const events = parseSep(chunks ?? bytes.map((hex) => Buffer.from(hex, 'hex')));
  return { events: events as unknown as Json };
}

function run(request: JsonObject): JsonObject {
  demand(runRequest, request);
  const { iterations, providers = {}, variables = {} } = request as unknown as RunScript;
  return { ...(playRun({ iterations, providers, variables }) as unknown as JsonObject) };
}

/** @throws RequestRefusal with the position of what is malformed */
function demand(validator: Parameters<typeof schemaRefusal>[0], request: JsonObject): void {
  const refused = schemaRefusal(validator, request);
  if (refused === undefined) return;
  const { fault, expected, came } = refused;
  const path = pathOf(fault.instancePath);
  throw new RequestRefusal(
    'bad-input',
    `expected ${path === '' ? 'the request' : path} to be ${expected}; came ${came}`,
  );
}
