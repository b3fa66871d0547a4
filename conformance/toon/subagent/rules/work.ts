/** TOON-40, 50, 52 and 54: how a subagent works on its instructions. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { exactText } from '../../../../src/kit/base/index.ts';
import type { Json, TraceEvent } from '../../../../src/kit/base/index.ts';
import type { Step } from '../../../../src/toon/index.ts';
import { messageOf, payloadOf } from '../../shared/view-peer.ts';
import type { Ask, OwnCall } from '../../shared/view-stream.ts';

import type { Meaning } from '../../shared/view-target.ts';
import type { ToonView } from '../../shared/view.ts';
import { leftUndone, neverDone } from '../../shared/rules/undone.ts';

/** The calls of a directive's only `tools` step, once all are answered; undefined otherwise. */
function reportedCalls({ steps = [], calls }: Ask): readonly OwnCall[] | undefined {
  const together = steps.filter((step) => 'tools' in step);
  const [step] = together;
  if (step === undefined || together.length > 1) return undefined;
  const of = calls.filter(({ type }) => type === 'TOOL_CALL').slice(-step.tools.length);
  return of.length === step.tools.length && of.every((call) => call.answered !== undefined) ? of : undefined;
}

const resultsOf = (calls: readonly OwnCall[]): string =>
  JSON.stringify(calls.map(({ answered }) => answered?.data));

/** The names of the calls that a step makes, and waits for. */
const callsOf = (step: Step): readonly string[] => {
  if ('tool' in step) return [step.tool.name];
  if ('tools' in step) return step.tools.map(({ name }) => name);
  return 'context' in step ? [step.context.path] : [];
};

/** A call of a directive that is completed although no answer has come: the target has taken another message for it. */
function unanswered({ ask, ends, stream, actsOnBadFrame: acts }: Meaning): OwnCall | undefined {
  if (ends !== 'completed' || ask?.steps === undefined || ask.excused || acts !== undefined) return undefined;
  const names: readonly unknown[] = ask.steps.flatMap(callsOf);
  return stream.bad.length > 0 ? undefined : stream.calls.find(({ name }) => names.includes(name));
}

const waitsForAnswers = (event: TraceEvent, { type, name, seq }: OwnCall): Findings => {
  const answer = type === 'TOOL_CALL' ? 'TOOL_RESULT' : 'CONTEXT_RESPONSE';
  return violated(
    event,
    `expected the directive to wait for the ${answer} of its ${type} ${exactText(name).slice(0, 60)}; it completed without one`,
    [seq],
  );
};

const matchesInOrder = rule({
  requirement: 'TOON-40',
  listens: ['target.STATUS'],
  start: () => null,
  step(_, event, view: ToonView): Findings {
    const { meaning } = view;
    const open = meaning === undefined ? undefined : unanswered(meaning);
    if (open !== undefined) return waitsForAnswers(event, open);
    const results: Json | undefined = payloadOf(messageOf(event))['results'];
    const calls = meaning?.ask === undefined ? undefined : reportedCalls(meaning.ask);
    if (calls === undefined || !Array.isArray(results) || meaning?.stream.lost !== undefined)
      return undefined;
    const came = JSON.stringify(results);
    const inCallOrder = resultsOf(calls);
    if (came === inCallOrder) return exercised(event);
    return violated(
      event,
      `expected each call to have its own result, by requestId or else in the order of the calls: ${inCallOrder.slice(0, 120)}; came ${came.slice(0, 120)}`,
      calls.map(({ seq }) => seq),
    );
  },
});

const endsEach = rule({
  requirement: 'TOON-50',
  listens: ['target', 'closing'],
  start: () => null,
  step(_, event, view: ToonView): Findings {
    if (event.kind !== 'message') return leftUndone('TOON-50', event, view, ending);
    const { ends, stray } = view.meaning ?? {};
    if (ends !== undefined) return exercised(event);
    if (stray !== 'late') return undefined;
    return violated(event, `expected no message about an INSTRUCTION that has ended; ${saidIn(event)} came`);
  },
  end: (_, view, last) => neverDone('TOON-50', view, last, ending),
});

const goesOnAfterComplaint = rule({
  requirement: 'TOON-54',
  listens: ['target'],
  start: () => null,
  step(_, event, view: ToonView): Findings {
    return view.meaning?.ask?.perhapsEnded === true ? exercised(event) : undefined;
  },
  end: (_, view, last) =>
    neverDone(
      'TOON-54',
      view,
      last,
      'the subagent to go on with the INSTRUCTION after its ERROR about a bad frame',
    ),
});

const ending = 'STATUS completed or an ERROR to end the INSTRUCTION';

/** A message in a few words. */
function saidIn(event: TraceEvent): string {
  const message = messageOf(event);
  return message.type === 'STATUS'
    ? `STATUS ${JSON.stringify(message.payload.status.slice(0, 60))}`
    : message.type;
}

const worksWhenAsked = rule({
  requirement: 'TOON-52',
  listens: ['target.STATUS', 'target.TOOL_CALL', 'target.CONTEXT_REQUEST'],
  start: () => null,
  step(_, event, view: ToonView) {
    const { meaning } = view;
    if (meaning?.ask !== undefined) return exercised(event);
    if (meaning?.stray === undefined) return undefined;
    const when =
      meaning.stray === 'early' ? 'before the first INSTRUCTION' : 'while no INSTRUCTION is active';
    return violated(event, `expected nothing ${when}; ${saidIn(event)} came`);
  },
});

export const subagentOnlyRules: readonly Rule<ToonView>[] = [
  matchesInOrder,
  endsEach,
  goesOnAfterComplaint,
  worksWhenAsked,
];
