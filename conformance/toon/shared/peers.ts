/** The peers of the live suites: the kit's scripted peers, and the reference targets. */
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
import type { OrchestratorOptions, SubagentOptions } from '../../../src/toon/index.ts';

/** The simulated peers by role, with the options of a scenario. */
export const peers: { readonly [role: string]: (options: JsonObject) => MakePeer } = {
  'toon/orchestrator': (options) => (world) => {
    const role = scriptedOrchestrator({ ...epochOf(world), ...options });
    return peerOf(role, toonCodec, toonCodec)(world);
  },
  'toon/subagent': (options) => (world) => {
    const role = scriptedSubagent({ ...epochOf(world), ...options });
    return peerOf(role, toonCodec, toonCodec)(world);
  },
};

/** The epoch of a peer's world, for timestamps. */
const epochOf = ({ epoch }: PeerWorld): { readonly epoch?: number } => (epoch === undefined ? {} : { epoch });

/** The options of the reference subagent as the simulated world's target. `given`: the scenario's options. */
export const subagentOptions = (given: JsonObject = {}): Partial<SubagentOptions> => given;

/** The options of the reference orchestrator as the simulated world's target. It has an instruction to give. */
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
