/** The gateway's laws: every input has its step, a run can be repeated, and what must hold of any run holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RoleOutput } from '../../kit/base/index.ts';
import { replayableRole, totalRole } from '../../kit/laws/index.ts';
import type { Timed } from '../../kit/laws/index.ts';
import { gateway } from './gateway.ts';
import type { GatewayCommand } from './gateway.ts';
import type { GatewayOptions } from './options.ts';
import { common, inputs, metadataOf, rare } from './inputs.test-helper.ts';
import type { Input } from './inputs.test-helper.ts';
import { GatewayStage } from './gateway.test-helper.ts';
import type { MessageResponse } from '../messages.ts';
import { operatorTerminals } from '../operator.ts';
import type { GatewayIn, GatewayOut } from '../stream-codecs.ts';

const runs = { seed: 7, numRuns: 300 };

const any = inputs(fc.oneof({ weight: 15, arbitrary: common }, { weight: 2, arbitrary: rare }));

const setups: readonly (readonly [string, Partial<GatewayOptions>])[] = [
  ['as it is', {}],
  [
    'that disconnects, refuses by RegistrationError and has a budget',
    {
      duplicates: 'registration_error',
      disconnect_unresponsive: true,
      budget: 10,
      timeouts: { cancel: 100, approval: 200, pack: 300, stalled: 400, ack: 500, shutdown: 600 },
    },
  ],
  ['that lets nobody in', { auth: {} }],
];

describe('the laws of roles', () => {
  it.each(setups)('hold for a gateway %s', (_, options) => {
    fc.assert(replayableRole(gateway(options), any), runs);
    fc.assert(totalRole(gateway(options), any), runs);
  });
});

/** What a run may put out; if the runs of the laws did not, they would show little. */
const sayings =
  'headers close pause resume effect tell welcome send_message cancel_request inject_context tool_approval ' +
  'pack_tool_result shutdown registration_error execute_tool empty started thinking text tool_use tool_state ' +
  'tool_approval tool_result usage file session_init session_orphaned done error canceled ok injected agents ' +
  'thread_usage stats event';

/** What must hold of the outputs of any run, as they come. */
class Watch {
  readonly #open = new Set<string>();
  readonly #welcomed = new Set<string>();
  readonly #paused = new Set<string>();
  readonly #over = new Set<string>();
  readonly #requests = new Set<string>();

