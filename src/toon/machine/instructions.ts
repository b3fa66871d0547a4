/** Instructions in the state of a connection: they open, show signs of work, and end with STATUS `completed` or ERROR. */
import type { Violation } from '../../kit/base/index.ts';
import { parseDirective } from '../directive.ts';
import type { Side, StatusUpdate } from '../messages.ts';
import { maxRemembered, momentOf, noViolations, otherSide, violated } from './state.ts';
import type { EndedInstruction, Moment, ToonSession } from './state.ts';

/** Opens an instruction. It waits while another one is active. */
export function openInstruction(session: ToonSession, text: string, now: Moment): readonly Violation[] {
  const moment = momentOf(now);
  if (session.active?.doubtedAt !== undefined) {
    // The orchestrator regards the active instruction as ended, but the subagent may still work on it.
    endActive(session, 'error', session.active.doubtedAt);
    session.forgotten.instructions++;
  }
  session.waiting.push({
    ...moment,
    index: session.instructionCount++,
    directive: parseDirective(text),
    activeSince: moment,
    lastSign: undefined,
    signCount: 0,
    progress: undefined,
    doubtedAt: undefined,
  });
  session.active ??= session.waiting.shift();
  if (session.waiting.length > maxRemembered) {
    session.waiting.shift();
    session.forgotten.instructions++;
  }
  return noViolations;
}

/** Takes a STATUS. */
export function recordStatus(session: ToonSession, payload: StatusUpdate, now: Moment): readonly Violation[] {
  const violations = recordSign(session, 'STATUS', now);
  const progress = payload['progress'];
  const inRange = typeof progress === 'number' && progress >= 0 && progress <= 1;
  const before = session.active?.progress ?? 0;
  if (inRange && session.active !== undefined) session.active.progress = progress;
  if (payload.status === 'completed') endActive(session, 'completed', now);
  if (progress === undefined) return violations;
  if (inRange)
    return progress >= before
      ? violations
      : [
          ...violations,
          ...violated('progress-falls', 'progress', `expected ${before} or more; came ${progress}`),
        ];
  const came = typeof progress === 'number' ? String(progress) : typeof progress;
  return [
    ...violations,
    ...violated('progress-range', 'progress', `expected a number from 0 to 1; came ${came}`),
  ];
}

/** Takes a sign of work: it is about the active instruction, and one must be active (TOON-50, 52). */
export function recordSign(session: ToonSession, type: string, now: Moment): readonly Violation[] {
  const { active } = session;
  if (active !== undefined) {
    active.lastSign = momentOf(now);
    active.signCount++;
    active.doubtedAt = undefined;
    return noViolations;
  }
  // The subagent may work on a forgotten instruction, or on one that the machine saw as a bad frame.
  if (session.forgotten.instructions > 0 || session.orchestrator.badFrame !== undefined) return noViolations;
  session.subagent.unansweredFaults++;
  return session.ended === undefined
    ? violated('no-instruction', 'type', `expected an INSTRUCTION before a ${type}`)
    : violated('after-end', 'type', `expected no ${type} after the end of the instruction`);
}

/** Takes an ERROR. It answers a fault of the other side, if one is unanswered; else one of the subagent ends the instruction. */
export function recordError(session: ToonSession, from: Side, now: Moment): readonly Violation[] {
  const other = session[otherSide(from)];
  if (other.unansweredFaults > 0) {
    other.unansweredFaults--;
    if (from === 'subagent' && session.active !== undefined) session.active.doubtedAt = momentOf(now);
  } else if (from === 'subagent') endActive(session, 'error', now);
  return noViolations;
}

/** Ends the active instruction, or else a forgotten one. The instruction that has waited longest is active next. */
function endActive(session: ToonSession, by: EndedInstruction['by'], now: Moment): void {
  const { active, orchestrator } = session;
  if (active === undefined) {
    if (session.forgotten.instructions > 0) session.forgotten.instructions--;
    return;
  }
  session.ended = { ...momentOf(now), index: active.index, by };
  session.active = session.waiting.shift();
  if (session.active !== undefined) session.active.activeSince = momentOf(now);
  const { badFrame } = orchestrator;
  if (badFrame !== undefined && active.seq > badFrame.seq) orchestrator.badFrame = undefined;
}
