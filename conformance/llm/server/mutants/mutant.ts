/** Makes mutant servers: the reference server with one fault in its input or output. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type {
  Json,
  JsonObject,
  Metadata,
  PeerCommand,
  RoleInput,
  RoleOutput,
} from '../../../../src/kit/base/index.ts';
import { intercepted } from '../../../../src/kit/suite/index.ts';
import type { Faults, Mutant, RoleFault } from '../../../../src/kit/suite/index.ts';
import { Sent, dialectOf, frameUnit } from '../../../../src/llm/index.ts';
import type { Asked, DialectName, Unit } from '../../../../src/llm/index.ts';
import { purposeOf, socketDialect } from '../asked.ts';
import type { Purpose } from '../asked.ts';
import { hosted, referenceRole } from '../target.ts';
import { witnessMark } from '../witness.ts';

type Command = PeerCommand<Sent>;
type Input = RoleInput<Asked, Command>;
type Output = RoleOutput<Sent>;

/** The state of the current exchange, for a fault. */
export interface FaultContext {
  readonly peer: string;
  readonly dialect: DialectName;
  readonly what: Purpose['what'];
  /** How the request shares its connection. */
  readonly connection: string | undefined;
  /** Whether it is on a WebSocket. */
  readonly socket: boolean;
  /** Whether the answer is a stream. */
  streams: boolean;
  /** The status of the answer; 0 before it has one. */
  status: number;
  /** The body of the request, or the last message on a WebSocket. */
  asked: JsonObject;
  /** The fault's own counters for this exchange. */
  readonly memory: Map<string, number>;
}

/** One fault. A new one is made for each run. */
export interface ServerFault {
  /** Changes the head of an answer. */
  readonly headers?: (headers: Metadata, context: FaultContext) => Metadata;
  /** Replaces a unit, a WebSocket message with its envelope, or a whole body. */
  readonly unit?: (unit: Unit, context: FaultContext) => readonly Unit[];
  /** Changes the bytes of a unit. */
  readonly bytes?: (bytes: Uint8Array, context: FaultContext) => Uint8Array;
  /** Replaces the body of a request, or a WebSocket message. */
  readonly asked?: (body: JsonObject, context: FaultContext) => readonly JsonObject[];
  /** Whether the server hears that a client has left. Default true. */
  readonly hears?: (context: FaultContext) => boolean;
  /** Replaces the page of the witness. */
  readonly witness?: (page: string) => Json;
  /** Replaces the end of an answer. */
  readonly close?: (close: Extract<Output, { type: 'close' }>, context: FaultContext) => readonly Output[];
}

/** Faults by the ids of their mutants. */
export type ServerFaults = Faults<ServerFault>;

/** Makes the reference server with a fault. */
export const serverWith =
  (fault: ServerFault): Mutant['make'] =>
  (options) =>
    hosted(intercepted(referenceRole(options), () => roleFault(fault)));

/** Adapts the fault to the kit's interceptor, with a context for each exchange. */
function roleFault(fault: ServerFault): RoleFault<unknown, Asked, Sent, Command> {
  const contexts = new Map<string, FaultContext>();
  const witnesses = new Set<string>();
  return {
    input(input) {
      if (input.type === 'opened' && input.metadata[witnessMark] !== undefined) witnesses.add(input.peer);
      if (input.type === 'opened') begin(contexts, input);
      return received(fault, contexts, input);
    },
    output: (output) =>
      'peer' in output && witnesses.has(output.peer)
        ? [witnessed(fault, output)]
        : sent(fault, contexts, output),
  };
}

function begin(
  contexts: Map<string, FaultContext>,
  { peer, metadata }: Extract<Input, { type: 'opened' }>,
): void {
  const dialect = socketDialect(metadata);
  const purpose =
    dialect === undefined ? purposeOf(metadata[':path'] ?? '') : ({ dialect, what: 'answer' } as const);
  if (purpose === undefined) return;
  contexts.set(peer, {
    peer,
    ...purpose,
    connection: metadata[':connection'],
    socket: dialect !== undefined,
    streams: dialect !== undefined,
    status: 0,
    asked: {},
    memory: new Map(),
  });
}

