/** The words that faults share. A fault changes what a role receives or sends in one way: see {@link intercepted}. */
import type { RoleInput, RoleOutput } from '../base/index.ts';
import type { FaultContext, RoleFault } from './interceptor.ts';

/** The part of a fault that edits inputs. */
export type InputFault<S, In, Out, C = never> = Required<Pick<RoleFault<S, In, Out, C>, 'input'>>;
/** The part of a fault that edits outputs. */
export type OutputFault<S, In, Out, C = never> = Required<Pick<RoleFault<S, In, Out, C>, 'output'>>;

/** What replaces one thing: any number of things of its kind. Nothing: it passes unchanged. */
export type Replacement<M> = readonly M[] | void;

/** Replaces a message; `X` is the fault's context. An edit that only watches returns nothing. */
export type MessageEdit<M, X, R = M> = (message: M, context: X, peer: string) => Replacement<NoInfer<R>>;

/** The things of a type, or of several types. */
type OfType<M, T> = OfSome<M, T extends readonly (infer One)[] ? One : T>;
type OfSome<M, T> = M extends { readonly type: infer Own }
  ? [Own] extends [T]
    ? M
    : Extract<Own, T> extends never
      ? never
      : M & { readonly type: Extract<Own, T> }
  : never;

/** A fault in the inputs of a type, such as `left`. */
export const onInput = <S, In, Out, T extends RoleInput<In, C>['type'], C = never>(
  type: T,
  edit: (
    input: OfType<RoleInput<In, C>, T>,
    context: FaultContext<S, In, Out, C>,
  ) => Replacement<RoleInput<In, C>>,
): InputFault<S, In, Out, C> => ({
  input: (input, context) =>
    (input.type === type ? edit(input as OfType<RoleInput<In, C>, T>, context) : undefined) ?? [input],
});

/** A fault in the outputs of a type, such as `start_timer`. */
export const onOutput = <S, In, Out, T extends RoleOutput<Out>['type'], C = never>(
  type: T,
  edit: (
    output: OfType<RoleOutput<Out>, T>,
    context: FaultContext<S, In, Out, C>,
  ) => Replacement<RoleOutput<Out>>,
): OutputFault<S, In, Out, C> => ({
  output: (output, context) =>
    (output.type === type ? edit(output as OfType<RoleOutput<Out>, T>, context) : undefined) ?? [output],
});

/**
 * A fault in the messages that a role receives, or in those of some types.
 *
 * @param edit - gives the messages that replace a message; nothing: the message passes
 *
 * @example
 * type Ask = { type: 'ask'; id: number };
 * const deaf = onReceive<unknown, Ask, never, 'ask'>('ask', ({ id }) => (id > 1 ? [] : undefined));
 * const input = { type: 'message', peer: 'a', message: { type: 'ask', id: 2 } } as const;
 * deaf.input(input, {} as never); // []
 */
export function onReceive<S, In, Out, C = never>(
  edit: MessageEdit<In, FaultContext<S, In, Out, C>>,
): InputFault<S, In, Out, C>;
export function onReceive<
  S,
  In extends { readonly type: string },
  Out,
  const T extends In['type'] | readonly In['type'][],
  C = never,
>(types: T, edit: MessageEdit<OfType<In, T>, FaultContext<S, In, Out, C>, In>): InputFault<S, In, Out, C>;
export function onReceive<S, In, Out, C = never>(
  first: EditOrTypes<In, FaultContext<S, In, Out, C>>,
  second?: MessageEdit<never, FaultContext<S, In, Out, C>, In>,
): InputFault<S, In, Out, C> {
  const edit = editOf(first, second);
  return onInput('message', (input, context) =>
    edit(input.message, context, input.peer)?.map((message) => ({ ...input, message })),
  );
}

/**
 * A fault in the messages that a role sends, or in those of some types.
 *
 * @param edit - gives the messages that replace a message; nothing: the message passes
 *
 * @example
 * type Told = { type: 'told'; text: string };
 * const loud = onSend<unknown, never, Told, 'told'>('told', (told) => [{ ...told, text: told.text.toUpperCase() }]);
 * const output = { type: 'send', peer: 'a', message: { type: 'told', text: 'hi' } } as const;
 * loud.output(output, {} as never);
 * // [{ type: 'send', peer: 'a', message: { type: 'told', text: 'HI' } }]
 */
export function onSend<S, In, Out, C = never>(
  edit: MessageEdit<Out, FaultContext<S, In, Out, C>>,
): OutputFault<S, In, Out, C>;
export function onSend<
  S,
  In,
  Out extends { readonly type: string },
  const T extends Out['type'] | readonly Out['type'][],
  C = never,
>(types: T, edit: MessageEdit<OfType<Out, T>, FaultContext<S, In, Out, C>, Out>): OutputFault<S, In, Out, C>;
export function onSend<S, In, Out, C = never>(
  first: EditOrTypes<Out, FaultContext<S, In, Out, C>>,
  second?: MessageEdit<never, FaultContext<S, In, Out, C>, Out>,
): OutputFault<S, In, Out, C> {
  const edit = editOf(first, second);
  return onOutput('send', (output, context) =>
    edit(output.message, context, output.peer)?.map((message) => ({ ...output, message })),
  );
}

/** An edit of all messages, or the types of the messages that a second argument edits. */
type EditOrTypes<M, X> = MessageEdit<M, X> | string | readonly string[];

function editOf<M, X>(
  first: EditOrTypes<M, X>,
  second: MessageEdit<never, X, M> = () => {},
): MessageEdit<M, X> {
  if (typeof first === 'function') return first;
  return (message, context, peer) =>
    [first].flat().includes((message as { readonly type: string }).type)
      ? second(message as never, context, peer)
      : undefined;
}

