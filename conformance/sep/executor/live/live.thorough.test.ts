/**
 * The kill table of the rules about live runs: the events of each mutant, without the facts of a test, are judged as those
 * of a live run. Besides, runs of the storm with odd but lawful events break no rule.
 */
import { describe, expect, it } from 'vitest';
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { seededRandom } from '../../../../src/kit/world/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { vectorsOf } from '../../vectors-of.ts';
import { textIn } from '../events.ts';
import { executorFaults, executorMutants } from '../mutants/index.ts';
import { answersWith } from '../mutants/mutant.ts';
import { runFaults, runRules } from '../rules/index.ts';
import { randomPlan } from '../storm/plan.ts';

type Answers = (request: JsonObject) => JsonObject;

const eventsOf = (answer: JsonObject): readonly JsonObject[] => {
  const events = isObject(answer['ok']) ? answer['ok']['events'] : undefined;
  return isArray(events) ? events.filter((event): event is JsonObject => isObject(event)) : [];
};

const idOf = ({ action }: JsonObject): string => (isObject(action) ? textIn(action, 'id') : '');

/** A request, and the events of the reference. */
interface Run {
  readonly request: JsonObject;
  readonly events: readonly JsonObject[];
}

/** A mutant reads its outputs as the reference does, also where it is made by a change of them. */
function liveEvents(answers: Answers, { request, events }: Run): readonly JsonObject[] {
  const actions = new Map(
    events.filter(({ type }) => type === 'action').map((event) => [idOf(event), event['action'] ?? null]),
  );
  return eventsOf(answers(request)).map((event) => {
    const action = event['type'] === 'action' ? actions.get(idOf(event)) : undefined;
    return action === undefined ? event : { ...event, action };
  });
}

const violatedBy = (events: readonly JsonObject[]): readonly string[] =>
  [...runFaults({ events })].flatMap(([row, judged]) =>
    typeof judged === 'object' && 'violated' in judged ? [row] : [],
  );

const act = (id: string, body: JsonObject): string =>
  `<action type="tool" mode="sync" id="${id}">${JSON.stringify({ name: id, ...body })}</action>`;

/** Two names, of which one is the begin of the other. */
const twoNames: JsonObject = {
  id: 1,
  op: 'sep.run',
  iterations: [
    [
      act('a', { output_key: 'page' }),
      act('b', { output_key: 'page_2' }),
      act('use', { depends_on: ['a', 'b'], parameters: { p: '$page_2!' } }),
    ],
  ],
  providers: { a: [{ after: 1, output: 'one' }], b: [{ after: 1, output: 'two' }], use: [{ output: 1 }] },
};

const tests = vectorsOf('sep.run')
  .flatMap(({ vectors }) => vectors.groups.flatMap((group) => group.tests))
  .map((test) => ({ op: 'sep.run', ...(test as unknown as JsonObject) }));

const plans = Array.from({ length: 60 }, (_, seed) => randomPlan(seededRandom(`${seed} live`)).whole).map(
  (script) => ({ id: 1, op: 'sep.run', ...(script as unknown as JsonObject) }),
);

const runs: readonly Run[] = [twoNames, ...tests, ...plans].map((request) => ({
  request,
  events: eventsOf(sepManifestTestee(request)),
}));

