/** The peers of the live suites: the kit's own, which do as they are told, and the references that stand for targets. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer, PeerWorld } from '../../../src/kit/suite/index.ts';
import {
  orchestrator,
  scriptedOrchestrator,
  scriptedSubagent,
  subagent,
  toonCodec,
} from '../../../src/toon/index.ts';
import type {
  OrchestratorOptions,
  ScriptedOrchestratorOptions,
  ScriptedSubagentOptions,
  SubagentOptions,
} from '../../../src/toon/index.ts';

/** The simulated peers by role, with the options of a scenario. */
export const peers: { readonly [role: string]: (options: JsonObject) => MakePeer } = {
  'toon/orchestrator': (options) => (world) => {
    const role = scriptedOrchestrator({ ...epochOf(world), ...(options as ScriptedOrchestratorOptions) });
    return peerOf(role, toonCodec, toonCodec)(world);
  },
  'toon/subagent': (options) => (world) => {
    const role = scriptedSubagent({ ...epochOf(world), ...(options as ScriptedSubagentOptions) });
    return peerOf(role, toonCodec, toonCodec)(world);
  },
};

/** Timestamps are of the world that the peer lives in. */
const epochOf = ({ epoch }: PeerWorld): { readonly epoch?: number } => (epoch === undefined ? {} : { epoch });

/** How the reference subagent is set up as the simulated world's target, for the options of a scenario. */
export const subagentOptions = (given: JsonObject = {}): Partial<SubagentOptions> => given;

/** How the reference orchestrator is set up as the simulated world's target: with something to do. */
export const orchestratorOptions = (given: JsonObject = {}): Partial<OrchestratorOptions> => ({
  instructions: ['Say hello.'],
  ...given,
});

/** The reference subagent as a target. */
export const referenceSubagent = (given?: JsonObject): MakePeer =>
  peerOf(subagent(subagentOptions(given)), toonCodec, toonCodec);

/** The reference orchestrator as a target. */
export const referenceOrchestrator = (given?: JsonObject): MakePeer =>
  peerOf(orchestrator(orchestratorOptions(given)), toonCodec, toonCodec);
