/**
 * gRPC server reflection (`grpc.reflection.v1.ServerReflection`, and v1alpha for older tools, with the same bytes):
 * sends file descriptors, so that generic clients such as grpcurl can list and call the services of this server.
 */
import protobuf from 'protobufjs/minimal.js';
import { ignoredEvents } from '../../kit/world/index.ts';
import type { Accept, Link, LinkEvents } from '../../kit/world/index.ts';
import { asBuffer } from '../protobuf-reader.ts';
import { healthPaths } from './health.ts';

/** The methods that a server has to route to {@link reflectionAccept}. */
export const reflectionPaths: readonly string[] = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
];

/** The methods of a gateway's server other than its own: health and reflection. */
export const gatewayPaths: readonly string[] = [...healthPaths, ...reflectionPaths];

/** The described services. */
export interface ReflectionOptions {
  /** The FileDescriptorProtos of all files, imports included. */
  readonly descriptor: readonly Uint8Array[];
  /** The full names of the listed services. */
  readonly services: readonly string[];
}

const invalidArgument = 3;
const notFound = 5;
const unimplemented = 12;

/**
 * Answers the reflection service from `options`; other streams go to `accept`. An unknown name gets an error response
 * NOT_FOUND, an unknown kind of request one with UNIMPLEMENTED. Bytes that are not a request end the stream.
 *
 * @throws RangeError or Error when a descriptor is invalid
 */
export function reflectionAccept(accept: Accept, options: ReflectionOptions): Accept {
  const files = options.descriptor.map(fileOf);
  return (link, metadata) => {
    if (!reflectionPaths.includes(metadata[':path'] ?? '')) return accept(link, metadata);
    link.headers({}); // some clients wait for headers before they send
    return answerRequests(link, (bytes) => {
      const request = requestOf(bytes);
      return request && response(bytes, request.host, find(request, files, options.services));
    });
  };
}

/** Answers each request, no faster than the client reads. `answer` returns undefined for an invalid request. */
function answerRequests(link: Link, answer: (request: Uint8Array) => Uint8Array | undefined): LinkEvents {
  let over = false;
  const close = (code: number, message: string): void => {
    over = true;
    link.close({ code, message });
  };
  return {
    ...ignoredEvents,
    message(bytes) {
      if (over) return;
      const answered = answer(bytes);
      const came = `${bytes.length} bytes came that are none`;
      if (answered === undefined) close(invalidArgument, `expected a ServerReflectionRequest; ${came}`);
      else if (!link.send(answered)) link.pause();
    },
    halfClose: () => close(0, ''),
    ended: () => void (over = true),
    drained: () => link.resume(),
  };
}

