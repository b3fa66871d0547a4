/** Reads one turn of a script. */
import { contentOf } from '../streamer/generation-plan.ts';
import { placeOf } from '../dialects/shared/json-scan.ts';
import { offeredTool } from '../streamer/sample.ts';
import { isContent, jsonPlaces, lineEnds, scriptLimits, turnDefaults } from './script.ts';
import type { Chunk, ContentStep, Cut, CutAt, Match, Offset, Split, Step, ScriptTurn } from './script.ts';
import { defined } from './read.ts';
import type { DocumentCursor } from './read.ts';
import { mostCount, offset, stepsOf } from './steps.ts';
import { dialects, signals, transportEnds } from '../messages.ts';
import type { Variants } from '../messages.ts';
import { byteLength, charLength } from '../dialects/shared/utf8.ts';

const keys: readonly string[] =
  'match times steps chunk delay jitter cut limit signal transport split lines pings variants'.split(' ');

/** Most bytes or units of one piece or one write. */
const mostSize = 1_048_576;

/** Reads a turn; what it does not say is as in {@link turnDefaults}. */
export function turnOf(place: DocumentCursor): ScriptTurn {
  place.object(keys, ['steps']);
  const stepPlaces = place.at('steps').list(1, scriptLimits.steps, 'steps');
  const steps = stepsOf(stepPlaces);
  const chunk = place.maybe('chunk', chunkOf) ?? turnDefaults.chunk;
  const turn: ScriptTurn = {
    ...turnDefaults,
    steps,
    chunk,
    ...defined({
      match: place.maybe('match', matchOf),
      times: place.maybe('times', timesOf),
      delay: place.maybe('delay', (time) => time.time()),
      jitter: place.maybe('jitter', (time) => time.time()),
      cut: place.maybe('cut', cutOf),
      limit: place.maybe('limit', (n) => n.integer(1, mostCount)),
      signal: place.maybe('signal', (word) => word.oneOf(signals, 'honest')),
      transport: place.maybe('transport', (word) => word.oneOf(transportEnds, 'clean')),
      split: place.maybe('split', splitOf) ?? (chunk === 'byte' ? chunk : undefined),
      lines: place.maybe('lines', (word) => word.oneOf(lineEnds, 'lf')),
      pings: place.maybe('pings', (n) => n.integer(0, mostCount)),
      variants: place.maybe('variants', variantsOf),
    }),
  };
  if (place.fault === undefined) checkPlaces(turn, stepPlaces, place.at('cut'));
  return turn;
}

function matchOf(place: DocumentCursor): Match {
  place.object(['dialect', 'model', 'contains', 'tool_result', 'stream', 'tools']);
  return defined({
    dialect: place.maybe('dialect', (word) => word.oneOf(dialects, 'anthropic')),
    model: place.maybe('model', (model) => model.line()),
    contains: place.maybe('contains', (text) => text.content()),
    toolResult: place.maybe('tool_result', (name) => name.line()),
    stream: place.maybe('stream', (stream) => stream.boolean()),
    tools: place.maybe('tools', (tools) => tools.list(0, 1000, 'names').map((name) => name.line())),
  });
}

const timesOf = (place: DocumentCursor): number | 'always' =>
  typeof place.value === 'string' ? place.oneOf(['always'], 'always') : place.integer(1, mostCount);

function chunkOf(place: DocumentCursor): Chunk {
  if (typeof place.value === 'string') return place.oneOf(['token', 'char', 'byte'], 'token');
  return sizeOf(place);
}

function splitOf(place: DocumentCursor): Split {
  if (typeof place.value === 'string') return place.oneOf(['byte', 'utf8', 'lines'], 'byte');
  return sizeOf(place);
}

function sizeOf(place: DocumentCursor): { readonly size: number } {
  place.object(['size'], ['size']);
  return { size: place.at('size').integer(1, mostSize) };
}

