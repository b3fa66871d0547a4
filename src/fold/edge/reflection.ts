/**
 * gRPC server reflection (`grpc.reflection.v1.ServerReflection`, and v1alpha for older tools, the same on the wire)
 * before whatever else is served as streams of bytes: hands out file descriptors, so that generic clients can list
 * and call what is served.
 */
import protobuf from 'protobufjs/minimal.js';
import type { Accept, Link, LinkEvents } from '../../kit/world/index.ts';
import { asBuffer } from '../protobuf-reader.ts';
import { healthPaths } from './health.ts';

/** The methods to register with the server. */
export const reflectionPaths: readonly string[] = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
];

/** What a gateway registers with the server beside the methods of its own: health and reflection. */
export const gatewayPaths: readonly string[] = [...healthPaths, ...reflectionPaths];

/** What is told about. */
export interface ReflectionOptions {
  /** A FileDescriptorProto each, imports included. */
  readonly descriptor: readonly Uint8Array[];
  /** Full names of the services that are listed. */
  readonly services: readonly string[];
}

const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

/**
 * Answers the reflection service from `options`; every other stream goes to `accept`. What is not there is an error
 * response NOT_FOUND, a request of no known kind one of UNIMPLEMENTED; bytes that are no request end the stream.
 *
 * @throws RangeError or Error when a descriptor's bytes are none
 */
export function reflectionAccept(accept: Accept, options: ReflectionOptions): Accept {
  const files = options.descriptor.map(fileOf);
  return (link, metadata) => {
    if (!reflectionPaths.includes(metadata[':path'] ?? '')) return accept(link, metadata);
    link.headers({}); // some clients wait for them before they send
    return answering(link, (request) => answerTo(request, files, options.services));
  };
}

/** One answer a request, no faster than they are read; `answer` returns undefined for bytes that are no request. */
function answering(link: Link, answer: (request: Uint8Array) => Uint8Array | undefined): LinkEvents {
  let over = false;
  const close = (code: number, message: string): void => {
    over = true;
    link.close({ code, message });
  };
  return {
    headers: () => {},
    message(bytes) {
      if (over) return;
      const answered = answer(bytes);
      if (answered === undefined)
        close(
          INVALID_ARGUMENT,
          `expected a ServerReflectionRequest; ${bytes.length} bytes came that are none`,
        );
      else if (!link.send(answered)) link.pause();
    },
    halfClose: () => close(0, ''),
    ended: () => void (over = true),
    drained: () => link.resume(),
    ping: () => {},
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
  /** Of an extension, the type that it extends. */
  readonly value: string;
}

/** What is asked for: a list of files, or a list of names; or why there is none. */
type ReflectionAnswer =
  | { readonly files: readonly Uint8Array[] }
  | { readonly services: readonly string[] }
  | { readonly error: number; readonly message: string };

function answerTo(
  bytes: Uint8Array,
  files: readonly File[],
  services: readonly string[],
): Uint8Array | undefined {
  const request = requestOf(bytes);
  return request && response(bytes, request.host, find(request, files, services));
}

function find(
  { kind, value }: Request,
  files: readonly File[],
  services: readonly string[],
): ReflectionAnswer {
  const missing = (what: string): ReflectionAnswer => ({
    error: NOT_FOUND,
    message: `there is no ${what} here`,
  });
  const found = (file: File | undefined, what: string): ReflectionAnswer =>
    file === undefined ? missing(what) : { files: withImports(file, files) };
  if (kind === undefined)
    return { error: UNIMPLEMENTED, message: `expected one of ${Object.values(kinds).join(', ')}` };
  switch (kind) {
    case 'file_by_filename':
      return found(
        files.find((file) => file.name === value),
        `file "${value}"`,
      );
    case 'file_containing_symbol':
      return found(
        files.find((file) => file.symbols.has(value)),
        `symbol "${value}"`,
      );
    case 'file_containing_extension':
    case 'all_extension_numbers_of_type':
      return missing(`extension of "${value}": proto3 has none`);
    case 'list_services':
      return { services };
  }
}

/** The file and all it needs, itself first. */
function withImports(file: File, files: readonly File[]): readonly Uint8Array[] {
  const wanted = [file];
  for (const { imports } of wanted) {
    wanted.push(...files.filter((other) => imports.includes(other.name) && !wanted.includes(other)));
  }
  return wanted.map(({ bytes }) => bytes);
}

/** @returns undefined for bytes that are none */
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

/** ServerReflectionResponse: the request goes back as it came. */
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

/** A file descriptor, and what can be asked for in it. */
interface File {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly imports: readonly string[];
  readonly symbols: ReadonlySet<string>;
}

/** Where descriptor.proto has things with a name (its field 1), by the field that holds them. */
const inside = {
  file: { 4: 'message', 5: 'enum', 6: 'service', 7: 'leaf' },
  message: { 2: 'leaf', 3: 'message', 4: 'enum', 6: 'leaf', 8: 'leaf' },
  enum: { 2: 'leaf' },
  service: { 2: 'leaf' },
  leaf: {},
} as const satisfies { readonly [holder: string]: { readonly [field: number]: string } };
type Holder = keyof typeof inside;

function fileOf(bytes: Uint8Array): File {
  const texts = (field: number): readonly string[] =>
    [...parts(bytes)].filter((part) => part.field === field).map(({ content }) => text(content));
  const symbols = new Set<string>();
  collect('file', bytes, texts(2)[0] ?? '', symbols);
  return { bytes, name: texts(1)[0] ?? '', imports: texts(3), symbols };
}

/** Adds what `bytes` declares; the values of an enum are its siblings, as protobuf has it. */
function collect(holder: Holder, bytes: Uint8Array, scope: string, into: Set<string>): void {
  const fields: { readonly [field: number]: Holder } = inside[holder];
  for (const { field, content } of parts(bytes)) {
    const kind = fields[field];
    if (kind === undefined) continue;
    const name = scope === '' ? named(content) : `${scope}.${named(content)}`;
    into.add(name);
    collect(kind, content, kind === 'enum' ? scope : name, into);
  }
}

/** The length-delimited fields of a message. @throws RangeError or Error when the bytes are none */
function* parts(bytes: Uint8Array): Generator<{ readonly field: number; readonly content: Uint8Array }> {
  const reader = protobuf.Reader.create(asBuffer(bytes));
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 0) throw new Error('expected a field; field number 0 came');
    if ((tag & 7) === 2) yield { field: tag >>> 3, content: reader.bytes() };
    else reader.skipType(tag & 7);
  }
}

/** Field 1 of a message, which is a text. */
function named(bytes: Uint8Array): string {
  const last = [...parts(bytes)].findLast(({ field }) => field === 1);
  return last === undefined ? '' : text(last.content);
}

/** UTF-8, strictly. @throws TypeError on what is none */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const text = (bytes: Uint8Array): string => strict.decode(bytes);
