/** The rule about the processes of a cancelled request's tools: AGENT-21. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Moment, Rule } from '../../../../src/kit/judge/index.ts';
import type { BothView, GatewayRequest } from '../records.ts';
import { requestOfResponse } from '../view.ts';

/** The only request whose model made a call with a word in its input. */
function callerOf({ requests }: BothView, word: string): GatewayRequest | undefined {
  const callers = [...requests.values()].filter(({ exchanges }) =>
    exchanges.some(({ answered }) => answered?.calls.some((call) => call.arguments.includes(word))),
  );
  return callers.length === 1 ? callers[0] : undefined;
}

/** A process that was seen too late after a cancel. */
interface Survivor {
  readonly mark: Moment;
  readonly cancel: Moment;
  readonly tool: string;
  /** How long after the cancel it was seen alive (ms). */
  readonly lived: number;
}

/** The most requests with survivors that are remembered. */
const survivorsKept = 256;

const blame = ({ mark, cancel, tool, lived }: Survivor, id: string, view: BothView, at: Moment): Findings =>
  violated(
    at,
    `expected the process of the tool ${tool} to be gone within ${view.timeouts.gone} ms of the CancelRequest for ${id}; it was still there after ${Math.round(lived)} ms`,
    at.seq === mark.seq ? [cancel.seq] : [cancel.seq, mark.seq],
  );

/** Judges what a mark saw of the processes of a call. `seen`: how long before the mark they were last seen alive. */
function judgeMark(survivors: Map<string, Survivor>, event: TraceEvent, view: BothView): Findings {
  const { process: tool, word, alive, seen, unseen } = event.data;
  if (typeof unseen === 'string') return unknowable(event, unseen);
  const request = typeof word === 'string' ? callerOf(view, word) : undefined;
  if (request?.cancel === undefined) return undefined;
  const { id, cancel, ended } = request;
  const lived = event.at - (typeof seen === 'number' ? seen : 0) - cancel.at;
  if (lived <= view.timeouts.gone) return alive === false ? exercised(event) : undefined;
  const survivor = { mark: { seq: event.seq, at: event.at }, cancel, tool: JSON.stringify(tool), lived };
  if (ended === undefined && survivors.size < survivorsKept) survivors.set(id, survivor);
  return ended?.how === 'cancelled' ? blame(survivor, id, view, event) : undefined;
}

const endsProcesses: Rule<BothView> = rule({
  requirement: 'AGENT-21',
  listens: ['process', 'response.cancelled'],
  start: () => new Map<string, Survivor>(),
  step(survivors, event, view: BothView) {
    const request = requestOfResponse(view, event);
    if (request === undefined) return judgeMark(survivors, event, view);
    const survivor = survivors.get(request.id);
    survivors.delete(request.id);
    return survivor === undefined || request.ended !== undefined
      ? undefined
      : blame(survivor, request.id, view, event);
  },
});

export const processRules: readonly Rule<BothView>[] = [endsProcesses];
