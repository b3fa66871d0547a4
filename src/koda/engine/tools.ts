/** The calls of the reference engine: one after the other with approvals, questions and lines, or several as one batch. */
import type { Tool } from '../directive.ts';
import type { ApprovalDecision } from '../messages.ts';
import { freshId } from './ids.ts';
import { repeats, takeBack } from './loop-guard.ts';
import { beginResponse, finishResponse, isBlank } from './responses.ts';
import { nextStep } from './state.ts';
import type { EngineStep, Turn } from './state.ts';
import { sendStatus } from './status.ts';

/** The most UTF-16 units of an answer or a feedback that are used, so that its event stays within 1 MiB. */
export const maxAnswer = 150_000;

/** The result of a question without an answer (KODA-73). */
export const noAnswer = 'The user gave no answer.';

/** The rejections of a turn that are kept. */
const keptRejections = 16;

/** Does the next part of a `tool`. */
export function runTool(step: EngineStep, turn: Turn, tool: Tool): void {
  switch (turn.part) {
    case 'enter':
      return startTool(step, turn, tool);
    case 'ask':
      return ask(step, turn, tool);
    case 'body':
    case 'results':
      return goOn(step, turn, tool);
    default:
      turn.part satisfies never;
  }
}

function startTool(step: EngineStep, turn: Turn, tool: Tool): void {
  beforeTools(step, turn);
  const id = freshId(step);
  sendStart(step, id, tool);
  if (repeats(turn, tool)) return endLoop(step, turn, tool);
  turn.call = { id, answer: undefined };
  sendStatus(step);
  if (tool.blocked !== undefined) {
    step.send({ type: 'action_blocked', ...actionOf(tool, tool.blocked) });
    takeBack(turn);
    return endCall(step, turn);
  }
  turn.part = 'ask';
  if (tool.approval === undefined) return;
  const requestId = freshId(step);
  step.send({ type: 'approval_request', id: requestId, ...actionOf(tool, tool.approval) });
  turn.wait = { on: 'approval', id: requestId };
}

/** A response that has begun ends before its calls. */
function beforeTools(step: EngineStep, turn: Turn): void {
  if (turn.response.stage === 'none') beginResponse(step, turn);
  finishResponse(step, turn);
  turn.response.hasCall = true;
}

function sendStart(step: EngineStep, id: string, { name, args = {}, sub_agent: agent }: Tool): void {
  if (agent !== undefined) step.send({ type: 'sub_agent_start', agent_name: agent });
  step.send({ type: 'tool_call_start', id, name, args, is_sub_agent: agent !== undefined });
}

/** The model repeats itself: the call is not run, and the turn is over (KODA-51). */
function endLoop(step: EngineStep, turn: Turn, { name }: Tool): void {
  step.send({ type: 'warn', message: `${name} was called three times with the same arguments` });
  turn.ending = { kind: 'complete' };
}

const actionOf = (
  { name }: Tool,
  { detail = `run ${name}`, preview = null }: NonNullable<Tool['blocked']>,
): { readonly tool_name: string; readonly detail: string; readonly preview: typeof preview } => ({
  tool_name: name,
  detail,
  preview,
});

function ask(step: EngineStep, turn: Turn, tool: Tool): void {
  turn.part = 'body';
  if (tool.ask === undefined) return;
  const { question, options = [] } = tool.ask;
  const id = freshId(step);
  step.send({ type: 'ask_user_request', id, question, options });
  turn.wait = { on: 'ask', id };
}

/** Prints the next line. After the last one the call has its result, or runs on. */
function goOn(step: EngineStep, turn: Turn, { name, lines = [], hold, output = 'ok' }: Tool): void {
  const { call } = turn;
  const line = lines[turn.cursor++];
  if (call === undefined) return nextStep(turn);
  if (line !== undefined) return sendLine(step, call.id, line);
  if (hold === true) {
    turn.wait = { on: 'interrupt' };
    return;
  }
  step.send({ type: 'tool_call_result', id: call.id, name, output: call.answer ?? output });
  endCall(step, turn);
}

const sendLine = (step: EngineStep, id: string, [line, isStderr]: readonly [string, boolean]): void =>
  step.send({ type: 'tool_output_line', id, line, is_stderr: isStderr });

function endCall(step: EngineStep, turn: Turn): void {
  turn.call = undefined;
  sendStatus(step);
  nextStep(turn);
}

/** The user has decided about the call. A rejected call has neither lines nor a result: the model is told (KODA-41, 72). */
export function decided(step: EngineStep, turn: Turn, decision: ApprovalDecision): void {
  turn.wait = { on: 'nothing' };
  if (decision.decision === 'approve') return;
  const todo = turn.steps[turn.at];
  if (turn.call === undefined || todo === undefined || !('tool' in todo)) return;
  const rejection = { callId: turn.call.id, name: todo.tool.name };
  const hasFeedback = decision.decision === 'reject_with_feedback';
  turn.rejections.push(hasFeedback ? { ...rejection, feedback: clipped(decision.feedback) } : rejection);
  if (turn.rejections.length > keptRejections) turn.rejections.shift();
  takeBack(turn);
  endCall(step, turn);
}

/** The user has answered the question of the call. */
export function answered(turn: Turn, answer: string): void {
  turn.wait = { on: 'nothing' };
  if (turn.call !== undefined) turn.call.answer = isBlank(answer) ? noAnswer : clipped(answer);
}

const clipped = (text: string): string =>
  text.length > maxAnswer ? text.slice(0, maxAnswer).toWellFormed() : text;

/** Does the next part of a `parallel`: the lines of all calls mix, then each call has its start and its result. */
export function runParallel(step: EngineStep, turn: Turn, tools: readonly Tool[]): void {
  if (turn.part === 'enter') return startBatch(step, turn, tools);
  if (turn.part === 'body') {
    turn.cursor = nextLine(tools, turn.cursor);
    const tool = turn.cursor % tools.length;
    const line = tools[tool]?.lines?.[Math.floor(turn.cursor++ / tools.length)];
    if (line !== undefined) return sendLine(step, turn.callIds[tool] ?? '', line);
    turn.part = 'results';
    turn.cursor = 0;
  }
  const [tool, id = ''] = [tools[turn.cursor], turn.callIds[turn.cursor]];
  turn.cursor++;
  if (tool === undefined) return endBatch(step, turn);
  sendStart(step, id, tool);
  step.send({ type: 'tool_call_result', id, name: tool.name, output: tool.output ?? 'ok' });
}

function startBatch(step: EngineStep, turn: Turn, tools: readonly Tool[]): void {
  beforeTools(step, turn);
  turn.callIds = tools.map(() => freshId(step));
  turn.part = 'body';
  const repeated = tools.findIndex((tool) => repeats(turn, tool));
  const tool = tools[repeated];
  if (tool === undefined) return;
  sendStart(step, turn.callIds[repeated] ?? '', tool);
  endLoop(step, turn, tool);
}

/** The place of the next line from a place on: line `place / tools` of tool `place % tools`. */
function nextLine(tools: readonly Tool[], from: number): number {
  const end = from + tools.length;
  for (let place = from; place < end; place++)
    if (tools[place % tools.length]?.lines?.[Math.floor(place / tools.length)] !== undefined) return place;
  return end;
}

function endBatch(step: EngineStep, turn: Turn): void {
  sendStatus(step);
  nextStep(turn);
}
