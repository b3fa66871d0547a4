/** The subagent as a simulated peer: sends what a scenario says, and nothing by itself. */
import { scriptedPeer } from './peer.ts';
import type { ScriptedPeerOptions, ScriptedPeerRole } from './peer.ts';

/** How a scripted subagent is set up. */
export type ScriptedSubagentOptions = ScriptedPeerOptions;

/**
 * Makes a scripted subagent.
 *
 * @example
 * scriptedSubagent({ firstSequenceId: 4294967294 }).name; // 'toon/subagent'
 */
export const scriptedSubagent = (options: ScriptedSubagentOptions = {}): ScriptedPeerRole =>
  scriptedPeer('subagent', options, () => undefined);