  /** A stream opened, or broke, by the other side's doing. */
  opened(name: string): void {
    this.#open.add(name);
    for (const set of [this.#welcomed, this.#paused, this.#over]) set.delete(name);
  }

  left(name: string): void {
    this.#open.delete(name);
    this.#paused.delete(name);
  }

  see(output: RoleOutput<GatewayOut>): void {
    if (!('peer' in output) || output.type === 'dial') return;
    const { peer: name } = output;
    expect(this.#open, `${output.type} to ${name}, which is closed`).toContain(name);
    if (output.type === 'close') this.left(name);
    else if (output.type === 'pause') {
      expect(this.#paused).not.toContain(name);
      this.#paused.add(name);
    } else if (output.type === 'resume') expect(this.#paused.delete(name)).toBe(true);
    else if (output.type === 'send') this.#sent(name, output.message);
  }

  #sent(name: string, message: GatewayOut): void {
    expect(this.#over, `${name} hears more after its terminal`).not.toContain(name);
    if (Object.keys(message).some((key) => name.startsWith('o') && operatorTerminals.has(key)))
      this.#over.add(name);
    if (!name.startsWith('a')) return;
    const first = 'welcome' in message || 'registration_error' in message;
    expect(first, `Welcome comes first and once: ${JSON.stringify(message)}`).toBe(!this.#welcomed.has(name));
    this.#welcomed.add(name);
    if (!('send_message' in message) || message.send_message === undefined) return;
    const request = message.send_message.request_id ?? '';
    expect(this.#requests).not.toContain(request);
    this.#requests.add(request);
  }
}

type Timeds = readonly Timed<GatewayIn, GatewayCommand>[];

/** The one of these that a number chooses; none where there is none. */
const nth = <T>(all: Iterable<T>, n: number): T | undefined => {
  const list = [...all];
  return list[n % Math.max(1, list.length)];
};

/** What is said, about something that the gateway waits for: two times of three, as `aim` has it. */
function atTarget(stage: GatewayStage, input: Input, aim: number): Input {
  if (input.type !== 'message' || aim % 3 === 0) return input;
  const { requests, calls, injections, approvals } = stage.state;
  const { message } = input;
  const request = nth(requests.values(), aim);
  if ('response' in message && message.response !== undefined && request !== undefined) {
    const response = { ...message.response, request_id: request.id } as MessageResponse;
    return { ...input, peer: request.agent, message: { response } };
  }
  if ('tool_response' in message) {
    const request_id = nth(calls.keys(), aim) ?? '';
    return { ...input, message: { tool_response: { request_id, output_json: '1' } } };
  }
  const [injection_id, agent] = nth(injections, aim) ?? [];
  if ('injection_ack' in message && injection_id !== undefined && agent !== undefined)
    return { ...input, peer: agent, message: { injection_ack: { injection_id, accepted: aim % 2 === 0 } } };
  if ('cancel' in message && request !== undefined)
    return { ...input, message: { cancel: { request_id: request.id } } };
  const tool_id = nth(approvals.values(), aim)?.tool_id;
  if ('approve' in message && tool_id !== undefined)
    return {
      ...input,
      message: { approve: { agent_id: aim % 2 === 0 ? 'x' : 'y', tool_id, approved: true } },
    };
  return input;
}

/** Runs inputs on a stage whose timers fire; closes all streams at the end. @returns what it put out, in short */
function play(options: Partial<GatewayOptions>, all: Timeds, seen?: Map<string, number>): GatewayStage {
  const stage = new GatewayStage(options);
  const watch = new Watch();
  const look = (): void => {
    for (const output of stage.take()) {
      watch.see(output);
      const what = output.type === 'send' ? (Object.keys(output.message)[0] ?? '') : output.type;
      seen?.set(what, (seen.get(what) ?? 0) + 1);
    }
  };
  const give = (input: Input): void => {
    if (input.type === 'opened') watch.opened(input.peer);
    if (input.type === 'left') watch.left(input.peer);
    stage.give(input);
    look();
  };
  const open = (name: string): void => {
    if (!stage.state.links.has(name)) give({ type: 'opened', peer: name, metadata: metadataOf(name) });
  };
  all.forEach(({ input, now }, aim) => {
    while (stage.fire(now - stage.now)) look();
    stage.pass(Math.max(0, now - stage.now));
    const aimed = atTarget(stage, input, aim);
    if (aimed.type === 'message' || aimed.type === 'opened') open(aimed.peer);
    if (aimed.type !== 'opened') give(aimed);
  });
  for (const name of stage.state.links.keys()) give({ type: 'left', peer: name });
  return stage;
}

describe('whatever happens', () => {
  const sane = inputs(common);

  it.each(setups)(
    'a gateway %s says nothing on a closed stream, welcomes once, ends once, and is left with nothing',
    (_, options) => {
      fc.assert(
        fc.property(sane, (all) => {
          const stage = play(options, all);
          const { links, agents, requests, watchers, approvals, injections, packs, tools, calls, questions } =
            stage.state;
          const left = [
            links,
            agents,
            requests,
            watchers,
            approvals,
            injections,
            packs,
            tools,
            calls,
            questions,
          ];
          expect(left.map(({ size }) => size)).toEqual(left.map(() => 0));
          expect(stage.nextTimer()).toBeUndefined();
        }),
        runs,
      );
    },
  );

  it('includes everything that a gateway can say', () => {
    const seen = new Map<string, number>();
    for (const [, options] of setups)
      for (const all of fc.sample(sane, { seed: 7, numRuns: 300 })) play(options, all, seen);
    const rare = sayings.split(' ').filter((what) => (seen.get(what) ?? 0) < 5);
    expect(rare).toEqual([]);
  });
});
