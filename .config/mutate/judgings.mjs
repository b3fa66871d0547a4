// Judges the traces of a suite's tests with one mutation switched on.

/** The mutation that is switched on; -1: none. */
let active = -1;
/** Called with each mutation whose place is reached. */
let onReach = (_mutation) => {};
/** The places that the judging of a trace may still reach: a mutated loop may be endless. */
let placesLeft = Infinity;
globalThis.mutated = (id) => {
  if (--placesLeft < 0) throw new Error('an endless loop');
  onReach(id);
  return id === active;
};

/** The mutation whose value is compared with the original one, and whether they differed. */
let watched = -1;
let differed = false;
globalThis.probe = (id, value, other) => {
  if (id !== watched || differed) return value;
  watched = -1;
  try {
    const changed = other();
    differed =
      typeof changed === 'object' || typeof value === 'object' ? !changed !== !value : changed !== value;
  } catch {
    differed = true;
  }
  watched = id;
  return value;
};

/** The places that the loading of a suite or a judging of one trace may reach, and how many more each event allows. */
const mostPlaces = 2_000_000;
const placesPerEvent = 2000;

/** Judges the traces of suites with mutations. */
export class Judgings {
  #load;
  #kit;
  /** The mutations whose place is reached when the modules load. */
  #atLoad = new Set();
  /** Of the last suite, by mutation: the traces that reach it, each with the requirements whose rules do. */
  #places = new Map();

  /** @param load - evaluates the modules of the kit, and returns their exports */
  constructor(load) {
    this.#load = load;
    this.#kit = this.#loading(load);
  }

  get kit() {
    return this.#kit;
  }

  /** Loads a suite as it is. */
  suite(id) {
    return this.#loading(() => this.#kit.registry.loadSuite(id));
  }

  #loading(load) {
    onReach = (mutation) => this.#atLoad.add(mutation);
    const loaded = load();
    const done = () => (onReach = () => {});
    if (loaded instanceof Promise) return loaded.finally(done);
    done();
    return loaded;
  }

  /**
   * Judges the traces of a suite with each mutation that they reach.
   *
   * @returns by mutation: the name of the test that fails; undefined when it survives
   */
  async judgeSuite(id, groups, wanted) {
    const suite = await this.suite(id);
    const places = this.#baseline(suite.judging, groups);
    this.#places = places;
    const results = new Map();
    for (const [mutation, place] of places) {
      if (!wanted(mutation)) continue;
      const judging = this.#atLoad.has(mutation) ? await this.#reloaded(id, mutation) : suite.judging;
      const killer =
        judging === undefined ? 'it does not load' : this.#killer(mutation, judging, groups, place);
      results.set(mutation, killer);
    }
    return results;
  }

  /** Judges all traces as they are. @returns by mutation: the traces that reach it, each with the rules that do */
  #baseline(judging, groups) {
    const places = new Map();
    const isWhole = (group) => !group.fails(group.judged);
    for (const [g, group] of groups.entries()) {
      const judge = ({ events }, t) => this.#judge(noted(judging, places, g, t), events);
      group.judged = group.traces.map(judge);
      if (!isWhole(group) && group.more !== undefined) {
        const before = group.traces.length;
        group.traces.push(...group.more());
        group.judged.push(...group.traces.slice(before).map((trace, i) => judge(trace, before + i)));
      }
      if (!isWhole(group)) throw new Error(`${group.name} fails without a mutation`);
    }
    // A mutation at load changes objects that all traces use, perhaps for rules whose functions are in other files.
    for (const mutation of this.#atLoad) places.set(mutation, allOf(groups));
    return places;
  }

  /** Judges events as they are, or with a mutation switched on; undefined when that throws. `rules`: of these requirements. */
  judged(judging, events, rules, mutation = -1) {
    active = mutation;
    try {
      return this.#judge(judging, events, rules);
    } catch {
      return undefined;
    } finally {
      active = -1;
      placesLeft = Infinity;
    }
  }

  /** Whether the judging of events reaches a mutation with another value: without it, no verdict can differ. */
  differs(judging, events, rules, mutation) {
    watched = mutation;
    differed = false;
    const judged = this.judged(judging, events, rules);
    watched = -1;
    return judged !== undefined && differed;
  }

  /** The judging of a suite with a mutation, and the traces that reach it: for a search after {@link judgeSuite}. */
  async place(id, mutation) {
    const { judging } = await this.suite(id);
    return {
      isAtLoad: this.#atLoad.has(mutation),
      judging: this.#atLoad.has(mutation) ? await this.#reloaded(id, mutation) : judging,
      original: judging,
      traces: this.#places.get(mutation),
    };
  }

  #killer(mutation, judging, groups, place) {
    active = mutation;
    try {
      for (const [g, traces] of place) {
        const group = groups[g];
        const judged = [...group.judged];
        for (const [t, rules] of [...traces].slice(0, group.most))
          judged[t] = merged(judged[t], this.#judge(judging, group.traces[t].events, rules), rules);
        if (group.fails(judged)) return group.name;
      }
      return undefined;
    } catch (error) {
      return String(error);
    } finally {
      active = -1;
    }
  }

  #judge(judging, events, rules) {
    placesLeft = mostPlaces + events.length * placesPerEvent;
    const judge = new this.#kit.Judge(judging, rules);
    for (const event of events) judge.step(event);
    const found = [...judge.end()];
    placesLeft = Infinity;
    const ids = (is) => new Set(found.flatMap(([id, one]) => (is(one) ? [id] : [])));
    return {
      violated: ids((one) => one.violations.length > 0),
      exercised: ids((one) => one.exercised > 0),
      unknowable: ids((one) => one.unknowable !== undefined),
    };
  }

  /** Loads the suite's modules anew, with the mutation. @returns undefined when they do not load */
  async #reloaded(id, mutation) {
    active = mutation;
    placesLeft = mostPlaces;
    try {
      return (await this.#load().registry.loadSuite(id)).judging;
    } catch {
      return undefined;
    } finally {
      active = -1;
    }
  }
}

/** Every trace of all groups, with all rules. */
const allOf = (groups) =>
  new Map(groups.map(({ traces }, g) => [g, new Map(traces.map((_, t) => [t, undefined]))]));

/** A judging that notes, for each place, the trace and the requirement whose rule reaches it. */
function noted(judging, places, g, t) {
  const note = (requirement) => (mutation) => {
    const place = places.get(mutation) ?? new Map();
    places.set(mutation, place);
    const traces = place.get(g) ?? new Map();
    place.set(g, traces);
    const rules = traces.get(t) ?? new Set();
    traces.set(t, rules.add(requirement));
  };
  const rules = judging.rules.map((rule) => {
    const reach = note(rule.requirement);
    const wrapped = Object.entries(rule).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      return [
        name,
        (...args) => {
          onReach = reach;
          const result = value(...args);
          // A generator runs when it is read: it is read here.
          const read = typeof result?.next === 'function' ? [...result] : result;
          onReach = () => {};
          return read;
        },
      ];
    });
    return Object.fromEntries(wrapped);
  });
  return { ...judging, rules, view: judging.view };
}

/** A judging of some rules, with the others as they were. `rules` undefined: of all. */
function merged(before, now, rules) {
  if (rules === undefined) return now;
  const merge = (name) => new Set([...[...before[name]].filter((id) => !rules.has(id)), ...now[name]]);
  return { violated: merge('violated'), exercised: merge('exercised'), unknowable: merge('unknowable') };
}
