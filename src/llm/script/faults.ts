/** Faults of a script beyond its shape: sizes, text that is not Unicode, the order of steps, places in texts. */
import { inWords, isObject } from '../../kit/base/index.ts';
import type { Violation } from '../../kit/base/index.ts';
import { placeOf } from '../dialects/shared/json-scan.ts';
import { offeredTool } from './sample.ts';
import { byteLength, charLength, isWellFormed } from '../dialects/shared/utf8.ts';
import { patternOf } from './document.ts';
import type { ScriptDocument, StepDocument } from './document.ts';
import { contentOf, isContent, scriptLimits } from './script.ts';
import type { ContentStep, Offset, Script, ScriptTurn, Step } from './script.ts';

/** Why a script is refused. */
export type ScriptFault =
  /** The wrong kind of value, an unknown key, or a missing one. */
  | 'bad-shape'
  /** The right kind, but out of range or an unknown word. */
  | 'bad-value'
  /** Text of another form: half a surrogate pair, or a line end where one line is expected. */
  | 'bad-text'
  /** A step that must not be at this place. */
  | 'bad-order'
  /** A place that a text does not have. */
  | 'bad-place'
  /** More than `scriptLimits` allow. */
  | 'too-large';

export const refusal = (code: ScriptFault, path: string, expected: string, came: string): Violation => ({
  code,
  path,
  message: `expected ${expected}; came ${came}`,
});

/** Most values in one input: through aliases, a few lines of YAML can mean billions. */
const mostValues = 1_000_000;

/** Faults of a document's texts and sizes. */
export function* contentFaults(document: ScriptDocument): Generator<Violation> {
  let [bytes, steps] = [0, 0];
  for (const [path, text] of textsIn(document, '')) {
    if (!isWellFormed(text)) yield refusal('bad-text', path, 'Unicode text', 'half of a surrogate pair');
    bytes += byteLength(text);
  }
  for (const [t, turn] of document.turns.entries()) {
    steps += turn.steps.length;
    yield* patternFaults(turn.match?.['pattern'], `turns[${t}].match.pattern`);
    if (steps > scriptLimits.steps)
      yield refusal('too-large', `turns[${t}]`, `at most ${scriptLimits.steps} steps in a script`, 'more');
    for (const [s, step] of turn.steps.entries()) {
      const { text, tool_call: call, server_tool: tool } = step;
      const path = `turns[${t}].steps[${s}]`;
      yield* customFaults(call, `${path}.tool_call`);
      if (isObject(text)) bytes += text.fill?.bytes ?? 0;
      const values = {
        'tool_call.input': call?.input,
        'server_tool.input': tool?.input,
        'server_tool.result': tool?.result,
        provider_block: step.provider_block,
        provider_end: step.provider_end,
      };
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) continue;
        yield* inputFaults(value, `${path}.${name}`);
        bytes += byteLength(JSON.stringify(value));
      }
      if (bytes > scriptLimits.bytes)
        yield refusal('too-large', path, `at most ${scriptLimits.bytes} bytes of text in a script`, 'more');
    }
  }
}

/** The arguments of a custom call are a text of the script: no JSON, and not made from a schema. */
function* customFaults(call: StepDocument['tool_call'], path: string): Generator<Violation> {
  if (call?.custom !== true) return;
  if (call.arguments === undefined)
    yield refusal('bad-shape', path, 'a text in arguments, because a custom tool has no JSON input', 'input');
  if (call.name === offeredTool)
    yield refusal(
      'bad-value',
      `${path}.name`,
      'the name of a custom tool (* has arguments from a schema)',
      '*',
    );
}

function* patternFaults(pattern: unknown, path: string): Generator<Violation> {
  if (typeof pattern !== 'string') return;
  try {
    patternOf(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'none';
    yield refusal('bad-text', path, 'a regular expression, or /expression/flags', why);
  }
}

/** The members of steps that are any JSON. */
const jsonKeys: ReadonlySet<string> = new Set(['input', 'result', 'provider_block', 'provider_end']);

/** The texts of a document with their paths, except inputs and results of calls, and blocks of the provider. */
function* textsIn(value: unknown, path: string): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value))
    for (const [i, item] of value.entries()) yield* textsIn(item, `${path}[${i}]`);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value))
      if (!jsonKeys.has(key)) yield* textsIn(item, path === '' ? key : `${path}.${key}`);
}

/** Faults of a call's input: it must be JSON, and not too large. Goes level by level, without recursion. */
function* inputFaults(input: unknown, path: string): Generator<Violation> {
  let level = [input];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > scriptLimits.depth || values > mostValues)
      yield refusal(
        'too-large',
        path,
        `at most ${scriptLimits.depth} levels and ${mostValues} values`,
        'more',
      );
    const strange = level.find((value) => !isJson(value));
    if (strange !== undefined)
      yield refusal(
        'bad-shape',
        path,
        'JSON, with integers up to 2^53 (larger ones as arguments)',
        inWords(strange),
      );
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
}

