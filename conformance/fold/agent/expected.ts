/**
 * The expectations that follow from a request's directive: its steps, their texts, and their waits. Rules compare them
 * with the trace.
 */
import type { Request, Session, Step, Tool, ToolStep, UsageStep } from '../../../src/fold/index.ts';
import type { Timeouts } from './view.ts';

/** The parts of a directive that rules read often. */
interface DirectivePlan {
  readonly says: ReadonlySet<string>;
  readonly tools: readonly ToolStep[];
}

const emptyPlan: DirectivePlan = { says: new Set(), tools: [] };
const plans = new WeakMap<readonly Step[], DirectivePlan>();

function planOf({ steps }: Request): DirectivePlan {
  if (steps === undefined) return emptyPlan;
  const known = plans.get(steps);
  if (known !== undefined) return known;
  const plan = { says: new Set<string>(), tools: new Array<ToolStep>() };
  for (const step of steps) {
    if ('say' in step) plan.says.add(step.say);
    else if ('tool' in step) plan.tools.push(step.tool);
  }
  plans.set(steps, plan);
  return plan;
}

/** The texts of a request's directive. */
export const saysOf = (request: Request): ReadonlySet<string> => planOf(request).says;

/** The model calls of a request's directive. */
export function modelCallsOf({ steps }: Request): readonly UsageStep[] {
  let calls: UsageStep[] | undefined;
  for (const step of steps ?? []) if ('usage' in step) (calls ??= []).push(step.usage);
  return calls ?? noModelCalls;
}

const noModelCalls: readonly UsageStep[] = [];

/** The directive's step of a tool: the n-th tool belongs to the n-th tool step. */
export const toolStepOf = (request: Request, tool: Tool): ToolStep | undefined =>
  planOf(request).tools[tool.n];

/** The approval timeout of a tool of a directive (ms). */
export const approvalTimeoutOf = (request: Request, tool: Tool, otherwise: number): number =>
  toolStepOf(request, tool)?.approval_timeout_ms ?? otherwise;

/** Whether a directive begins with `echo_injections`. */
export const echoesInjections = (request: Request): boolean =>
  'echo_injections' in (request.steps?.[0] ?? {});

/** A directive's steps up to the step that ends its request. */
export function stepsOf(request: Request): readonly Step[] {
  const steps = request.steps ?? [];
  const last = steps.findIndex(endsRequest);
  return last < 0 ? steps : steps.slice(0, last + 1);
}

/** Whether a step ends its request in error. */
export const endsRequest = (step: Step): boolean =>
  'fail' in step || ('session' in step && step.session === 'orphaned');

/** Whether a tool always holds. A gated tool does not hold when it is denied. */
const alwaysHolds = (tool: ToolStep): boolean => tool.hold === true && tool.approval !== true;

/** The number of holds of a directive, in tools and between them. */
function holdCountOf(request: Request): number {
  let holds = 0;
  for (const step of stepsOf(request))
    if ('hold' in step || ('tool' in step && alwaysHolds(step.tool))) holds++;
  return holds;
}

/** The sum of a directive's waits (ms). */
function waitingTimeOf(request: Request): number {
  let ms = 0;
  for (const step of stepsOf(request)) if ('wait_ms' in step) ms += step.wait_ms;
  return ms;
}

/** Whether a tool waits for a decision: the agent asked, and the tool has neither a decision nor a result nor an end. */
export const isUndecided = (tool: Tool): boolean =>
  tool.asked !== undefined &&
  tool.decided === undefined &&
  tool.ended === undefined &&
  tool.result === undefined;

/**
 * Whether a request's directive keeps it from ending: it has an unreleased hold, waits for a decision or for time, or is
 * queued behind another request of its thread.
 */
export function isBlocked(request: Request, session: Session, at: number, timeouts: Timeouts): boolean {
  if (request.steps === undefined) return false;
  if (holdCountOf(request) > request.releases) return true;
  if (request.at + waitingTimeOf(request) > at) return true;
  for (const tool of request.tools.values()) {
    if (isUndecided(tool) && at - (tool.asked?.at ?? 0) < approvalTimeoutOf(request, tool, timeouts.approval))
      return true;
  }
  if (request.thread === '') return false;
  for (const other of session.active.values()) {
    if (other === request) return false;
    if (other.thread !== request.thread || other.cancel !== undefined) continue;
    if (isBlocked(other, session, at, timeouts)) return true;
  }
  return false;
}
