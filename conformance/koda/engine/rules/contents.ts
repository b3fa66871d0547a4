/** KODA-87: the contents of a turn are those that its directive orders. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { Action, EngineEvent, Question, Step, Tool } from '../../../../src/koda/index.ts';
import { turnRule } from '../../shared/rules/session-rule.ts';
import { textKept } from '../../shared/turn.ts';
import type { Session } from '../../shared/session.ts';
import type { Call, OutputLine, Turn } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { canonical } from './canonical.ts';
import { orderedTools, orders, toolOf } from './orders.ts';
import { awaitsResult, mayBeStopped } from './pauses.ts';

/** What was ordered, and what came in its place. */
interface Difference {
  readonly of: string;
  readonly ordered: string;
  readonly came: string;
}

const areAsOrdered = turnRule({
  requirement: 'KODA-87',
  listens: [
    'event.tool_call_start',
    'event.tool_call_result',
    'event.approval_request',
    'event.action_blocked',
    'event.ask_user_request',
    'event.turn_end',
  ],
  step(event, turn, session): Findings {
    if (turn.prompt?.steps === undefined || turn.interrupted !== undefined) return undefined;
    const message = engineEvent(event);
    const isDone = message.type === 'turn_end' && isWhole(turn, message);
    const difference = isDone ? differenceOfTurn(turn, session) : differenceOf(message, turn);
    if (difference === undefined) return isDone ? exercised(event) : undefined;
    const { of, ordered, came } = difference;
    return violated(
      event,
      `expected ${of} ${inShort(ordered)}, as the directive orders; came ${came === '' ? 'nothing' : inShort(came)}`,
    );
  },
});

const inShort = (text: string): string => JSON.stringify(text).slice(0, 80);

/** Whether all of a directive was done: nothing cut the turn short, and it is certain which prompt it belongs to. */
const isWhole = (turn: Turn, { reason }: Extract<EngineEvent, { type: 'turn_end' }>): boolean =>
  reason.kind === 'complete' &&
  turn.warned === undefined &&
  turn.error === undefined &&
  turn.pauses.length === 0 &&
  !mayBeStopped(turn) &&
  !awaitsResult(turn) &&
  turn.prompt?.queued === false;

/** The difference in an event that has its content alone. */
function differenceOf(message: EngineEvent, turn: Turn): Difference | undefined {
  const tools = orderedTools(turn);
  switch (message.type) {
    case 'tool_call_start': {
      const all = tools.filter(({ name }) => name === message.name).map(({ args }) => canonical(args ?? {}));
      return compare('args', all, canonical(message.args));
    }
    case 'tool_call_result': {
      const call = turn.calls.get(message.id);
      const tool = call === undefined || call.state !== 'running' ? undefined : toolOf(turn, call);
      // KODA-73 and 84 judge answers.
      if (tool === undefined || tool.ask !== undefined) return undefined;
      return compare('the output', [tool.output], message.output);
    }
    case 'approval_request':
    case 'action_blocked': {
      const member = message.type === 'approval_request' ? 'approval' : 'blocked';
      const all = tools.filter(({ name }) => name === message.tool_name).map((tool) => tool[member]);
      return (
        compare(
          'the detail',
          all.map((action) => action?.detail),
          message.detail,
        ) ?? compare('the preview', all.map(previewOf), canonical(message.preview))
      );
    }
    case 'ask_user_request': {
      const all = tools.flatMap(({ ask }) => ask ?? []);
      return (
        compare(
          'the question',
          all.map((ask) => ask.question),
          message.question,
        ) ?? compare('the options', all.map(optionsOf), canonical(message.options))
      );
    }
    default:
      return undefined;
  }
}

const previewOf = (action: Action | undefined): string | undefined =>
  action?.preview === undefined ? undefined : canonical(action.preview);

const optionsOf = ({ options }: Question): string | undefined =>
  options === undefined ? undefined : canonical(options);

/** A content is that of a tool, where all tools have one. Blanks around it do not matter. */
function compare(of: string, all: readonly (string | undefined)[], came: string): Difference | undefined {
  const ordered = all.filter((text) => text !== undefined);
  const [first] = ordered;
  if (first === undefined || ordered.length < all.length) return undefined;
  return ordered.some((text) => text.trim() === came.trim()) ? undefined : { of, ordered: first, came };
}