/** The oneof of ServerReflectionRequest, by field number. */
const kinds = {
  3: 'file_by_filename',
  4: 'file_containing_symbol',
  5: 'file_containing_extension',
  6: 'all_extension_numbers_of_type',
  7: 'list_services',
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

interface Request {
  readonly host: string;
  /** The last member that is set counts, as for every oneof. */
  readonly kind?: Kind;
  /** For an extension, the type that it extends. */
  readonly value: string;
}

/** An answer: files, or names, or an error. */
type ReflectionAnswer =
  | { readonly files: readonly Uint8Array[] }
  | { readonly services: readonly string[] }
  | { readonly error: number; readonly message: string };

function find(request: Request, files: readonly File[], services: readonly string[]): ReflectionAnswer {
  const { kind, value } = request;
  if (kind === undefined)
    return { error: unimplemented, message: `expected one of ${Object.values(kinds).join(', ')}` };
  if (kind === 'list_services') return { services };
  const [name, file] =
    kind === 'file_by_filename'
      ? [`file "${value}"`, files.find((one) => one.name === value)]
      : kind === 'file_containing_symbol'
        ? [`symbol "${value}"`, files.find((one) => one.symbols.has(value))]
        : [`extension of "${value}": proto3 has none`, undefined];
  if (file !== undefined) return { files: withImports(file, files) };
  return { error: notFound, message: `there is no ${name} here` };
}

/** A file and its imports, the file first. */
function withImports(file: File, files: readonly File[]): readonly Uint8Array[] {
  const wanted = [file];
  for (const { imports } of wanted) {
    wanted.push(...files.filter((other) => imports.includes(other.name) && !wanted.includes(other)));
  }
  return wanted.map(({ bytes }) => bytes);
}

/** @returns undefined for an invalid request */
function requestOf(bytes: Uint8Array): Request | undefined {
  try {
    let request: Request = { host: '', value: '' };
    for (const { field, content } of parts(bytes)) {
      const kind = Object.hasOwn(kinds, field) ? kinds[field as keyof typeof kinds] : undefined;
      if (field === 1) request = { ...request, host: text(content) };
      else if (kind === 'file_containing_extension') request = { ...request, kind, value: named(content) };
      else if (kind !== undefined) request = { ...request, kind, value: text(content) };
    }
    return request;
  } catch {
    return undefined;
  }
}

/** A ServerReflectionResponse, which contains its request. */
function response(request: Uint8Array, host: string, answer: ReflectionAnswer): Uint8Array {
  const w = protobuf.Writer.create().uint32(10).string(host).uint32(18).bytes(request);
  if ('files' in answer) {
    w.uint32(34).fork();
    for (const file of answer.files) w.uint32(10).bytes(file);
  } else if ('services' in answer) {
    w.uint32(50).fork();
    for (const name of answer.services) w.uint32(10).fork().uint32(10).string(name).ldelim();
  } else {
    w.uint32(58).fork().uint32(8).int32(answer.error).uint32(18).string(answer.message);
  }
  return w.ldelim().finish();
}

/** A file descriptor, with its name, imports and symbols. */
interface File {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly imports: readonly string[];
  readonly symbols: ReadonlySet<string>;
}

/** The parts of a descriptor that have a name (their field 1), by the number of their field in descriptor.proto. */
const namedParts = {
  file: { 4: 'message', 5: 'enum', 6: 'service', 7: 'leaf' },
  message: { 2: 'leaf', 3: 'message', 4: 'enum', 6: 'leaf', 8: 'leaf' },
  enum: { 2: 'leaf' },
  service: { 2: 'leaf' },
  leaf: {},
} as const satisfies { readonly [holder: string]: { readonly [field: number]: string } };
type Holder = keyof typeof namedParts;

function fileOf(bytes: Uint8Array): File {
  const texts = (field: number): readonly string[] =>
    [...parts(bytes)].filter((part) => part.field === field).map(({ content }) => text(content));
  const symbols = new Set<string>();
  collect('file', bytes, texts(2)[0] ?? '', symbols);
  return { bytes, name: texts(1)[0] ?? '', imports: texts(3), symbols };
}

/** Adds the symbols of a descriptor. The values of an enum are in the scope of the enum itself, as protobuf demands. */
function collect(holder: Holder, bytes: Uint8Array, scope: string, into: Set<string>): void {
  const fields: { readonly [field: number]: Holder } = namedParts[holder];
  for (const { field, content } of parts(bytes)) {
    const kind = fields[field];
    if (kind === undefined) continue;
    const name = scope === '' ? named(content) : `${scope}.${named(content)}`;
    into.add(name);
    collect(kind, content, kind === 'enum' ? scope : name, into);
  }
}

/** The length-delimited fields of a message. @throws RangeError or Error when the bytes are invalid */
function* parts(bytes: Uint8Array): Generator<{ readonly field: number; readonly content: Uint8Array }> {
  const reader = protobuf.Reader.create(asBuffer(bytes));
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 0) throw new Error('expected a field; field number 0 came');
    if ((tag & 7) === 2) yield { field: tag >>> 3, content: reader.bytes() };
    else reader.skipType(tag & 7);
  }
}

/** The text in field 1 of a message. */
function named(bytes: Uint8Array): string {
  const last = [...parts(bytes)].findLast(({ field }) => field === 1);
  return last === undefined ? '' : text(last.content);
}

/** Decodes UTF-8. @throws TypeError on invalid bytes */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const text = (bytes: Uint8Array): string => strict.decode(bytes);