function cutOf(place: DocumentCursor): Cut {
  place.object(['step', 'at'], ['step', 'at']);
  return { step: place.at('step').integer(0, scriptLimits.steps), at: cutAtOf(place.at('at')) };
}

function cutAtOf(place: DocumentCursor): CutAt {
  if (!place.has('json')) return offset(place);
  place.object(['json', 'nth']);
  return {
    json: place.at('json').oneOf(jsonPlaces, 'inside-key'),
    nth: place.maybe('nth', (n) => n.integer(0, mostCount)) ?? 0,
  };
}

function variantsOf(place: DocumentCursor): Variants {
  const known = ['ollama', 'lmstudio', 'block_stop', 'arguments_done', 'item_status', 'responses_error'];
  place.object([...known, 'reasoning', 'obfuscation', 'interleaved']);
  const flag = (key: string): boolean | undefined => place.maybe(key, (value) => value.boolean());
  const word = <W extends string>(key: string, words: readonly [W, ...W[]]): W | undefined =>
    place.maybe(key, (value) => value.oneOf(words, words[0]));
  return defined({
    ollama: word('ollama', ['dropped', 'leaked', 'flushed', 'error-line', 'error-500']),
    lmstudio: word('lmstudio', ['nothing', 'failed']),
    blockStop: flag('block_stop'),
    argumentsDone: flag('arguments_done'),
    itemStatus: word('item_status', ['incomplete', 'in_progress']),
    responsesError: word('responses_error', ['flat', 'nested', 'failed']),
    reasoning: word('reasoning', ['none', 'reasoning_content', 'reasoning']),
    obfuscation: flag('obfuscation'),
    interleaved: flag('interleaved'),
  });
}

/** Refuses places that are not in the texts that they speak of, and what cannot follow a cut. */
function checkPlaces(
  { steps, cut }: ScriptTurn,
  stepPlaces: readonly DocumentCursor[],
  cutPlace: DocumentCursor,
): void {
  let before: ContentStep | undefined;
  for (const [i, step] of steps.entries()) {
    if (isContent(step)) before = step;
    else if (step.do === 'barrier' && step.at !== undefined && before !== undefined && isKnown(before))
      checkOffset(step.at, contentOf(before), stepPlaces[i] ?? cutPlace);
  }
  if (cut !== undefined) checkCut(cut, steps, cutPlace);
}

/** Whether its text is written: arguments of a tool that is only offered later are not. */
const isKnown = (step: ContentStep): boolean => step.do !== 'tool_call' || step.name !== offeredTool;

function checkOffset(at: Offset, text: string, place: DocumentCursor): void {
  if ('byte' in at && at.byte > byteLength(text))
    place.refuse('bad-place', `at most byte ${byteLength(text)}, the length of the step`, `${at.byte}`);
  if ('char' in at && at.char > charLength(text))
    place.refuse('bad-place', `at most character ${charLength(text)}, the length of the step`, `${at.char}`);
}

function checkCut({ step, at }: Cut, steps: readonly Step[], place: DocumentCursor): void {
  const content = steps.filter(isContent);
  const target = content[step];
  if (target === undefined)
    return place.at('step').refuse('bad-place', `a content step below ${content.length}, counted from 0`);
  if (isKnown(target)) checkCutPlace(target, at, place);
  if (steps.some((other) => other.do === 'stop' && other.reason === 'tool_use'))
    place.refuse('bad-order', 'no stop with tool_use after a cut (signal: lying says it)', 'one');
}

function checkCutPlace(target: ContentStep, at: CutAt, place: DocumentCursor): void {
  if (!('json' in at)) checkOffset(at, contentOf(target), place.at('at'));
  else if (target.do !== 'tool_call')
    place.at('at').refuse('bad-place', 'a byte, char or token: only a tool_call has JSON places', target.do);
  else if (placeOf(target.arguments, at.json, at.nth) === undefined)
    place.at('at').refuse('bad-place', `a place ${at.json} (nth: ${at.nth}) in its arguments`, 'none there');
}
