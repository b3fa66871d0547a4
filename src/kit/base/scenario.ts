/**
 * A scenario: a list of steps that send and wait. It is data, without code and without judgement. Values may hold `$name`
 * for a variable, `${name}` inside a text, `{$fill: {text, bytes}}` for a large text, and forms of the suite, such as
 * `{$directive: [steps]}`.
 */
import type { JsonObject } from './json.ts';

/** A pattern of events: the sender, and a partial match of the data (`{}`: any object, `$any`: any value). */
export interface EventPattern {
  readonly from: string;
  /** Only what reaches this peer; absent: any. */
  readonly to?: string;
  /** One pattern, or several: one of them must match. */
  readonly match?: JsonObject | readonly JsonObject[];
  /** The kinds of events, such as `half_close`; absent: messages. */
  readonly kind?: string | readonly string[];
}

/** Waits for an event. Without it in time the scenario ends, unless the step is `optional`. */
export interface AwaitStep {
  readonly await: EventPattern & {
    /** A time in words (`5s`) or a variable (`$timeouts.cancel`); default `$timeouts.step`. */
    readonly within?: string;
    readonly optional?: boolean;
    /** The number of matching events; default 1. */
    readonly times?: number;
  };
  /** Variables taken from the event: name to path in its data, such as `response.tool_use.id`. */
  readonly as?: { readonly [name: string]: string };
  /** An event that also ends the wait: a peer without the feature shows another one. */
  readonly else?: { readonly await: EventPattern };
  /** An event after which the wait lasts at most this long. */
  readonly soon?: { readonly after: EventPattern; readonly within: string };
}

/** A field that the schema does not know, added to the bytes of a message. */
export interface UnknownField {
  readonly field: number;
  readonly wire_type: 0 | 1 | 2 | 5;
  /** The value of the field on the wire (without the length of wire type 2). */
  readonly hex: string;
}

export type ScenarioStep =
  | {
      readonly send: {
        readonly from: string;
        readonly message: JsonObject;
        readonly unknown?: readonly UnknownField[];
        /** Send it unchanged: it has no variables. */
        readonly verbatim?: boolean;
      };
      /** Variables with fresh values: `uuid`, or `nonce` for a short unique word. */
      readonly as?: { readonly [name: string]: 'uuid' | 'nonce' };
    }
  | { readonly raw: { readonly from: string; readonly hex: string } }
  /** Puts a mark into the trace: a fact for the rules about the next events. */
  | {
      readonly mark: JsonObject;
      /** Put it unchanged: it has no variables. */
      readonly verbatim?: boolean;
    }
  | AwaitStep
  | { readonly quiet: { readonly for: string } }
  /** Asks the target to stop in an orderly way (TERM). */
  | { readonly stop: 'target' }
  | { readonly end: { readonly from: string; readonly code: number; readonly message?: string } }
  | {
      readonly fault: {
        readonly on: string;
        readonly kind: 'cut' | 'reset' | 'stall' | 'slow' | 'split' | 'gather' | 'goaway';
        readonly for?: string;
        readonly rate?: number;
        readonly size?: number;
        /** The code of a `goaway`; default NO_ERROR. */
        readonly code?: 'NO_ERROR' | 'ENHANCE_YOUR_CALM';
      };
    }
  | { readonly barrier: string }
  | { readonly parallel: readonly (readonly ScenarioStep[])[] }
  | {
      readonly repeat: {
        readonly times: number;
        /** A variable that counts the rounds, from 1. */
        readonly as?: string;
        /** No further round begins once this event has come. A later step can still await the event. */
        readonly until?: EventPattern;
        readonly steps: readonly ScenarioStep[];
      };
    };

/** A scenario file, read and checked. */
export interface Scenario {
  /** The name of its file without extension. */
  readonly name: string;
  readonly title: string;
  readonly suite: string;
  readonly needs: {
    readonly drive: readonly string[];
    readonly features: readonly string[];
    /** Operations that it puts tests to. A testee that has none of these shows nothing in it; absent: there are none. */
    readonly ops?: readonly string[];
    /** Carriers on which it can be played; absent: all. */
    readonly carrier?: readonly string[];
    /** Timeouts that a statement or a flag must name: the kit does not wait so long by default. */
    readonly timeouts?: readonly string[];
    /** Tools of the target that a statement must name, each with a witness that it ran. */
    readonly tools?: readonly string[];
    /** Facts about the target's model that a statement must give, such as its window. */
    readonly model?: readonly string[];
    /** Whether a testee's clock must be the one that requests set; absent: no matter. */
    readonly virtual_time?: boolean;
  };
  /** The requirements that it exercises; the self-test checks this. */
  readonly exercises: readonly string[];
  /** Whether it begins before the target has registered, with a target of its own. */
  readonly fresh: boolean;
  /** Whether it leaves the target unfit for another scenario. */
  readonly alone: boolean;
  /** Whether it ends the target: with a single target it is played last. */
  readonly last: boolean;
  /** Operator's calls, by verb, that may end with an error. The error of another call ends the scenario; absent: no call. */
  readonly may_fail?: readonly string[];
  /** Options of the reference implementation as the target of this scenario. Other targets do not receive them. */
  readonly reference: JsonObject;
  /** Files, by name, whose appearance a mark notes: `{made: name}`. Only for targets that the kit starts. */
  readonly watches?: { readonly [name: string]: string };
  /** Tools of the target, by meaning, whose processes marks note: `{process: 'slow', alive: true}`. Needs a {nonce} in their input. */
  readonly processes?: readonly string[];
  readonly peers: { readonly [name: string]: { readonly role: string; readonly options: JsonObject } };
  readonly steps: readonly ScenarioStep[];
}
