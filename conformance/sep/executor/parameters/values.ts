/**
 * Compares the parameters with which an action starts with those that its event `action` has. Only references to outputs
 * that certainly have a value are judged: a name without an output may be a variable that the caller gave.
 */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { mismatch } from '../../../../src/kit/testee/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import type { KnownAction } from '../model/known-action.ts';
import type { Names, RowFinding, ValueOf } from './named-value.ts';
import { textFindings } from './texts.ts';
import { partsOf } from '../references.ts';
import type { RunFacts } from '../model/run-facts.ts';

/** What the start of an action shows about the rows of references. Of each row the first bad finding counts. */
export function startFindings(
  facts: RunFacts,
  action: KnownAction,
  event: JsonObject,
): ReadonlyMap<string, Judgement> {
  const { parameters: came } = event;
  const { parameters: written } = action;
  const found = new Map<string, Judgement>();
  if (written === undefined || came === undefined || facts.hasForgotten) return found;
  const { actions, keys, missing } = facts;
  const names: Names = {
    valueOf: valuesFor(facts, action, event),
    isMissing: (name) => missing.has(name) && !keys.has(name) && !actions.has(name),
  };
  for (const [row, judgement] of findingsIn({ written, came, level: 0 }, names))
    if (!found.has(row) || typeof judgement === 'object') found.set(row, judgement);
  return found;
}

/** A written value, and the one that came for it. */
interface ValuePair {
  readonly written: Json;
  readonly came: Json;
  /** How deep it stands; 1: a parameter. */
  readonly level: number;
}

function* findingsIn({ written, came, level }: ValuePair, names: Names): Generator<RowFinding> {
  if (typeof written === 'string') {
    yield* textFindings({ written, came, isInner: level > 1 }, names);
  } else if (isArray(written)) {
    if (!isArray(came) || came.length !== written.length) return;
    for (const [i, one] of written.entries())
      yield* findingsIn({ written: one, came: came[i] ?? null, level: level + 1 }, names);
  } else if (isObject(written) && isObject(came)) {
    for (const [key, one] of Object.entries(written)) {
      yield* keyFindings(key, came, names.valueOf);
      const inner = Object.hasOwn(came, key) ? came[key] : undefined;
      if (inner !== undefined) yield* findingsIn({ written: one, came: inner, level: level + 1 }, names);
    }
  }
}

/** A key with a reference to a value stays as it is (SEP-44). */
function* keyFindings(key: string, came: JsonObject, valueOf: ValueOf): Generator<RowFinding> {
  if (!partsOf(key).some((part) => part.is === 'reference' && valueOf(part.name) !== undefined)) return;
  yield [
    'SEP-44',
    Object.hasOwn(came, key)
      ? 'exercised'
      : mismatch(`the key ${key} as it is`, Object.keys(came).join(', ')),
  ];
}

/** The values of names at the start of an action. */
function valuesFor(facts: RunFacts, action: KnownAction, event: JsonObject): ValueOf {
  const isCertain = ({ id, ended }: KnownAction): boolean =>
    ended !== undefined &&
    (action.dependsOn.includes(id) ||
      ended.n < action.declared.n ||
      // Of two things at the same time, the executor may have done the other one first.
      (typeof event['at'] === 'number' && ended.at !== undefined && ended.at < event['at']));
  return (name) => {
    const byKey = facts.keys.get(name);
    const byId = facts.actions.get(name);
    const producer = facts.keys.has(name) ? byKey : byId;
    if (producer === null || producer?.generated !== false || producer.ended === undefined) return undefined;
    const { output: value, ended, iteration } = producer;
    if (value === undefined || !isCertain(producer)) return undefined;
    return {
      value,
      ofId: byKey === undefined ? undefined : byId?.output,
      isId: byKey === undefined,
      isLate: ended.n > action.declared.n,
      isOlder: iteration < action.iteration,
    };
  };
}
