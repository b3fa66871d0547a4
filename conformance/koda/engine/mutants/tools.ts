/** Engines whose calls, lines and results are wrong. */
import { bothFaults } from '../../../../src/kit/suite/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { dropEvents, editCommands, editEvent, editEvents } from './mutant.ts';
import type { EventOf, EngineFaults } from './mutant.ts';

/** Keeps the lines of a call until its result, and sends them then. */
const holdsLines =
  (
    send: (
      lines: readonly EventOf<'tool_output_line'>[],
      result: EventOf<'tool_call_result'>,
    ) => readonly EngineEvent[],
  ): (() => EngineFault) =>
  () => {
    const held = new Map<string, EventOf<'tool_output_line'>[]>();
    return editEvents((event) => {
      if (event.type === 'tool_output_line') {
        held.set(event.id, [...(held.get(event.id) ?? []), event]);
        return [];
      }
      if (event.type !== 'tool_call_result') return [event];
      const lines = held.get(event.id) ?? [];
      held.delete(event.id);
      return send(lines, event);
    });
  };

/** Hides repeated calls from the role: each call of a directive gets an argument of its own, which is not sent. */
const forgetsCalls = (): EngineFault => {
  let calls = 0;
  return bothFaults(
    editCommands((command) => [
      command.type === 'user_prompt'
        ? { ...command, text: command.text.replaceAll('"old":"x"', () => `"old":"x","call":${++calls}`) }
        : command,
    ]),
    editEvent('tool_call_start', (event) => {
      const { call: _, ...args } = event.args as { readonly call?: number };
      return [{ ...event, args }];
    }),
  );
};

/** Ends a turn with a warn at a call, and drops the rest of it. `isLoop`: the calls of the turn so far, by name and args. */
const guards =
  (isLoop: (calls: readonly { readonly name: string; readonly key: string }[]) => boolean) =>
  (): EngineFault => {
    let turn = '';
    let calls: { readonly name: string; readonly key: string }[] = [];
    let cut = false;
    return editEvents((event) => {
      if (event.type === 'turn_start') [turn, calls, cut] = [event.turn_id, [], false];
      if (cut) return [];
      if (event.type !== 'tool_call_start') return [event];
      calls.push({ name: event.name, key: JSON.stringify([event.name, event.args]) });
      cut = ['Bash', 'Edit', 'Write'].includes(event.name) && isLoop(calls);
      return cut
        ? [
            event,
            { type: 'warn', message: 'a loop was found' },
            { type: 'turn_end', turn_id: turn, reason: { kind: 'complete' } },
          ]
        : [event];
    });
  };

/** How often the newest call came. */
const timesOf = <T>(calls: readonly T[], keyOf: (call: T) => string): number => {
  const newest = calls.at(-1);
  return newest === undefined ? 0 : calls.filter((call) => keyOf(call) === keyOf(newest)).length;
};

/** Ends each turn as an error that ends as complete after a warn. */
const failsAfterWarn = (): EngineFault => {
  let warned = false;
  return editEvents((event) => {
    if (event.type === 'turn_start') warned = false;
    if (event.type === 'warn') warned = true;
    if (event.type !== 'turn_end' || !warned || event.reason.kind !== 'complete') return [event];
    return [{ ...event, reason: { kind: 'error', message: 'a call came three times' } }];
  });
};

/** Counts each rejected call as one in flight, up to the end of its session. */
const countsRejected = (): EngineFault => {
  let rejected = 0;
  return {
    input(input) {
      if (input.type === 'message' && input.message.type === 'approval_response')
        rejected += input.message.decision.decision === 'approve' ? 0 : 1;
      return [input];
    },
    output: (output) => [
      output.type === 'send' && output.message.type === 'status_update'
        ? {
            ...output,
            message: { ...output.message, active_tools: Number(output.message.active_tools) + rejected },
          }
        : output,
    ],
  };
};

/** The mutants of this theme. */
export const toolFaults: EngineFaults = {
  'results-twice': () => editEvent('tool_call_result', (event) => [event, event]),
  'results-of-no-call': () =>
    editEvent('tool_call_result', (event) => [{ ...event, id: `result-of-${event.id}` }]),
  'results-without-name': () =>
    editEvent('tool_call_result', (event) => [{ ...event, name: event.name.toLowerCase() }]),
  'lines-of-no-call': () =>
    editEvent('tool_output_line', (event) => [{ ...event, id: `line-of-${event.id}` }]),
  'lines-after-result': holdsLines((lines, result) => [result, ...lines]),
  'lines-reversed': holdsLines((lines, result) => [...lines.toReversed(), result]),
  'lines-with-breaks': () =>
    editEvent('tool_output_line', (event) => [{ ...event, line: `${event.line}\n` }]),
  'no-sub-agent-start': () => dropEvents('sub_agent_start'),
  'counts-rejected': countsRejected,
  'counts-all-calls': () => {
    let calls = 0;
    return editEvents((event) => {
      if (event.type === 'tool_call_start') calls++;
      return event.type === 'status_update' ? [{ ...event, active_tools: calls + 2 }] : [event];
    });
  },
  'names-as-ids': () => {
    const names = new Map<string, string>();
    return editEvents((event) => {
      if (event.type === 'tool_call_start') names.set(event.id, event.name);
      const isOfCall = event.type.startsWith('tool_') && 'id' in event;
      // A line of a parallel batch comes before its call has a name.
      if (event.type === 'tool_output_line' && !names.has(event.id)) return [];
      return [isOfCall ? { ...event, id: names.get(event.id) ?? event.id } : event];
    });
  },
  'repeats-for-ever': forgetsCalls,
  'no-warning': () => dropEvents('warn'),
  'ends-at-second-call': guards((calls) => timesOf(calls, ({ key }) => key) === 2),
  'ends-by-name': guards((calls) => timesOf(calls, ({ name }) => name) === 3),
  'fails-at-third-call': failsAfterWarn,
};