/** A member of messages that have one member each, such as `{ text: … }` and `{ done: … }`. */
type Member<M, K> = M extends unknown ? (K extends keyof M ? NonNullable<M[K]> : never) : never;

/**
 * Edits the value of a member, in messages that have one member each.
 *
 * @param edit - gives the values that replace a value, each for a message of its own
 *
 * @example
 * const twice = member<{ text?: string; done?: boolean }, 'text', null>('text', (text) => [text, `${text}!`]);
 * twice({ text: 'hi' }, null, 'a'); // [{ text: 'hi' }, { text: 'hi!' }]
 * twice({ done: true }, null, 'a'); // undefined
 */
export const member =
  <M extends object, K extends (M extends unknown ? keyof M : never), X>(
    name: K,
    edit: MessageEdit<Member<M, K>, X>,
  ): MessageEdit<M, X> =>
  (message, context, peer) => {
    const value = (message as { readonly [name in K]?: Member<M, K> })[name];
    if (value === undefined) return;
    return edit(value, context, peer)?.map((one) => ({ [name]: one }) as unknown as M);
  };

/**
 * Sends messages later, in an {@link onSend}.
 *
 * @param ms - how much later, in milliseconds of the host's clock
 * @param which - selects the messages; default: all
 *
 * @example
 * const slow = onSend<unknown, never, string>(sendLate(200, (text) => text !== 'now'));
 * slow.output({ type: 'send', peer: 'a', message: 'now' }, {} as never);
 * // [{ type: 'send', peer: 'a', message: 'now' }]
 */
export const sendLate =
  <S, In, Out, C = never>(
    ms: number,
    which: (message: Out) => boolean = () => true,
  ): MessageEdit<Out, FaultContext<S, In, Out, C>> =>
  (message, context, peer) => {
    if (!which(message)) return;
    context.later(ms, (then) => then.send(message, peer));
    return [];
  };

/** Gives the role messages later, in an {@link onReceive}; see {@link sendLate}. */
export const receiveLate =
  <S, In, Out, C = never>(
    ms: number,
    which: (message: In) => boolean = () => true,
  ): MessageEdit<In, FaultContext<S, In, Out, C>> =>
  (message, context, peer) => {
    if (!which(message)) return;
    context.later(ms, (then) => then.tell(message, peer));
    return [];
  };

/**
 * Holds messages back until another one. It remembers them: make it anew for each run.
 *
 * @param isHeld - whether a message is held back; `held`: those that are held already
 * @param release - what replaces a later message, and lets go of those that are held; nothing: it passes, and they wait on
 * @param keyOf - messages of different keys wait apart; default: those of each link
 *
 * @example
 * const swap = holdUntil<string, null>((text) => text === 'first', (text, held) => [text, ...held]);
 * swap('first', null, 'a'); // []
 * swap('second', null, 'a'); // ['second', 'first']
 */
export function holdUntil<M, X>(
  isHeld: (message: M, held: readonly M[]) => boolean,
  release: (message: M, held: readonly M[]) => Replacement<M>,
  keyOf: (message: M, peer: string) => string = (_, peer) => peer,
): MessageEdit<M, X> {
  const waiting = new Map<string, readonly M[]>();
  return (message, _, peer) => {
    const key = keyOf(message, peer);
    const held = waiting.get(key) ?? [];
    if (isHeld(message, held)) {
      waiting.set(key, [...held, message]);
      return [];
    }
    const released = held.length === 0 ? undefined : release(message, held);
    if (released !== undefined) waiting.delete(key);
    return released;
  };
}

/** Values that go out under another name, and come back under their own. */
export interface Renaming {
  /** The name of a value. */
  out(own: string): string;
  /** The value that went out last under a name; another name as it is. */
  back(name: string): string;
}

/**
 * Gives values another name, such as ids of calls. It remembers them: make it anew for each run.
 *
 * @example
 * const ids = rename((own) => `long-${own}`);
 * ids.out('7'); // 'long-7'
 * ids.back('long-7'); // '7'
 * ids.back('8'); // '8'
 */
export function rename(nameOf: (own: string) => string): Renaming {
  const owns = new Map<string, string>();
  return {
    out(own) {
      const name = nameOf(own);
      owns.set(name, own);
      return name;
    },
    back: (name) => owns.get(name) ?? name,
  };
}

/**
 * Several faults together: each edits the results of the one before.
 *
 * @example
 * const twice = onSend<unknown, never, string>((text) => [text, text]);
 * const loud = onSend<unknown, never, string>((text) => [`${text}!`]);
 * const output = { type: 'send', peer: 'a', message: 'hi' } as const;
 * allFaults(twice, loud).output(output, {} as never);
 * // [{ type: 'send', peer: 'a', message: 'hi!' }, { type: 'send', peer: 'a', message: 'hi!' }]
 */
export const allFaults = <S, In, Out, C = never>(
  ...faults: readonly RoleFault<S, In, Out, C>[]
): Required<Pick<RoleFault<S, In, Out, C>, 'input' | 'output'>> => ({
  input: (input, context) =>
    faults.reduce<readonly RoleInput<In, C>[]>(
      (all, fault) => all.flatMap((one) => fault.input?.(one, context) ?? [one]),
      [input],
    ),
  output: (output, context) =>
    faults.reduce<readonly RoleOutput<Out>[]>(
      (all, fault) => all.flatMap((one) => fault.output?.(one, context) ?? [one]),
      [output],
    ),
});
