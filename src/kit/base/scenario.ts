/**
 * A scenario: who sends what, when, waiting for what. Data, with no code in it and no judgement. Values may hold
 * `$name` for a variable, `${name}` inside a text, `{$fill: {text, bytes}}` for a large text, and
 * `{$directive: [steps]}` for a content that tells a conformance agent what to do.
 */
import type { JsonObject } from './json.ts';

/** Which events: by sender, and by a partial match of their data (`{}`: any object, `$any`: anything). */
export interface EventPattern {
  readonly from: string;
  /** Only what reaches this peer; absent: any. */
  readonly to?: string;
  /** One pattern, or several of which any will do. */
  readonly match?: JsonObject | readonly JsonObject[];
  /** Instead of a message: an event of this kind, such as `half_close`, or of one of several. */
  readonly kind?: string | readonly string[];
}

/** Waiting for an event; not met in time, it ends the scenario, unless `optional`. */
export interface AwaitStep {
  readonly await: EventPattern & {
    /** A time in words (`5s`) or a variable (`$timeouts.cancel`); default `$timeouts.step`. */
    readonly within?: string;
    readonly optional?: boolean;
    /** How many matching events; default 1. */
    readonly times?: number;
  };
  /** Variables taken from the event: name to path in its data, such as `response.tool_use.id`. */
  readonly as?: { readonly [name: string]: string };
  /** What else will do: a peer without the feature shows something else. */
  readonly else?: { readonly await: EventPattern };
}

/** A field a schema does not know, added to the bytes of a message. */
export interface UnknownField {
  readonly field: number;
  readonly wire_type: 0 | 1 | 2 | 5;
  /** The field's value as it is on the wire (for wire type 2 without its length). */
  readonly hex: string;
}

/** One step of a scenario. */
export type ScenarioStep =
  | {
      readonly send: {
        readonly from: string;
        readonly message: JsonObject;
        readonly unknown?: readonly UnknownField[];
        /** Send it as it stands: nothing in it is a variable. */
        readonly verbatim?: boolean;
      };
      /** Variables made anew: `uuid`, or `nonce` for a short unique word. */
      readonly as?: { readonly [name: string]: 'uuid' | 'nonce' };
    }
  | { readonly raw: { readonly from: string; readonly hex: string } }
  /** Puts a mark into the trace: what rules are to know of what comes next. */
  | { readonly mark: JsonObject }
  | AwaitStep
  | { readonly quiet: { readonly for: string } }
  /** What the peer called `operator` asks: one call, such as `{send: {…}}`. */
  | { readonly operator: JsonObject; readonly as?: { readonly [name: string]: 'uuid' | 'nonce' } }
  /** Asks the target to stop in an orderly way, as its platform does (TERM). */
  | { readonly stop: 'target' }
  | { readonly end: { readonly from: string; readonly code: number; readonly message?: string } }
  | {
      readonly fault: {
        readonly on: string;
        readonly kind: 'cut' | 'reset' | 'stall' | 'slow' | 'split';
        readonly for?: string;
        readonly rate?: number;
        readonly size?: number;
      };
    }
  | { readonly barrier: string }
  | { readonly parallel: readonly (readonly ScenarioStep[])[] }
  | {
      readonly repeat: {
        readonly times: number;
        /** A variable that counts the rounds, from 1. */
        readonly as?: string;
        readonly steps: readonly ScenarioStep[];
      };
    };

/** A scenario file, read and checked. */
export interface Scenario {
  /** Its file's name without ending. */
  readonly name: string;
  readonly title: string;
  readonly suite: string;
  readonly needs: {
    readonly drive: readonly string[];
    readonly features: readonly string[];
    /** Operations that it puts tests to. A testee that has none of these shows nothing in it; absent: there are none. */
    readonly ops?: readonly string[];
    /** Carriers on which it can be played; none: on all. */
    readonly carrier?: readonly string[];
    /** Times that somebody must have named, because by default nobody waits so long. */
    readonly timeouts?: readonly string[];
  };
  /** The requirements it is there to exercise; the self-test holds it to them. */
  readonly exercises: readonly string[];
  /** Whether it begins before the target has registered, with a target of its own. */
  readonly fresh: boolean;
  /** Whether it leaves the target unfit for another scenario. */
  readonly alone: boolean;
  /** Whether it leaves no target behind: where there is only one, it is played last. */
  readonly last: boolean;
  /** Options that the reference implementation needs as the target of this scenario; no stranger is told. */
  readonly reference: JsonObject;
  readonly peers: { readonly [name: string]: { readonly role: string; readonly options: JsonObject } };
  readonly steps: readonly ScenarioStep[];
}
