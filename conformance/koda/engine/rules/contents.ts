/** KODA-87: the contents of a turn are those that its directive orders. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { EngineEvent, Step } from '../../../../src/koda/index.ts';
import { turnRule } from '../../shared/rules/session-rule.ts';
import { textKept } from '../../shared/turn.ts';
import type { Session } from '../../shared/session.ts';
import type { Call, OutputLine, Turn } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { orderedTools, toolOf } from './orders.ts';
import { mayBeStopped } from './pauses.ts';

/** What was ordered, and what came in its place. */
interface Difference {
  readonly of: string;
  readonly ordered: string;
  readonly came: string;
}

const areAsOrdered = turnRule({
  requirement: 'KODA-87',
  listens: [
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
      `expected ${of} ${inShort(ordered)}, as the directive orders; came ${inShort(came)}`,
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
  turn.prompt?.queued === false;

/** The difference in an event that has its content alone. */
function differenceOf(message: EngineEvent, turn: Turn): Difference | undefined {
  switch (message.type) {
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
      const tools = orderedTools(turn).filter(({ name }) => name === message.tool_name);
      return compare(
        'the detail',
        tools.map((tool) => tool[member]?.detail),
        message.detail,
      );
    }
    case 'ask_user_request':
      return compare(
        'the question',
        orderedTools(turn).map(({ ask }) => ask?.question),
        message.question,
      );
    default:
      return undefined;
  }
}

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
    differenceOfPieces('the thoughts', piecesOf(steps, 'think'), turn.thought) ??
    differenceOfPieces('the text', piecesOf(steps, 'say'), turn.said) ??
    differenceOfCalls(turn)
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

/** Thoughts may be hidden, and only the beginning of a text is kept. */
function differenceOfPieces(of: string, ordered: string, came: string): Difference | undefined {
  if (came === '' || ordered === '' || ordered.length >= textKept || ordered.trim() === came.trim())
    return undefined;
  return { of, ordered, came };
}

function differenceOfCalls(turn: Turn): Difference | undefined {
  const calls = [...turn.calls.values()];
  if (calls.length !== orderedTools(turn).length) return undefined;
  for (const call of calls) {
    const difference = differenceOfCall(turn, call);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** A call that was run has its lines and its result. */
function differenceOfCall(turn: Turn, call: Call): Difference | undefined {
  const tool = toolOf(turn, call);
  const { state, unclear, isSubAgent, lines } = call;
  // KODA-36: a call that was rejected or blocked, or that a sub-agent made, may have no result.
  if (tool === undefined || unclear || isSubAgent || state === 'rejected' || state === 'blocked')
    return undefined;
  if (state === 'running' && tool.ask !== undefined) return undefined;
  if (state === 'running') return { of: `a result of call ${call.id}`, ordered: tool.output ?? '', came: '' };
  const ordered = (tool.lines ?? []).map(([text, isStderr]) => ({ text, isStderr }));
  const [expected, came] = [linesInWords(ordered), linesInWords(lines)];
  return expected === came ? undefined : { of: `the lines of call ${call.id}`, ordered: expected, came };
}

/** The lines of a call: their order and a line break at their end are judged by KODA-71 and KODA-70. */
const linesInWords = (lines: readonly OutputLine[]): string =>
  lines
    .map(({ text, isStderr }) => `${isStderr ? 'stderr' : 'stdout'}: ${text.replace(/\n$/u, '')}`)
    .toSorted()
    .join('; ');

/** The rules of this theme. */
export const contentRules: readonly Rule<KodaView>[] = [areAsOrdered];
