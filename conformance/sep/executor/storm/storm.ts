/**
 * A storm: random runs of an executor on virtual time. The rules judge each run. Besides, each action must have an outcome
 * that the plan allows, after the time of its attempts; each response its text; and the same run must follow from the
 * same seed, and from outputs that are not cut. A second run of each seed has context feeds.
 */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { PlayStorm, Storm, StormRun } from '../../../../src/kit/suite/index.ts';
import { difference, shown } from '../../../../src/kit/testee/index.ts';
import { seededRandom } from '../../../../src/kit/world/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { byId, placesOf, textIn } from '../events.ts';
import type { RunEvents } from '../events.ts';
import { runFaults } from '../rules/index.ts';
import { numberIn } from '../model/known-action.ts';
import { feedStorm } from './feeds.ts';
import { attemptsOf, fatesOf } from './model.ts';
import type { Fate } from './model.ts';
import { keyOf, randomPlan } from './plan.ts';
import type { PlannedAction, RunPlan } from './plan.ts';

/** Answers one request of a testee. */
export type AnswerRun = (request: JsonObject) => JsonObject;

/** For `wireproof selftest sep/executor --seeds`. */
export const playExecutorStorm: PlayStorm = (run) => storm(sepManifestTestee, run);

/** Plays two runs a seed: one of actions alone, and one with feeds. `answer`: the executor, as a testee answers. */
export function storm(answer: AnswerRun, { from, count, onProgress }: StormRun): Storm {
  const failures: { seed: number; what: string }[] = [];
  let events = 0;
  for (let n = 0; n < count; n++) {
    const seed = from + n;
    const plan = randomPlan(seededRandom(`${seed} sep storm`));
    const run = eventsOf(answer, requestOf(plan.script));
    events += run.length;
    const again = n % 20 === 0 ? eventsOf(answer, requestOf(plan.script)) : run;
    const faults = [
      ...faultsOf(plan, run),
      ...differences('the same run', run, again),
      ...differences(
        'the run of outputs that are not cut',
        textless(eventsOf(answer, requestOf(plan.whole))),
        textless(run),
      ),
    ];
    const ofFeeds = feedStorm(seed, (request) => eventsOf(answer, request));
    events += ofFeeds.events.length;
    for (const what of [...faults, ...ofFeeds.faults, ...ruleFaults(ofFeeds.events)])
      failures.push({ seed, what });
    if (n % 100 === 99) onProgress(n + 1);
  }
  return { sessions: count, events, failures };
}

const requestOf = (script: RunPlan['script']): JsonObject => ({ ...(script as unknown as JsonObject) });

function eventsOf(answer: AnswerRun, request: JsonObject): RunEvents {
  const { ok } = answer({ id: 1, op: 'sep.run', ...request });
  const events = isObject(ok) ? ok['events'] : undefined;
  return isArray(events) ? events.filter((event): event is JsonObject => isObject(event)) : [];
}

/** The events without texts, which come in pieces as they are cut, and without positions. */
const textless = (events: RunEvents): RunEvents =>
  events.filter(
    ({ type }) => type !== 'thought' && type !== 'response' && type !== 'text' && type !== 'diagnostic',
  );

function differences(name: string, wanted: RunEvents, came: RunEvents): readonly string[] {
  const found = difference(name, [...wanted], [...came]);
  return found === undefined ? [] : [found];
}

const ruleFaults = (events: RunEvents): readonly string[] =>
  [...runFaults({ events: [...events] })].flatMap(([row, judged]) =>
    typeof judged === 'object' && 'violated' in judged ? [`${row}: ${judged.violated}`] : [],
  );

function faultsOf(plan: RunPlan, events: RunEvents): readonly string[] {
  const ends = placesOf(events, 'finished');
  const end = ends.length === 1 && ends[0] === events.length - 1 ? [] : ['expected finished once, and last'];
  const reason = events.at(-1)?.['reason'];
  const always = [...ruleFaults(events), ...end, ...onceOnly(plan, events), ...reasonFaults(plan, reason)];
  // A turn that failed is cut short: its other actions and its responses may have any fate.
  return reason === 'failed'
    ? always
    : [...always, ...fateFaults(plan, events), ...responseFaults(plan, events)];
}

