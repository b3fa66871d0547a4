/**
 * What a request's directive leads one to expect: which steps come, what they say, how long they hold. The rules
 * compare with it what came.
 */
import type { Request, Session, Step, Tool, ToolStep, UsageStep } from '../../../src/fold/index.ts';
import type { Timeouts } from './view.ts';

/** What is looked up in a directive again and again. */
interface Plan {
  readonly says: ReadonlySet<string>;
  readonly tools: readonly ToolStep[];
}

const nothing: Plan = { says: new Set(), tools: [] };
const plans = new WeakMap<readonly Step[], Plan>();

function planOf({ steps }: Request): Plan {
  if (steps === undefined) return nothing;
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

/** The texts that a request's directive has it say. */
export const saysOf = (request: Request): ReadonlySet<string> => planOf(request).says;

/** The model calls of a request's directive. */
export function callsOf({ steps }: Request): readonly UsageStep[] {
  let calls: UsageStep[] | undefined;
  for (const step of steps ?? []) if ('usage' in step) (calls ??= []).push(step.usage);
  return calls ?? none;
}

const none: readonly UsageStep[] = [];

/** The directive's step that a tool is: the n-th tool is the n-th tool step. */
export const toolStepOf = (request: Request, tool: Tool): ToolStep | undefined =>
  planOf(request).tools[tool.n];

/** The approval timeout of a tool of a directive (ms). */
export const approvalTimeoutOf = (request: Request, tool: Tool, otherwise: number): number =>
  toolStepOf(request, tool)?.approval_timeout_ms ?? otherwise;

/** Whether a directive begins with saying what is injected. */
export const echoes = (request: Request): boolean => 'echo_injections' in (request.steps?.[0] ?? {});

/** A directive's steps up to the one that ends its request; those behind it never come. */
export function stepsOf(request: Request): readonly Step[] {
  const steps = request.steps ?? [];
  const last = steps.findIndex(endsRequest);
  return last < 0 ? steps : steps.slice(0, last + 1);
}

/** Whether a step ends its request in error. */
export const endsRequest = (step: Step): boolean =>
  'fail' in step || ('session' in step && step.session === 'orphaned');

/** Whether a tool holds whatever happens: a gated one that is denied does not. */
const holdsForSure = (tool: ToolStep): boolean => tool.hold === true && tool.approval !== true;

/** How many holds a directive has, in tools and between them. */
function holdsOf(request: Request): number {
  let holds = 0;
  for (const step of stepsOf(request))
    if ('hold' in step || ('tool' in step && holdsForSure(step.tool))) holds++;
  return holds;
}

/** How long a directive waits in all (ms). */
function waitsOf(request: Request): number {
  let ms = 0;
  for (const step of stepsOf(request)) if ('wait_ms' in step) ms += step.wait_ms;
  return ms;
}

/** A tool that waits for a decision: asked, undecided, and neither denied nor run meanwhile. */
export const undecided = (tool: Tool): boolean =>
  tool.asked !== undefined &&
  tool.decided === undefined &&
  tool.ended === undefined &&
  tool.result === undefined;

/**
 * Whether a request cannot have ended yet, by its own directive: it has a hold that was not released, waits for a
 * decision or for time, or is queued behind another of its thread.
 */
export function blocked(request: Request, session: Session, at: number, timeouts: Timeouts): boolean {
  if (request.steps === undefined) return false;
  if (holdsOf(request) > request.releases) return true;
  if (request.at + waitsOf(request) > at) return true;
  for (const tool of request.tools.values()) {
    if (undecided(tool) && at - (tool.asked?.at ?? 0) < approvalTimeoutOf(request, tool, timeouts.approval))
      return true;
  }
  if (request.thread === '') return false;
  for (const other of session.active.values()) {
    if (other === request) return false;
    if (other.thread !== request.thread || other.cancel !== undefined) continue;
    if (blocked(other, session, at, timeouts)) return true;
  }
  return false;
}