const hears = (fault: ServerFault, context: FaultContext | undefined): boolean =>
  context === undefined || (fault.hears?.(context) ?? true);

/** The page of the witness, as the fault shows it. */
function witnessed({ witness }: ServerFault, output: Output): Output {
  if (witness === undefined) return output;
  if (output.type === 'headers') {
    const { 'content-length': _, ...others } = output.metadata;
    return { ...output, metadata: others };
  }
  if (output.type !== 'send' || typeof output.message.data !== 'string') return output;
  const page = witness(output.message.data);
  const bytes = Buffer.from(typeof page === 'string' ? page : JSON.stringify(page));
  return { ...output, message: new Sent(bytes, { data: page }) };
}

function received(fault: ServerFault, contexts: Map<string, FaultContext>, input: Input): readonly Input[] {
  if (input.type === 'left') return hears(fault, contexts.get(input.peer)) ? [input] : [];
  const context = input.type === 'message' ? contexts.get(input.peer) : undefined;
  if (input.type !== 'message' || context === undefined || !isObject(input.message.body)) return [input];
  const { body } = input.message;
  context.asked = body;
  const message = (asked: JsonObject): Input => ({ ...input, message: { body: asked } });
  return (fault.asked?.(body, context) ?? [body]).map(message);
}

function sent(fault: ServerFault, contexts: Map<string, FaultContext>, output: Output): readonly Output[] {
  const context = 'peer' in output ? contexts.get(output.peer) : undefined;
  if (context === undefined) return [output];
  switch (output.type) {
    case 'headers':
      context.status = Number(output.metadata[':status']);
      context.streams = !/^application\/json\b/.test(output.metadata['content-type'] ?? '');
      return [{ ...output, metadata: headers(fault, output.metadata, context) }];
    case 'send':
      return editedUnits(fault, context, output.message).map((message) => ({ ...output, message }));
    case 'close':
      return fault.close?.(output, context) ?? [output];
    default:
      return [output];
  }
}

/** Removes content-length when the fault may change the body. */
function headers(fault: ServerFault, metadata: Metadata, context: FaultContext): Metadata {
  const { 'content-length': length, ...others } = fault.headers?.(metadata, context) ?? metadata;
  const kept = fault.unit === undefined && fault.bytes === undefined && length !== undefined;
  return kept ? { ...others, 'content-length': length } : others;
}

/** Units that were split are sent in one piece when the fault may change them. */
function editedUnits(fault: ServerFault, context: FaultContext, sent: Sent): readonly Sent[] {
  if (fault.unit === undefined && fault.bytes === undefined) return [sent];
  if (sent.piece !== undefined) return [];
  const { event, data, comment } = sent;
  const unit: Unit =
    comment === undefined
      ? { ...(event === undefined ? {} : { event }), data: data ?? null }
      : { data: comment, comment: true };
  const framing = context.streams && !context.socket ? dialectOf[context.dialect].framing : 'json';
  return (fault.unit?.(unit, context) ?? [unit]).map((changed) => {
    const bytes = frameUnit(framing, changed, 'lf');
    return new Sent(fault.bytes?.(bytes, context) ?? bytes, changed);
  });
}

/** The kind of a unit, in the words of its dialect. For LM Studio it is the kind of the message in the envelope. */
export function kindOf({ event, data, comment }: Unit, { dialect }: FaultContext): string {
  if (comment === true) return 'comment';
  if (data === '[DONE]') return data;
  if (!isObject(data)) return '';
  if (dialect === 'ollama') return data['done'] === true ? 'done' : 'line';
  if (dialect === 'openai-chat') return chatKind(data);
  if (dialect === 'gemini') return geminiKind(data);
  if (dialect === 'bedrock' || dialect === 'gemini-interactions') return event ?? '';
  const inner = dialect === 'lmstudio' && isObject(data['message']) ? data['message'] : data;
  return typeof inner['type'] === 'string' ? inner['type'] : '';
}

