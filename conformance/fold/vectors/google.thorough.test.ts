/** Google's own decoder gives the golden vectors of Fold the same answers, and writes the canonical ones as they are. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../../src/kit/spec/index.ts';
import { judgeVector } from '../../../src/kit/testee/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { fileDescriptors } from '../../../src/fold/generated/descriptors.ts';
import { pythonFor } from '../../examples/python.test-helper.ts';

const { path, why } = pythonFor('import google.protobuf', 'python3-protobuf');
const [schema = new Uint8Array()] = fileDescriptors;

/** Answers each line of stdin, a test, with the JSON of its message and what is written for that. */
const program = `
import base64, json, sys
from google.protobuf import descriptor_pb2, json_format, message_factory
schema = descriptor_pb2.FileDescriptorProto.FromString(base64.b64decode('${Buffer.from(schema).toString('base64')}'))
types = message_factory.GetMessages([schema])
for line in sys.stdin:
    test = json.loads(line)
    try:
        message = types[test['type']].FromString(bytes.fromhex(test['hex']))
        answer = {'json': json_format.MessageToDict(message, preserving_proto_field_name=True)}
        print(json.dumps({'ok': answer, 'hex': message.SerializeToString(deterministic=True).hex()}))
    except Exception as error:
        print(json.dumps({'error': {'code': 'undecodable', 'message': str(error)}}))
`;

describe.each(['cpp', 'python'])('protobuf for Python (%s)', (implementation) => {
  it('agrees with every vector', (context) => {
    if (path === undefined) return context.skip(why);
    const tests = readVectors('fold').flatMap(({ vectors }) =>
      vectors.groups.flatMap((group) => group.tests),
    );
    const { stdout, status, stderr } = spawnSync(path, ['-c', program], {
      input: tests.map((test) => `${JSON.stringify(test)}\n`).join(''),
      encoding: 'utf8',
      env: { ...process.env, PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION: implementation },
      timeout: 60_000,
    });
    if (status !== 0)
      return context.skip(`no such implementation here: ${stderr.trim().split('\n').at(-1) ?? ''}`);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject & { hex?: string });
    expect(answers.length).toBe(tests.length);
    const wrong = tests.flatMap((test, i) => {
      const { hex, ...answer } = answers[i] ?? {};
      const judged = judgeVector(test, { id: test.id, ...answer });
      const bytes =
        test.flags.includes('canonical') && hex !== test['hex'] ? [`${test.id}: writes ${hex ?? ''}`] : [];
      return judged === 'exercised' ? bytes : [`${test.id}: ${JSON.stringify(judged)}`, ...bytes];
    });
    expect(wrong).toEqual([]);
  });
});