/** The first difference in the thoughts, the text and the calls of a turn. */
function differenceOfTurn(turn: Turn, { ran, prompts }: Session): Difference | undefined {
  // KODA-65 and 76 judge the turn of another prompt.
  if (
    [...ran, ...prompts].some(
      (prompt) => prompt !== turn.prompt && prompt.ordered === turn.said && turn.said !== '',
    )
  )
    return undefined;
  const steps = turn.prompt?.steps ?? [];
  return (
    // Thoughts may be hidden.
    (turn.thought === ''
      ? undefined
      : differenceOfPieces('the thoughts', piecesOf(steps, 'think'), turn.thought)) ??
    differenceOfPieces('the text', piecesOf(steps, 'say'), turn.said) ??
    differenceOfCalls(turn) ??
    missingStep(turn)
  );
}

/** The pieces of a text that a directive orders, without those that are blank. */
const piecesOf = (steps: readonly Step[], name: 'think' | 'say'): string =>
  steps
    .flatMap((step) =>
      name === 'think' && 'think' in step ? step.think : name === 'say' && 'say' in step ? step.say : [],
    )
    .filter((piece) => piece.trim() !== '')
    .join('');

/** A step of a directive that left nothing in the turn. */
function missingStep(turn: Turn): Difference | undefined {
  if (turn.caps.length < orders(turn, 'loop_cap').length)
    return { of: 'a loop_cap_reached for each', ordered: 'loop_cap', came: '' };
  const failure = orders(turn, 'error').find(({ error }) => error.fatal !== true);
  return failure !== undefined && turn.error === undefined
    ? { of: 'an error event', ordered: failure.error.message, came: '' }
    : undefined;
}

/** Only the beginning of a text is kept. */
function differenceOfPieces(of: string, ordered: string, came: string): Difference | undefined {
  if (ordered === '' || ordered.length >= textKept || ordered.trim() === came.trim()) return undefined;
  return { of, ordered, came };
}

function differenceOfCalls(turn: Turn): Difference | undefined {
  const calls = [...turn.calls.values()];
  const tools = orderedTools(turn);
  const next = tools[turn.names.length];
  if (next !== undefined && turn.names.every((name, i) => name === tools[i]?.name))
    return { of: 'a tool_call_start of', ordered: next.name, came: '' };
  if (calls.length !== tools.length) return undefined;
  const other = calls.find((call) => isOfOtherTool(call, tools));
  if (other !== undefined)
    return {
      of: `call ${other.id} to be of`,
      ordered: tools.map(({ name }) => name).join(', '),
      came: other.name,
    };
  for (const call of calls) {
    const difference = differenceOfCall(turn, call);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** A sub-agent may call what it wants. The start of a call may be lost. */
const isOfOtherTool = ({ name, isSubAgent }: Call, tools: readonly Tool[]): boolean =>
  name !== '' && !isSubAgent && tools.every((tool) => tool.name !== name);

/** A call that was run has its lines and its result. */
function differenceOfCall(turn: Turn, call: Call): Difference | undefined {
  const tool = toolOf(turn, call);
  const { state, stopped, unclear, isSubAgent, lines } = call;
  // KODA-36: a call that was rejected or blocked, or that a sub-agent made, may have no result.
  if (tool === undefined || unclear || isSubAgent || stopped !== undefined) return undefined;
  if (state === 'running') return missingOfCall(tool, call);
  const ordered = (tool.lines ?? []).map(([text, isStderr]) => ({ text, isStderr }));
  const [expected, came] = [linesInWords(ordered), linesInWords(lines)];
  return expected === came ? undefined : { of: `the lines of call ${call.id}`, ordered: expected, came };
}

/** What is missing of a call without a result. KODA-73 and 84 judge the result of a call that asked. */
function missingOfCall(tool: Tool, { id, asked, questioned }: Call): Difference | undefined {
  const { blocked, approval, ask, output = 'ok' } = tool;
  const lacks = (of: string, ordered = tool.name): Difference => ({
    of: `${of} of call ${id}`,
    ordered,
    came: '',
  });
  if (blocked !== undefined) return lacks('an action_blocked', blocked.detail);
  if (approval !== undefined && !asked) return lacks('an approval_request', approval.detail);
  if (ask !== undefined) return questioned ? undefined : lacks('an ask_user_request', ask.question);
  return lacks('a result', output);
}

/** The lines of a call: their order and a line break at their end are judged by KODA-71 and KODA-70. */
const linesInWords = (lines: readonly OutputLine[]): string =>
  lines
    .map(({ text, isStderr }) => `${isStderr ? 'stderr' : 'stdout'}: ${text.replace(/\n$/u, '')}`)
    .toSorted()
    .join('; ');

export const contentRules: readonly Rule<KodaView>[] = [areAsOrdered];