/** Mutants whose fault the events of a live run do not show. */
const unseen: { readonly [mutant: string]: string } = {
  'waits-for-forgotten': 'how long a fire_and_forget action runs is not told',
  'starts-last': 'when the model wrote a text is not told',
  'orphans-wait': 'an action without an outcome breaks SEP-78',
  'cycle-ends-turn': 'actions without an outcome break SEP-78',
  'drops-unnamed': 'what is not declared is not seen',
  milliseconds: 'an action may fail before its time is over',
  'timeout-of-all': 'too few attempts break SEP-38',
  'no-end': 'a recording may end before its run',
  'missing-silently': 'a name without a value may be one that the caller gave, with this text as its value',
  'first-response-alone': 'what is not shown is not seen',
  'one-iteration': 'a run may have one iteration',
  'no-cap': 'a recording may end before its run',
  'feeds-as-texts': 'the text of a feed may be its value',
  'first-values': 'a fetch may end after the start of an action',
  'keeps-from-model': 'an output of another iteration is not seen to be changed',
  'adds-nothing': 'a feed that was added may be disabled, or its fetch fail',
  'updates-unknown': 'a feed that never had a value may stand in the manifest',
  'undoes-nothing': 'no event need tell which actions have a rollback',
  'counts-on': 'when an attempt begins is not told',
  'first-part-alone': 'what is not told leaves no trace',
  'ids-for-ever': 'an action that fails may be denied',
  'adds-the-old': 'what the source of a feed gives is not told',
  'timer-of-before': 'when an attempt begins is not told',
  'late-output': 'when an attempt begins is not told',
  'ids-of-the-iteration': 'the dependency that it reads is not the one that was written',
  'cycles-spread': 'the dependency that it reads is not the one that was written',
  'keeps-forgotten-outputs': 'a name without a value may be one that the caller gave',
  'ids-before-keys': 'the output key that it does not read is not told',
  'names-are-variables': 'a name without a value may be one that the caller gave',
  'trims-templates': 'an output that the rule may compare does not stand between blanks',
  'other-runs': 'a name without a value may be one that the caller gave',
  'tails-move': 'a text that moved may be one that was written there',
  'unclosed-is-final': 'what was written is not told',
  'twice-silently': 'an action that is not run leaves no event',
  'forgets-ids': 'two dollar signs may be what was written',
};

const seen = executorMutants().filter(({ id }) => !Object.hasOwn(unseen, id));

const noFault = (): undefined => undefined;

describe('the rules about live runs', () => {
  it('blame nothing in the runs of the reference', () => {
    expect(runs.flatMap(({ events }) => violatedBy(events))).toEqual([]);
  });

  it.each(seen.filter(({ breaks }) => Object.hasOwn(runRules, breaks)))(
    'name $breaks for the mutant $id',
    ({ id, breaks }) => {
      const answer = answersWith(executorFaults[id] ?? noFault);
      expect(runs.some((run) => violatedBy(liveEvents(answer, run)).includes(breaks))).toBe(true);
    },
  );

  it('each name a mutant', () => {
    const named = seen.map(({ breaks }) => breaks);
    expect(Object.keys(runRules).filter((row) => !named.includes(row))).toEqual([]);
  });
});

/** Events that spec/sep/README.md leaves open. */
const lawful: { readonly [title: string]: (event: JsonObject) => readonly JsonObject[] } = {
  'has no parameters in its events started': (event) => {
    const { parameters: _, ...others } = event;
    return [event['type'] === 'started' ? others : event];
  },
  'has no diagnostics': (event) => (event['type'] === 'diagnostic' ? [] : [event]),
  'gives advice': (event) => [
    ...(event['type'] === 'finished'
      ? []
      : [{ type: 'diagnostic', level: 'info', code: 'x', message: 'Better: $a.' }]),
    event,
  ],
  'has no ends of responses': (event) => (event['type'] === 'response_end' ? [] : [event]),
  'shows text in pieces': (event) => {
    const text = textIn(event, 'text');
    return event['type'] === 'response' ? text.split('').map((one) => ({ ...event, text: one })) : [event];
  },
  'has no times': (event) => {
    const { at: _, ...others } = event;
    return [others];
  },
  'names a cause in words': (event) =>
    event['type'] === 'skipped'
      ? [{ ...event, because: `${textIn(event, 'because')} has no result` }]
      : [event],
  'is half a second late': (event) => {
    const at = Number(event['at']);
    return [event['type'] === 'started' ? { ...event, at: at + 0.5 } : event];
  },
};

it.each(Object.entries(lawful))('an executor that %s breaks no rule', (_, edit) => {
  for (const { events } of runs) expect(violatedBy(events.flatMap(edit))).toEqual([]);
});
