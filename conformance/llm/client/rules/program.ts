/**
 * The rules about executions by a whole program. A witness shows an execution: a text in a result, or a file. The first
 * call of a scenario is complete: it shows that the witness works. Without that, nothing is judged.
 */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Moment, Rule } from '../../../../src/kit/judge/index.ts';
import type { LlmMessage } from '../../../../src/llm/index.ts';
import type { Witness } from '../agent-tool.ts';
import { forbiddenReasons, forbiddingRow, needsRepair, repaired } from '../executions.ts';
import { argumentsObject } from '../exchange.ts';
import type { AnswerAccount, Exchange, GeneratedCall } from '../exchange.ts';
import { requestOf } from '../requests.ts';
import { bodyIn, isJudged, providerNote } from '../view.ts';
import type { ClientView } from '../view.ts';

/** A call that must not run, and its exchange. */
interface Forbidden {
  readonly call: GeneratedCall;
  readonly exchange: Exchange;
}

/** The evidence about executions in a trace, so far. */
interface Evidence {
  /** Whether the complete call has shown its witness. */
  control: boolean;
  /** A request after the complete call that does not show its witness. */
  missed: Moment | undefined;
  /** The event that shows the execution of a forbidden call, and the witness in words. */
  ran: { readonly event: Moment; readonly by: string } | undefined;
  /** Whether the file of the forbidden call was made before the wire said that the call was cut. */
  early: boolean;
  /** Whether a request of the conversation came after a forbidden call. */
  asked: boolean;
  /** Whether the process of the program ended. */
  exited: boolean;
  /** The tools of the first request that offers any. */
  offered: readonly string[] | undefined;
  /** Whether a request offers the tool of the statement. */
  offersTool: boolean;
}

const noEvidence = (): Evidence => ({
  control: false,
  missed: undefined,
  ran: undefined,
  early: false,
  asked: false,
  exited: false,
  offered: undefined,
  offersTool: false,
});

/** The witness of the scenario, if the scenario is for this row, or can show a repair. */
function witnessFor(row: string, { ask, about }: ClientView): Witness | undefined {
  const { witness } = ask?.program === true ? ask.about : about;
  if (!isObject(witness) || (witness['row'] !== row && row !== repaired)) return undefined;
  const { tool, control, forbidden, file } = witness;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    row: text(witness['row']) ?? '',
    tool: text(tool) ?? '',
    control: text(control),
    forbidden: text(forbidden),
    file: file === true,
  };
}

/** Whether the wire shows the fault of a call. In a whole body of Anthropic's, arguments are an object in any case. */
const isVisible = (row: string, { streamed, dialect }: Exchange): boolean =>
  streamed || dialect !== 'anthropic' || row === 'LLM-C01';

/** Whether the row forbids to run a call. Every run of a call that needs repair is a run of a repaired call. */
const isForbidden = (row: string, call: GeneratedCall, answered: AnswerAccount): boolean => {
  const by = forbiddingRow(call, answered);
  return by === row || (row === repaired && by !== undefined && needsRepair(call));
};

function forbiddenBy(row: string, exchanges: readonly Exchange[]): readonly Forbidden[] {
  return exchanges.flatMap((exchange) => {
    const answered: AnswerAccount | undefined = exchange.answered;
    if (answered === undefined || !isVisible(row, exchange)) return [];
    return answered.calls
      .filter((call) => isForbidden(row, call, answered))
      .map((call): Forbidden => ({ call, exchange }));
  });
}

/** The number of calls that a program may run. */
const permittedCalls = (exchanges: readonly Exchange[]): number =>
  exchanges
    .flatMap(({ answered }) => answered?.calls.map((call) => forbiddingRow(call, answered)) ?? [])
    .filter((row) => row === undefined).length;

/** Contents that do not come from the model: results of calls, and texts of the user. */
const contentsOf = (messages: readonly LlmMessage[]): readonly string[] =>
  messages.flatMap(({ role, content, toolResults = [] }) => [
    ...(role === 'assistant' ? [] : [content]),
    ...toolResults.map((result) => result.content),
  ]);

/** Takes the witnesses in a request. */
function takeRequest(evidence: Evidence, row: string, event: TraceEvent, view: ClientView): void {
  const witness = witnessFor(row, view);
  const detail = providerNote(event);
  if (witness === undefined || detail === undefined || typeof detail['dialect'] !== 'string') return;
  noteTools(evidence, witness, detail['tools']);
  const { ask } = view;
  const body = bodyIn(view, detail);
  if (ask?.program !== true || body === undefined || !isJudged(ask, detail, body)) return;
  const request = requestOf(detail['dialect'], body);
  if (!request.ok) return;
  const contents = contentsOf(request.value.messages);
  takeContents(evidence, witness, contents, ask.exchanges, event);
  if (forbiddenBy(row, ask.exchanges).length > 0) evidence.asked = true;
}

