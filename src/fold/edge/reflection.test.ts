/** Reflection as generic clients ask for it: grpc/doc/server-reflection.md, reflection.proto. */
import { Client, credentials, status } from '@grpc/grpc-js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveGrpc } from '../../kit/transport/index.ts';
import type { GrpcServer } from '../../kit/transport/index.ts';
import type { Accept, Link } from '../../kit/world/index.ts';
import { fileDescriptors } from '../generated/descriptors.ts';
import { healthPaths } from './health.ts';
import { gatewayPaths, reflectionAccept, reflectionPaths } from './reflection.ts';

const { root } = protobuf.parse(
  `syntax = "proto3"; package grpc.reflection.v1;
message ServerReflectionRequest {
  string host = 1;
  oneof message_request {
    string file_by_filename = 3;
    string file_containing_symbol = 4;
    ExtensionRequest file_containing_extension = 5;
    string all_extension_numbers_of_type = 6;
    string list_services = 7;
  }
}
message ExtensionRequest { string containing_type = 1; int32 extension_number = 2; }
message ServerReflectionResponse {
  string valid_host = 1;
  ServerReflectionRequest original_request = 2;
  oneof message_response {
    FileDescriptorResponse file_descriptor_response = 4;
    ExtensionNumberResponse all_extension_numbers_response = 5;
    ListServiceResponse list_services_response = 6;
    ErrorResponse error_response = 7;
  }
}
message FileDescriptorResponse { repeated bytes file_descriptor_proto = 1; }
message ExtensionNumberResponse { string base_type_name = 1; repeated int32 extension_number = 2; }
message ListServiceResponse { repeated ServiceResponse service = 1; }
message ServiceResponse { string name = 1; }
message ErrorResponse { int32 error_code = 1; string error_message = 2; }`,
  { keepCase: true },
);
const requestType = root.lookupType('ServerReflectionRequest');
const responseType = root.lookupType('ServerReflectionResponse');

interface Answer {
  readonly valid_host?: string;
  readonly original_request?: object;
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Uint8Array[] };
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] };
  readonly error_response?: { readonly error_code: number; readonly error_message: string };
}
const encode = (request: object): Buffer =>
  Buffer.from(requestType.encode(requestType.fromObject(request)).finish());
const decode = (bytes: Buffer): Answer => responseType.toObject(responseType.decode(bytes));

const services = ['coven.CovenControl', 'fold.FoldControl', 'coven.PackService'];
const nowhere: Accept = (link) => {
  link.close({ code: 10, message: 'elsewhere' });
  const deaf = (): void => {};
  return { headers: deaf, message: deaf, halfClose: deaf, ended: deaf, drained: deaf, ping: deaf };
};
const accept = reflectionAccept(nowhere, { descriptor: fileDescriptors, services });
let server: GrpcServer;
let client: Client;

beforeAll(async () => {
  const methods = [...gatewayPaths, '/other/Method'];
  server = await serveGrpc({ host: '127.0.0.1', port: 0, methods, accept, maxReceive: 4 << 20 });
  client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
});
afterAll(() => {
  client.close();
  server.close();
});

const open = (path: string): ClientDuplexStream<Buffer, Answer> =>
  client.makeBidiStreamRequest(path, (bytes: Buffer) => bytes, decode);

/** What comes of these requests on one stream: answers, then the status. */
async function ask(
  path: string,
  ...requests: readonly Buffer[]
): Promise<{ answers: Answer[]; code: number }> {
  const stream = open(path);
  const answers: Answer[] = [];
  stream.on('data', (answer: Answer) => answers.push(answer)).on('error', () => {});
  for (const request of requests) stream.write(request);
  stream.end();
  const { code } = await new Promise<{ code: number }>((resolve) => stream.on('status', resolve));
  return { answers, code };
}

const path = reflectionPaths[0] ?? '';
async function one(request: object): Promise<Answer> {
  const { answers, code } = await ask(path, encode(request));
  expect([answers.length, code]).toEqual([1, status.OK]);
  return answers[0] ?? {};
}
const filesOf = (answer: Answer): readonly string[] =>
  (answer.file_descriptor_response?.file_descriptor_proto ?? []).map(
    (bytes) =>
      descriptor.FileDescriptorProto.toObject(descriptor.FileDescriptorProto.decode(bytes))['name'] as string,
  );

