/** How a Responses item calls a function, and how it calls a custom tool, whose arguments are free text. */

/** The words of a kind of call. */
export interface CallWords {
  /** How the ids of its items begin. */
  readonly prefix: string;
  /** The type of its items. */
  readonly type: string;
  /** The name of its events, without `.delta` and `.done`. */
  readonly event: string;
  /** The member with the text of its arguments. */
  readonly field: 'arguments' | 'input';
}

/** The words of both kinds. */
export const callWords: { readonly [K in 'function' | 'custom']: CallWords } = {
  function: {
    prefix: 'fc_',
    type: 'function_call',
    event: 'response.function_call_arguments',
    field: 'arguments',
  },
  custom: {
    prefix: 'ctc_',
    type: 'custom_tool_call',
    event: 'response.custom_tool_call_input',
    field: 'input',
  },
};