function noteTools(evidence: Evidence, { tool }: Witness, tools: unknown): void {
  const names = Array.isArray(tools) ? tools.map(String) : [];
  if (names.length > 0) evidence.offered ??= names;
  evidence.offersTool ||= names.includes(tool);
}

function takeContents(
  evidence: Evidence,
  { control, forbidden }: Witness,
  contents: readonly string[],
  exchanges: readonly Exchange[],
  event: TraceEvent,
): void {
  const permitted = permittedCalls(exchanges);
  if (control !== null && forbidden !== null) {
    const shown = (text: string): number => contents.filter((content) => content.includes(text)).length;
    evidence.control ||= shown(control) > 0;
    // Where each call shows the same text, one result more than permitted calls shows the execution.
    const more = control === forbidden ? permitted : 0;
    if (shown(forbidden) > more)
      evidence.ran ??= { event, by: `a later request contains its result ("${forbidden}")` };
  }
  if (permitted > 0 && !evidence.control) evidence.missed ??= event;
}

/** Takes the note that a file was made. */
function takeMark(evidence: Evidence, event: TraceEvent, { ask }: ClientView): void {
  const { made } = event.data;
  if (made === 'control') evidence.control = true;
  if (made !== 'forbidden') return;
  const asked = ask?.exchanges.findLast(({ judged }) => judged);
  evidence.early = asked?.answered === undefined && asked?.toldCut !== true;
  evidence.ran ??= { event, by: 'it made its file' };
}

/**
 * Whether a run is lawful because of its time. A call with whole arguments looks complete until its answer ends, or until an
 * item says that it was cut: a program may run it before. Only a file shows when that was.
 */
const mayBeEarly = ({ early }: Evidence, { file }: Witness, call: GeneratedCall): boolean =>
  argumentsObject(call) !== undefined && (early || !file);

/** The verdict at the end of a trace. */
function conclude(row: string, evidence: Evidence, view: ClientView, last: TraceEvent): Findings {
  const witness = witnessFor(row, view);
  const { ask } = view;
  if (witness === undefined || ask?.program !== true) return undefined;
  const [first] = forbiddenBy(row, ask.exchanges);
  const { ran, control, asked, exited } = evidence;
  if (first !== undefined && ran !== undefined) {
    const { call, exchange } = first;
    if (mayBeEarly(evidence, witness, call)) return undefined;
    const why = forbiddenReasons[row] ?? '';
    const message = `expected ${call.name} not to be executed, because ${why} (${call.arguments.slice(0, 120)}); ${ran.by}`;
    return violated(ran.event, message, [exchange.seq]);
  }
  // A scenario for another row shows repairs, but is not there to show that there are none.
  if (witness.row !== row) return undefined;
  const unclear = uncertainty(evidence, witness, ask.exchanges, first);
  if (unclear !== undefined) return unknowable(last, unclear);
  if (first === undefined || !control) return undefined;
  // Without a further request, only a file could have shown an execution.
  return asked || (exited && witness.file) ? exercised(last) : undefined;
}

/** Why the trace cannot show whether a call was run. Undefined when it can. */
function uncertainty(
  { control, missed, offered, offersTool, exited }: Evidence,
  { tool, control: text, file }: Witness,
  exchanges: readonly Exchange[],
  first: Forbidden | undefined,
): string | undefined {
  if (offered !== undefined && !offersTool)
    return `the program does not offer the tool ${tool}, which the statement names; it offers ${offered.slice(0, 12).join(', ')}`;
  if (!control && missed !== undefined) {
    const sign = [text === null ? '' : `show "${text}" in its result`, file ? 'make its file' : '']
      .filter((one) => one !== '')
      .join(' or ');
    return `a complete call of ${tool} with the input of the statement did not ${sign}, so no witness shows an execution`;
  }
  if (first !== undefined) return undefined;
  if (exchanges.some(({ streamed, judged }) => judged && !streamed))
    return 'the program does not stream, and its answers do not show this fault';
  const [asks] = exchanges.filter(({ judged }) => judged);
  if (asks === undefined) return undefined;
  return exited
    ? 'the program ended before it asked for the answer with the call that must not run'
    : 'the program did not ask for the answer with the call that must not run, and did not end in its time';
}

/** A rule for each requirement that forbids a call to run. */
export const programRules: readonly Rule<ClientView>[] = Object.keys(forbiddenReasons).map((row) =>
  rule({
    requirement: row,
    listens: ['told.request', 'mark', 'process'],
    start: noEvidence,
    step(evidence, event, view: ClientView) {
      if (event.kind === 'process') evidence.exited = true;
      else if (providerNote(event) === undefined) takeMark(evidence, event, view);
      else takeRequest(evidence, row, event, view);
      return undefined;
    },
    end: (evidence, view: ClientView, last) => conclude(row, evidence, view, last),
  }),
);