/** A reader of YAML or JSON may have changed an integer beyond 2^53, so it is refused. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== 'object' || value === null)
    return value === null || typeof value === 'string' || typeof value === 'boolean';
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** Faults of the times of a script, the order of its steps, and its places in texts. */
export function* orderFaults({ turns }: Script): Generator<Violation> {
  for (const [t, turn] of turns.entries()) {
    const path = `turns[${t}]`;
    for (const key of ['delay', 'jitter'] as const) yield* timeFaults(turn[key], `${path}.${key}`);
    yield* stepFaults(turn.steps, `${path}.steps`);
    yield* cutFaults(turn, path);
  }
}

function* timeFaults(ms: number, path: string): Generator<Violation> {
  if (ms > scriptLimits.ms)
    yield refusal('too-large', path, 'a time in words up to 1h, such as 200ms or 2s', `${ms}ms`);
}

function* stepFaults(steps: readonly Step[], path: string): Generator<Violation> {
  let over: Step | undefined;
  let content: ContentStep | undefined;
  let held = 0;
  for (const [i, step] of steps.entries()) {
    const at = `${path}[${i}]`;
    if (over !== undefined && step.do !== 'usage')
      yield refusal('bad-order', at, `only usage after ${over.do}, which ends the turn`, step.do);
    if (isContent(step)) content = step;
    else if (step.do === 'wait') yield* timeFaults(step.ms, `${at}.wait`);
    else if (step.do === 'barrier' && step.at !== undefined) yield* heldFaults(content, step.at, ++held, at);
    else if (step.do === 'stop' || step.do === 'error') {
      over = step;
      yield* endFaults(step, i === 0, `${at}.${step.do}`);
    }
  }
}

function* heldFaults(
  step: ContentStep | undefined,
  at: Offset,
  held: number,
  path: string,
): Generator<Violation> {
  if (step === undefined)
    yield refusal('bad-order', path, 'a content step before a barrier inside one', 'none');
  else yield* offsetFaults(at, step, path);
  if (held > scriptLimits.places)
    yield refusal(
      'too-large',
      path,
      `at most ${scriptLimits.places} barriers inside the steps of a turn`,
      'more',
    );
}

function* endFaults(
  step: Extract<Step, { do: 'stop' | 'error' }>,
  isFirst: boolean,
  path: string,
): Generator<Violation> {
  if (step.do === 'error') {
    const { status, retryAfter = 0, retryAfterMs = retryAfter * 1000 } = step.error;
    yield* timeFaults(retryAfterMs, `${path}.retry_after`);
    if (isFirst && status === undefined)
      yield refusal('bad-shape', path, 'a status (400 to 599) for an error before the stream', 'none');
  } else if ((step.reason === 'stop_sequence') !== (step.sequence !== undefined))
    yield refusal(
      'bad-shape',
      path,
      'an object with reason and sequence for stop_sequence, and a sequence for no other reason',
      step.reason,
    );
}

/** Whether the text of a step is known: the arguments of `*` are made from the tool that the request offers. */
const isKnown = (step: ContentStep): boolean => step.do !== 'tool_call' || step.name !== offeredTool;

function* offsetFaults(at: Offset, step: ContentStep, path: string): Generator<Violation> {
  if (!isKnown(step)) return;
  const text = contentOf(step);
  if ('byte' in at) yield* beyond(at.byte, byteLength(text), 'byte', path);
  else if ('char' in at) yield* beyond(at.char, charLength(text), 'character', path);
}

function* beyond(n: number, length: number, unit: string, path: string): Generator<Violation> {
  if (n > length)
    yield refusal('bad-place', path, `at most ${unit} ${length}, the length of the step`, `${n}`);
}

function* cutFaults({ steps, cut }: ScriptTurn, path: string): Generator<Violation> {
  if (cut === undefined) return;
  const content = steps.filter(isContent);
  const { step, at } = cut;
  const target = content[step];
  if (target === undefined)
    yield refusal(
      'bad-place',
      `${path}.cut.step`,
      `a content step below ${content.length}, counted from 0`,
      `${step}`,
    );
  else if (!('json' in at)) yield* offsetFaults(at, target, `${path}.cut.at`);
  else if (target.do !== 'tool_call' || target.custom === true)
    yield refusal(
      'bad-place',
      `${path}.cut.at`,
      'a byte, char or token: only a tool_call has JSON places, and a custom one has none',
      target.do === 'tool_call' ? 'a custom tool_call' : target.do,
    );
  else if (isKnown(target) && placeOf(target.arguments, at.json, at.nth) === undefined)
    yield refusal(
      'bad-place',
      `${path}.cut.at`,
      `a place ${at.json} (nth: ${at.nth}) in its arguments`,
      'none',
    );
  if (steps.some((other) => other.do === 'stop' && other.reason === 'tool_use'))
    yield refusal(
      'bad-order',
      `${path}.cut`,
      'no stop with tool_use after a cut (signal: lying says it)',
      'tool_use',
    );
}
