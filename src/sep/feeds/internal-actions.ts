/** The names of internal actions, and which of them a manifest allows. */

/** The internal actions (SEP-71, SEP-76). */
export const internalActionNames = [
  'add_context_feed',
  'remove_context_feed',
  'update_context_feed',
  'list_context_feeds',
  'clear_context_feeds',
  'get_context_feed',
  'set_variable',
  'delete_variable',
] as const;

/** The name of an internal action. */
export type InternalActionName = (typeof internalActionNames)[number];

/** Whether there is an internal action of this name. */
export const isInternalAction = (name: string): name is InternalActionName =>
  (internalActionNames as readonly string[]).includes(name);

/** Which internal actions a model may use. */
export interface InternalActionPolicy {
  readonly enabled: boolean;
  /** Absent: all. */
  readonly allowed?: readonly string[];
  /** These are denied, even if they are allowed. */
  readonly blocked: readonly string[];
}

/** The policy of a manifest without `internal_actions`. */
export const allowAll: InternalActionPolicy = { enabled: true, blocked: [] };

/** Why a policy denies an action; undefined: it allows it (SEP-74). */
export function denialOf(
  { enabled, allowed, blocked }: InternalActionPolicy,
  name: string,
): string | undefined {
  if (!enabled) return 'the manifest disables internal actions';
  if (blocked.includes(name)) return `the manifest blocks the internal action ${name}`;
  if (allowed !== undefined && !allowed.includes(name))
    return `the manifest does not allow the internal action ${name}`;
  return undefined;
}
