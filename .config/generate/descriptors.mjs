// From .proto files to the FileDescriptorProtos that server reflection hands out, byte for byte as protoc writes
// them. protobufjs' own toDescriptor leaves out imports and proto3_optional, and misnames the entries of maps.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';

// The enums FieldDescriptorProto.Type and Label, as far as our files use them.
const types = { int64: 3, int32: 5, bool: 8, string: 9, message: 11, bytes: 12, enum: 14 };
const labels = { optional: 1, repeated: 3 };

/** Files of one package each, a file after those it imports. */
export async function generateDescriptors({ protos, out }) {
  const root = new protobuf.Root();
  const parsed = protos.map((path) => {
    const { package: name, imports = [] } = protobuf.parse(readFileSync(path, 'utf8'), root, {
      keepCase: true,
    });
    return { path, name, imports };
  });
  root.resolveAll();
  const lines = parsed.map((file) => {
    const bytes = Buffer.from(descriptor.FileDescriptorProto.encode(fileOf(root, file)).finish());
    return `  // ${basename(file.path)}\n  '${bytes.toString('base64')}',\n`;
  });
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(
    out,
    `// Generated from ${protos.join(' and ')} by the build. Do not edit.
/** The FileDescriptorProto of each file; a file comes after those it imports. */
export const fileDescriptors: readonly Uint8Array[] = [
${lines.join('')}].map((base64) => Buffer.from(base64, 'base64'));
`,
  );
}

function fileOf(root, { path, name, imports }) {
  const inside = root.lookup(name).nestedArray;
  const of = (kind) => inside.filter((o) => o instanceof kind);
  return {
    name: basename(path),
    package: name,
    dependency: imports,
    messageType: of(protobuf.Type).map(messageOf),
    enumType: of(protobuf.Enum).map(enumOf),
    service: of(protobuf.Service).map(serviceOf),
    syntax: 'proto3',
  };
}

const isSynthetic = (oneof) => oneof.fieldsArray.some((f) => f.options?.proto3_optional);

function messageOf(type) {
  if (type.nestedArray.length > 0) throw new Error(`${type.fullName}: types within types are not supported`);
  const oneofs = type.oneofsArray.filter((o) => !isSynthetic(o)).concat(type.oneofsArray.filter(isSynthetic));
  return {
    name: type.name,
    field: type.fieldsArray.map((f) => fieldOf(f, oneofs)),
    nestedType: type.fieldsArray.filter((f) => f.map).map(entryOf),
    oneofDecl: oneofs.map((o) => ({ name: o.name })),
  };
}

function fieldOf(f, oneofs) {
  return {
    name: f.name,
    number: f.id,
    label: f.map || f.repeated ? labels.repeated : labels.optional,
    jsonName: camel(f.name),
    ...(f.map ? { type: types.message, typeName: `${f.parent.fullName}.${entryName(f)}` } : typeOf(f)),
    ...(f.partOf && { oneofIndex: oneofs.indexOf(f.partOf) }),
    ...(f.options?.proto3_optional && { proto3Optional: true }),
  };
}

function typeOf(f) {
  if (f.resolvedType === null) {
    if (types[f.type] === undefined) throw new Error(`${f.fullName}: no number for the type ${f.type}`);
    return { type: types[f.type] };
  }
  const type = f.resolvedType instanceof protobuf.Enum ? types.enum : types.message;
  return { type, typeName: f.resolvedType.fullName };
}

/** A map is a repeated message of its entries. */
function entryOf(f) {
  const field = (name, number, type) => ({
    name,
    number,
    label: labels.optional,
    type: types[type],
    jsonName: name,
  });
  if (f.resolvedType !== null) throw new Error(`${f.fullName}: only maps of scalars are supported`);
  return {
    name: entryName(f),
    field: [field('key', 1, f.keyType), field('value', 2, f.type)],
    options: { mapEntry: true },
  };
}

const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const entryName = (f) => camel(`_${f.name}_entry`);

const enumOf = (e) => ({
  name: e.name,
  value: Object.entries(e.values).map(([name, number]) => ({ name, number })),
});

const serviceOf = (s) => ({
  name: s.name,
  method: s.methodsArray.map((m) => ({
    name: m.name,
    inputType: m.resolvedRequestType.fullName,
    outputType: m.resolvedResponseType.fullName,
    ...(m.requestStream ? { clientStreaming: true } : {}),
    ...(m.responseStream ? { serverStreaming: true } : {}),
  })),
});