/** The run ends for a reason that the plan allows. */
function reasonFaults({ actions, isFinal }: RunPlan, reason: Json | undefined): readonly string[] {
  const fates = fatesOf(actions);
  const fatal = actions.filter(({ id, onError }) => onError === 'fail' && fates.get(id)?.has('failed'));
  const isSure = fatal.some(({ id }) => fates.get(id)?.size === 1);
  const wanted = [
    ...(fatal.length === 0 ? [] : ['failed']),
    ...(isSure ? [] : [isFinal ? 'final' : 'max_iterations']),
  ];
  return wanted.some((one) => one === reason)
    ? []
    : [`expected the reason ${wanted.join(' or ')}; came ${shown(reason)}`];
}

/** No action starts twice, and each has at most one outcome. */
const onceOnly = ({ actions }: RunPlan, events: RunEvents): readonly string[] =>
  actions.flatMap(({ id }) =>
    [['started'], ['completed', 'failed', 'skipped']].flatMap((kinds) => {
      const length = kinds.reduce((sum, kind) => sum + placesOf(events, `${kind} ${id}`).length, 0);
      return length > 1 ? [`expected ${kinds.join(' or ')} ${id} once; came ${length} times`] : [];
    }),
  );

/** Every action has a fate that the plan allows, and its attempts take their time. */
function fateFaults({ actions }: RunPlan, events: RunEvents): readonly string[] {
  const fates = fatesOf(actions);
  const kinds = (['completed', 'failed', 'skipped', 'started'] as const).map(
    (kind) => [kind, byId(events, kind)] as const,
  );
  const started = byId(events, 'started');
  return actions.flatMap((action) => {
    const [fate, ofKind] = kinds.find(([, found]) => found.has(action.id)) ?? [];
    const allowed = [...(fates.get(action.id) ?? new Set<Fate>())];
    if (fate === undefined || !allowed.includes(fate))
      return [`expected ${action.id} to be ${allowed.join(' or ')}; came ${fate ?? 'nothing'}`];
    const end = ofKind?.get(action.id);
    const start = started.get(action.id);
    return end === undefined || start === undefined || fate === 'started'
      ? []
      : attemptFaults(action, numberIn(end, 'at') ?? NaN, numberIn(start, 'at') ?? NaN, end);
  });
}

function attemptFaults(
  action: PlannedAction,
  ended: number,
  began: number,
  end: JsonObject,
): readonly string[] {
  const { took, count, succeeds } = attemptsOf(action);
  const came = ended - began;
  return [
    ...(Math.abs(came - took) < 1e-4
      ? []
      : [`expected ${action.id} to take ${took} s in ${count} attempts; came ${came} s`]),
    ...(succeeds || end['attempts'] === count
      ? []
      : [`expected ${count} attempts of ${action.id}; came ${shown(end['attempts'])}`]),
  ];
}

/** Each response has its text, with the outputs of actions that were completed. */
function responseFaults({ actions, responses }: RunPlan, events: RunEvents): readonly string[] {
  const completed = byId(events, 'completed');
  const outputs = new Map(actions.map(({ id }) => [keyOf(id), completed.get(id)?.['output']]));
  const wanted = responses
    .map((text) =>
      text.replace(/\$(\w+)/, (written, name: string) => {
        const output = outputs.get(name);
        if (output === undefined) return written;
        return typeof output === 'string' ? output : JSON.stringify(output);
      }),
    )
    .join('');
  const came = events
    .filter(({ type }) => type === 'response')
    .map((event) => textIn(event, 'text'))
    .join('');
  return wanted === came
    ? []
    : [`expected the responses ${JSON.stringify(wanted)}; came ${JSON.stringify(came)}`];
}
