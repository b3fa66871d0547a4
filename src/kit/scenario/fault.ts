/** The fault that a step plants on a peer's connection. */
import type { JsonObject, ScenarioStep } from '../base/index.ts';
import type { Fault } from '../world/index.ts';

/** The fault of a step, with its defaults. `time` reads a time (ms). */
export function faultOf(
  fault: Extract<ScenarioStep, { fault: unknown }>['fault'],
  time: (text: string) => number,
): Fault {
  switch (fault.kind) {
    case 'stall':
      return { kind: 'stall', ms: time(fault.for ?? '1s') };
    case 'slow':
      return { kind: 'slow', rate: fault.rate ?? 65_536 };
    case 'split':
      return { kind: 'split', size: fault.size ?? 1 };
    case 'gather':
      return { kind: 'gather', size: fault.size ?? 2 };
    case 'goaway':
      return { kind: 'goaway', code: fault.code ?? 'NO_ERROR' };
    case 'cut':
    case 'reset':
      return { kind: fault.kind };
    default:
      return fault.kind satisfies never;
  }
}

/** The measure of a fault, as its mark in a trace has it: a time, a size or a code. */
export function faultMeasure(fault: Fault): JsonObject {
  switch (fault.kind) {
    case 'stall':
      return { ms: fault.ms };
    case 'gather':
      return { size: fault.size };
    case 'goaway':
      return { code: fault.code };
    default:
      return {};
  }
}