describe('what is asked for', () => {
  it.each(reflectionPaths)('is answered by %s: the services, as they were given', async (each) => {
    const { answers } = await ask(each, encode({ host: 'h', list_services: '*' }));
    expect(answers).toEqual([
      {
        valid_host: 'h',
        original_request: { host: 'h', list_services: '*' },
        list_services_response: { service: services.map((name) => ({ name })) },
      },
    ]);
  });

  it('several times on one stream, in order', async () => {
    const names = ['coven.proto', 'fold.proto', 'no.proto'];
    const { answers, code } = await ask(path, ...names.map((name) => encode({ file_by_filename: name })));
    expect(answers.map(({ original_request }) => original_request)).toEqual(
      names.map((name) => ({ file_by_filename: name })),
    );
    expect(code).toBe(status.OK);
  });

  it.each([
    [{ file_by_filename: 'coven.proto' }, ['coven.proto']],
    [{ file_by_filename: 'fold.proto' }, ['fold.proto', 'coven.proto']],
    [{ file_containing_symbol: 'fold.FoldControl' }, ['fold.proto', 'coven.proto']],
    [{ file_containing_symbol: 'coven.CovenControl.AgentStream' }, ['coven.proto']],
    [{ file_containing_symbol: 'coven.SendMessage' }, ['coven.proto']],
    [{ file_containing_symbol: 'coven.SendMessage.request_id' }, ['coven.proto']],
    [{ file_containing_symbol: 'coven.MessageResponse.event' }, ['coven.proto']],
    [{ file_containing_symbol: 'coven.Welcome.SecretsEntry.key' }, ['coven.proto']],
    [{ file_containing_symbol: 'coven.ToolState' }, ['coven.proto']],
    [{ file_containing_symbol: 'coven.TOOL_STATE_PENDING' }, ['coven.proto']],
  ])('%j is answered by a file with its imports', async (request, files) => {
    expect(filesOf(await one(request))).toEqual(files);
  });

  it.each([
    [{ file_by_filename: 'no.proto' }, 'there is no file "no.proto" here'],
    [{ file_containing_symbol: 'coven.Nothing' }, 'there is no symbol "coven.Nothing" here'],
    [{ file_containing_symbol: 'coven' }, 'there is no symbol "coven" here'],
    [
      { file_containing_extension: { containing_type: 'coven.Done', extension_number: 100 } },
      'there is no extension of "coven.Done": proto3 has none here',
    ],
    [
      { all_extension_numbers_of_type: 'coven.Done' },
      'there is no extension of "coven.Done": proto3 has none here',
    ],
  ])('%j is NOT_FOUND', async (request, error_message) => {
    expect((await one(request)).error_response).toEqual({ error_code: status.NOT_FOUND, error_message });
  });

  it.each([
    ['nothing', []],
    ['a kind of request that is not known', [66, 1, 97]],
  ])('%s is UNIMPLEMENTED', async (_, bytes) => {
    const { answers } = await ask(path, Buffer.from(bytes));
    expect(answers[0]?.error_response?.error_code).toBe(status.UNIMPLEMENTED);
  });

  it('twice in one request: the last counts', async () => {
    const twice = Buffer.concat([encode({ file_by_filename: 'no.proto' }), encode({ list_services: '' })]);
    const { answers } = await ask(path, twice);
    expect(answers[0]?.list_services_response?.service.length).toBe(services.length);
  });
});

describe('bytes that are no request', () => {
  it.each([
    ['a text that reaches beyond the end', [26, 9, 97]],
    ['a text that is not UTF-8', [34, 1, 0xff]],
    ['an extension whose type reaches beyond it', [42, 2, 10, 9]],
    ['field number 0', [2, 1, 97]],
    ['an end group', [60]],
    ['a cut varint', [16, 0x80]],
  ])('%s: the stream ends with INVALID_ARGUMENT', async (_, bytes) => {
    const { answers, code } = await ask(path, Buffer.from(bytes), encode({ list_services: '' }));
    expect([answers, code]).toEqual([[], status.INVALID_ARGUMENT]);
  });
});

describe('a client that does not read', () => {
  it('is not read either, until it does', () => {
    const done: string[] = [];
    const link: Link = {
      conn: 'c1',
      stream: 's1',
      headers: () => void done.push('headers'),
      send: () => (done.push('send'), false),
      halfClose: () => {},
      close: ({ code }) => void done.push(`close ${code}`),
      pause: () => void done.push('pause'),
      resume: () => void done.push('resume'),
    };
    const events = accept(link, { ':path': path });
    events.message(encode({ list_services: '' }));
    events.drained();
    events.halfClose();
    events.message(encode({ list_services: '' }));
    expect(done).toEqual(['headers', 'send', 'pause', 'resume', 'close 0']);
  });
});

describe('the generated descriptors', () => {
  const [coven, fold] = fileDescriptors.map((bytes) =>
    descriptor.FileDescriptorProto.toObject(descriptor.FileDescriptorProto.decode(bytes)),
  ) as { [key: string]: { name: string; field: unknown[]; method: object[] }[] }[];
  const message = (name: string) => coven?.['messageType']?.find((each) => each.name === name);

  it('keep the names of the schema, and say what JSON calls them', () => {
    expect(message('ToolUse')?.field[2]).toEqual({
      name: 'input_json',
      number: 3,
      label: 1,
      type: 9,
      jsonName: 'inputJson',
    });
  });

  it('know what is optional from what is in a oneof', () => {
    expect(message('CancelRequest')?.field[1]).toMatchObject({ oneofIndex: 0, proto3Optional: true });
    expect(message('MessageResponse')?.field[1]).toMatchObject({ name: 'thinking', oneofIndex: 0 });
    expect(message('MessageResponse')?.field[1]).not.toHaveProperty('proto3Optional');
  });

  it('have entries for maps, and imports', () => {
    expect(message('Welcome')).toMatchObject({
      nestedType: [{ name: 'SecretsEntry', options: { mapEntry: true } }],
    });
    expect(fold).toMatchObject({ package: 'fold', dependency: ['coven.proto'], syntax: 'proto3' });
  });

  it('stream where the schema says so', () => {
    const methods = coven?.['service']?.flatMap((service) => service.method);
    expect(methods?.slice(0, 3)).toEqual([
      {
        name: 'AgentStream',
        inputType: '.coven.AgentMessage',
        outputType: '.coven.ServerMessage',
        clientStreaming: true,
        serverStreaming: true,
      },
      {
        name: 'Register',
        inputType: '.coven.PackManifest',
        outputType: '.coven.ExecuteToolRequest',
        serverStreaming: true,
      },
      { name: 'ToolResult', inputType: '.coven.ExecuteToolResponse', outputType: '.coven.Empty' },
    ]);
  });
});

describe('other methods', () => {
  it('are none of its business, health among them', async () => {
    for (const other of [...healthPaths, '/other/Method']) {
      expect((await ask(other, Buffer.alloc(0))).code).toBe(status.ABORTED);
    }
    expect(gatewayPaths).toEqual([...healthPaths, ...reflectionPaths]);
  });
});
