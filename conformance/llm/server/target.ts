/** The reference server: the simulated provider, with a script for the kit's requests. */
import type { JsonObject, PeerCommand, Role } from '../../../src/kit/base/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { askedCodec, script, sentCodec, streamer } from '../../../src/llm/index.ts';
import type { Asked, Script, Sent, StreamerRole } from '../../../src/llm/index.ts';
import { openDrive } from './drives.ts';
import { applyPatch, getWeather, noSuchModel, prompts, writeReport } from './prompts.ts';

const sentence = 'A wire carries what is put on it, in the order in which it was put there. ';

const patch = [
  '*** Begin Patch',
  '*** Update File: wires.txt',
  '@@',
  '-a wire',
  ...Array.from({ length: 10 }, () => `+${sentence.trim()}`),
  '*** End Patch',
].join('\n');

/** The script of the reference. The first matching turn answers, any number of times. */
export const serverScript: Script = script({ title: 'A provider that answers the probes of llm/server' })
  .match({ model: noSuchModel })
  .times('always')
  .error({ type: 'not_found', message: `there is no model ${noSuchModel}`, status: 404 })
  .turn()
  .match({ contains: prompts.failure })
  .times('always')
  .text('This is the first half of')
  .error({ type: 'overloaded', message: 'Overloaded' })
  .turn()
  .match({ contains: prompts.long })
  .times('always')
  .with({ delay: '5ms' })
  .text('one, ', { fill: { text: 'two, three, four, ', bytes: 3000 } })
  .turn()
  .match({ contains: prompts.tempting })
  .times('always')
  .text('I do not know the weather.')
  .turn()
  .match({ tools: [writeReport.name] })
  .times('always')
  .text('I will write it.')
  .toolCall(writeReport.name, { title: 'wires', body: sentence.repeat(10) })
  .turn()
  .match({ tools: [getWeather.name] })
  .times('always')
  .toolCall(getWeather.name, { city: 'Oslo' })
  .toolCall(getWeather.name, { city: 'Quito' })
  .turn()
  .match({ customTools: [applyPatch.name] })
  .times('always')
  .customToolCall(applyPatch.name, patch)
  .turn()
  .match({ contains: prompts.unicode })
  .times('always')
  .with({ chunk: 'char', split: 'utf8', lines: 'crlf' })
  .text('naïve café, 日本語, \u{1F469}‍\u{1F467}, ☃')
  .turn()
  .times('always')
  .with({ pings: 2 })
  .comment('a comment is no event')
  .thinking('They want a greeting.')
  .text('Hello, and welcome to the wire.')
  .build();

/** Makes a listening peer of a provider. */
export const hosted = <S>(role: Role<S, Asked, Sent, PeerCommand<Sent>>): MakePeer =>
  peerOf(role, askedCodec, sentCodec);

/** The script of the reference as the Open Responses specification has its answers. */
export const openResponsesScript: Script = {
  ...serverScript,
  turns: serverScript.turns.map((turn) => ({
    ...turn,
    variants: { ...turn.variants, profile: 'open-responses' },
  })),
};

/** The reference's role. @param options - the scenario's options for the reference */
export const referenceRole = ({ profile }: JsonObject = {}): StreamerRole =>
  streamer({
    script: profile === openDrive ? openResponsesScript : serverScript,
    random: (label) => seededRandom(`llm/server ${label}`),
  });

/** The reference as the simulated world's target. */
export const referenceServer = (options?: JsonObject): MakePeer => hosted(referenceRole(options));
