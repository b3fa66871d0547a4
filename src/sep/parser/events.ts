/** The events of a model's output: what the parser finds in it, in order. */
import type { JsonObject } from '../../kit/base/index.ts';

/** The kinds of actions (SEP-27). `internal` is a built-in of the executor. */
export const actionTypes = ['tool', 'agent', 'relic', 'workflow', 'llm', 'internal'] as const;
/** A kind of action. */
export type ActionType = (typeof actionTypes)[number];

/** How an action runs: `sync` delays later actions, `async` does not, `fire_and_forget` has no tracked result. */
export const actionModes = ['sync', 'async', 'fire_and_forget'] as const;
/** A mode of an action. */
export type ActionMode = (typeof actionModes)[number];

/** The reactions to an action that fails (SEP-40). */
export const errorReactions = ['skip', 'fail', 'retry'] as const;
/** A reaction to an action that fails. */
export type ErrorReaction = (typeof errorReactions)[number];

/** The action that undoes another one: the extension `rollback`. */
export interface SepRollback {
  readonly name: string;
  readonly parameters: JsonObject;
  /** Absent: the type of the action. */
  readonly type?: ActionType;
  /** Its time limit (s). Absent: that of the executor. */
  readonly timeout?: number;
}

/** An action that a model asks for: its attributes and its body, with the defaults of both. */
export interface SepAction {
  readonly id: string;
  /** Whether the parser made the id. No other action can depend on it (SEP-25). */
  readonly generated?: true;
  readonly type: ActionType;
  readonly mode: ActionMode;
  /** The name of the tool, agent, service, workflow or model task. */
  readonly name: string;
  readonly parameters: JsonObject;
  /** The name of the variable that holds the output. */
  readonly output_key?: string;
  /** The ids of the actions that must succeed first. */
  readonly depends_on: readonly string[];
  /** The time limit of an attempt (s). */
  readonly timeout?: number;
  /** The number of further attempts after the first one fails. */
  readonly retry?: number;
  readonly on_error: ErrorReaction;
  readonly rollback?: SepRollback;
}

/** A pattern of actions (the extension `templates`). Members that it leaves open are absent. */
export interface ActionTemplate {
  readonly type: ActionType;
  readonly name: string;
  readonly parameters: JsonObject;
  /** The parameters that each of its actions has to give. */
  readonly requires: readonly string[];
  readonly output_key?: string;
  readonly depends_on?: readonly string[];
  readonly timeout?: number;
  readonly retry?: number;
  readonly on_error?: ErrorReaction;
}

/** The names of blocks: a condition, a loop and a group. */
export const blockNames = ['if', 'foreach', 'parallel'] as const;
/** The name of a block. */
export type BlockName = (typeof blockNames)[number];

/** The reasons of advice. */
export type AdviceCode = 'advice-sync' | 'advice-undeclared-dependency' | 'advice-unused-dependency';

/** The reasons of diagnostics. The README of the specification explains each. */
export type DiagnosticCode =
  | AdviceCode
  | 'action-in-response'
  | 'after-final'
  | 'attribute-depends-on'
  | 'attribute-missing'
  | 'attribute-repeated'
  | 'attribute-value'
  | 'bad-condition'
  | 'bad-template'
  | 'block-too-large'
  | 'body-fields'
  | 'body-json'
  | 'body-too-large'
  | 'duplicate-id'
  | 'duplicate-template'
  | 'feed-failed'
  | 'missing-id'
  | 'missing-name'
  | 'missing-variable'
  | 'no-list'
  | 'stray-close'
  | 'tag-too-long'
  | 'too-deep'
  | 'too-many-parts'
  | 'too-many-retries'
  | 'too-many-rounds'
  | 'unclosed-action'
  | 'unclosed-block'
  | 'unclosed-comment'
  | 'unclosed-feed'
  | 'unclosed-response'
  | 'unclosed-thought'
  | 'unknown-mode'
  | 'unknown-type'
  | 'value-refused';

/** A remark about the output. It changes nothing that was emitted before. */
export interface SepDiagnostic {
  readonly type: 'diagnostic';
  readonly code: DiagnosticCode;
  readonly message: string;
  /** `info`: advice of an executor, and no fault. Absent: a fault. */
  readonly level?: 'info';
  /** The position in the output (characters: UTF-16 units). */
  readonly offset: number;
}

/** An event of the parser. Text comes in pieces as it arrives: the pieces of a block, put together, are its text. */
export type SepEvent =
  /** `depth`: 1, and one more for each thought around it, if the extension `sub_thoughts` is on. */
  | { readonly type: 'thought'; readonly text: string; readonly depth?: number }
  /** `values`: in a loop, those of its own names that the parameters name. */
  | { readonly type: 'action'; readonly action: SepAction; readonly values?: JsonObject }
  | { readonly type: 'response'; readonly text: string; readonly final: boolean }
  | { readonly type: 'response_end'; readonly final: boolean; readonly complete: boolean }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'context_feed'; readonly id: string; readonly text: string }
  /** A block begins: what follows belongs to it, up to its `block_end`. */
  | {
      readonly type: 'block';
      readonly name: BlockName;
      readonly attributes: { readonly [name: string]: string };
    }
  /** The other part of the block `if` begins. */
  | { readonly type: 'branch' }
  /** `complete`: its closing tag came. */
  | { readonly type: 'block_end'; readonly name: BlockName; readonly complete: boolean }
  | { readonly type: 'template'; readonly name: string; readonly template: ActionTemplate }
  | SepDiagnostic;
