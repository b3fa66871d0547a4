/**
 * Joins units that a dialect may send as one: servers decide how much one delta, event or line holds. Each dialect says
 * which two units are one (its `join.ts`).
 */
import type { Joined, Renderer, Unit } from '../../messages.ts';

/** The unit that two units in a row make; undefined: they stay two. */
export type JoinUnits = (before: Unit, next: Unit) => Unit | undefined;

/** A renderer whose units are joined. It holds the last unit back until the next one shows whether they are one. */
export function joinUnits(renderer: Renderer, join: JoinUnits): Renderer {
  let held: Unit | undefined;
  const pass = (units: readonly Unit[]): readonly Unit[] => {
    const passed: Unit[] = [];
    for (const unit of units) {
      const one = held === undefined ? unit : join(held, unit);
      if (held !== undefined && one === undefined) passed.push(held);
      held = one ?? unit;
    }
    return passed;
  };
  return {
    begin: () => pass(renderer.begin()),
    open: (block) => pass(renderer.open(block)),
    piece: (text, block) => pass(renderer.piece(text, block)),
    close: (block) => pass(renderer.close(block)),
    end() {
      const passed = pass(renderer.end());
      const last = held === undefined ? [] : [held];
      held = undefined;
      return [...passed, ...last];
    },
  };
}

/** Two texts in a row, of members that a renderer wrote. */
export const textsOf = (before: unknown, next: unknown): string =>
  [before, next].map((text) => (typeof text === 'string' ? text : '')).join('');

/** Whether a turn joins these. */
export const joins = (joined: readonly Joined[] | undefined, what: Joined): boolean =>
  joined?.includes(what) === true;