function chatKind({ choices, error }: Record<string, unknown>): string {
  if (error !== undefined) return 'error';
  const [choice] = isArray(choices) ? choices : [];
  if (choice === undefined) return 'usage';
  return isObject(choice) && choice['finish_reason'] !== null ? 'finish' : 'chunk';
}

function geminiKind({ candidates, error }: Record<string, unknown>): string {
  if (error !== undefined) return 'error';
  const [candidate] = isArray(candidates) ? candidates : [];
  return isObject(candidate) && candidate['finishReason'] !== undefined ? 'finish' : 'chunk';
}

/** Whether the units of an exchange belong to a streamed answer. */
export const isStreamedAnswer = ({ what, streams, status, socket }: FaultContext): boolean =>
  what === 'answer' && streams && (socket || status === 200);

/** Replaces a unit; undefined: no change. */
export type UnitEdit = (unit: Unit, context: FaultContext) => readonly Unit[] | undefined;

/**
 * A fault in units of some kinds, in streams of one dialect. `edit` returns the replacement, or undefined for no
 * change.
 */
export const unitFault =
  (dialect: DialectName, kinds: string | RegExp, edit: UnitEdit): NonNullable<ServerFault['unit']> =>
  (unit, context) => {
    if (context.dialect !== dialect || !isStreamedAnswer(context)) return [unit];
    const kind = kindOf(unit, context);
    const meant = typeof kinds === 'string' ? kind === kinds : kinds.test(kind);
    return (meant ? edit(unit, context) : undefined) ?? [unit];
  };

/** A fault in the units of a dialect's streams; see {@link unitFault}. */
export const inUnits = (dialect: DialectName, kinds: string | RegExp, edit: UnitEdit): ServerFault => ({
  unit: unitFault(dialect, kinds, edit),
});

/** Counts up a counter of the exchange, from 1. */
export function countUp({ memory }: FaultContext, name: string): number {
  const count = (memory.get(name) ?? 0) + 1;
  memory.set(name, count);
  return count;
}

/** A copy of JSON with another value at a path. `undefined` removes the value. An absent value is not added. */
export function withValueAt(value: Json, path: readonly (string | number)[], other: Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined) return other ?? null;
  if (Array.isArray(value)) {
    const list: readonly Json[] = value;
    return list.map((item, i) => (i === name ? withValueAt(item, rest, other) : item));
  }
  if (!isObject(value)) return value;
  const object: JsonObject = value;
  if (rest.length === 0 && other === undefined)
    return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  if (rest.length > 0 && object[name] === undefined) return object;
  return {
    ...object,
    [name]: rest.length === 0 ? (other ?? null) : withValueAt(object[name] ?? null, rest, other),
  };
}

/** A copy of a unit with another value at a path of its data. */
export const withUnitValue = (
  unit: Unit,
  path: readonly (string | number)[],
  other: Json | undefined,
): Unit => ({
  ...unit,
  data: withValueAt(unit.data, path, other),
});

/** The value at a path of a unit's data. */
export function valueOf({ data }: Unit, ...path: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = data;
  for (const name of path) {
    if (isArray(value)) value = value[Number(name)];
    else value = isObject(value) ? value[name] : undefined;
  }
  return value;
}

/** Combines faults: each gets the output of the one before. */
export const combineFaults =
  (...faults: readonly NonNullable<ServerFault['unit']>[]): NonNullable<ServerFault['unit']> =>
  (unit, context) =>
    faults.reduce<readonly Unit[]>((all, fault) => all.flatMap((one) => fault(one, context)), [unit]);
