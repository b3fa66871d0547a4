/** Engines whose calls, lines and results are wrong. */
import { allFaults, holdUntil, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import type { EngineFault } from '../../shared/mutants/mutant.ts';
import { drops } from './mutant.ts';
import type { EngineFaults } from './mutant.ts';

/** Keeps the lines of a call until its result, and sends them then. */
const holdsLines =
  (send: (lines: readonly EngineEvent[], result: EngineEvent) => readonly EngineEvent[]) => (): EngineFault =>
    onSend(
      holdUntil(
        ({ type }) => type === 'tool_output_line',
        (event, lines) => (event.type === 'tool_call_result' ? send(lines, event) : undefined),
        (event) => ('id' in event ? event.id : ''),
      ),
    );

/** Hides repeated calls from the role: each call of a directive gets an argument of its own, which is not sent. */
const forgetsCalls = (): EngineFault => {
  let calls = 0;
  return allFaults(
    onReceive('user_prompt', (command) => [
      { ...command, text: command.text.replaceAll('"old":"x"', () => `"old":"x","call":${++calls}`) },
    ]),
    onSend('tool_call_start', (event) => {
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
    return onSend((event) => {
      if (event.type === 'turn_start') [turn, calls, cut] = [event.turn_id, [], false];
      if (cut) return [];
      if (event.type !== 'tool_call_start') return;
      calls.push({ name: event.name, key: JSON.stringify([event.name, event.args]) });
      cut = ['Bash', 'Edit', 'Write'].includes(event.name) && isLoop(calls);
      if (!cut) return;
      return [
        event,
        { type: 'warn', message: 'a loop was found' },
        { type: 'turn_end', turn_id: turn, reason: { kind: 'complete' } },
      ];
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
  return onSend((event) => {
    if (event.type === 'turn_start') warned = false;
    if (event.type === 'warn') warned = true;
    if (event.type !== 'turn_end' || !warned || event.reason.kind !== 'complete') return;
    return [{ ...event, reason: { kind: 'error', message: 'a call came three times' } }];
  });
};

/** Counts each rejected call as one in flight, up to the end of its session. */
const countsRejected = (): EngineFault => {
  let rejected = 0;
  return allFaults(
    onReceive('approval_response', ({ decision }) => {
      if (decision.decision !== 'approve') rejected++;
    }),
    onSend('status_update', (event) => [{ ...event, active_tools: Number(event.active_tools) + rejected }]),
  );
};

export const toolFaults: EngineFaults = {
  'results-twice': () => onSend('tool_call_result', (event) => [event, event]),
  'results-of-no-call': () =>
    onSend('tool_call_result', (event) => [{ ...event, id: `result-of-${event.id}` }]),
  'results-without-name': () =>
    onSend('tool_call_result', (event) => [{ ...event, name: event.name.toLowerCase() }]),
  'lines-of-no-call': () => onSend('tool_output_line', (event) => [{ ...event, id: `line-of-${event.id}` }]),
  'lines-after-result': holdsLines((lines, result) => [result, ...lines]),
  'lines-reversed': holdsLines((lines, result) => [...lines.toReversed(), result]),
  'lines-with-breaks': () => onSend('tool_output_line', (event) => [{ ...event, line: `${event.line}\n` }]),
  'no-sub-agent-start': () => drops('sub_agent_start'),
  'counts-rejected': countsRejected,
  'counts-all-calls': () => {
    let calls = 0;
    return onSend((event) => {
      if (event.type === 'tool_call_start') calls++;
      return event.type === 'status_update' ? [{ ...event, active_tools: calls + 2 }] : undefined;
    });
  },
  'names-as-ids': () => {
    const names = new Map<string, string>();
    return onSend(['tool_call_start', 'tool_output_line', 'tool_call_result'], (event) => {
      if (event.type === 'tool_call_start') names.set(event.id, event.name);
      const name = names.get(event.id);
      if (name !== undefined) return [{ ...event, id: name }];
      // A line of a parallel batch comes before its call has a name.
      return event.type === 'tool_output_line' ? [] : undefined;
    });
  },
  'repeats-for-ever': forgetsCalls,
  'no-warning': () => drops('warn'),
  'ends-at-second-call': guards((calls) => timesOf(calls, ({ key }) => key) === 2),
  'ends-by-name': guards((calls) => timesOf(calls, ({ name }) => name) === 3),
  'fails-at-third-call': failsAfterWarn,
};
