/** `wireproof simulate koda/client`: a client to write an engine against. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import { hasPerson, playOnCarrier } from '../../../src/kit/simulate/index.ts';
import type { Flags } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { decodeText } from '../../../src/koda/index.ts';
import { kodaEngineSuite } from '../engine/suite.ts';
import { referenceClient } from '../shared/peers.ts';
import { textOf } from '../shared/simulator.ts';

/** The flags that answer the requests of the engine, so that nobody is asked. */
const answering = ['approval', 'feedback', 'answer', 'cap', 'interrupt-after'];

/**
 * Whether the lines of stdin are prompts and answers: with `--prompt -`, or where a person sits at a terminal and no flag
 * answers instead.
 */
function isInteractive(run: SimulatorRun, flags: Flags): boolean {
  if (flags.list('prompt').includes('-')) return true;
  const isAnswered = answering.some((flag) => flags.text(flag) !== undefined);
  const isPlayed = flags.text('scenario') !== undefined || run.flags['json'] === true;
  const stdinIsCarrier = flags.text('carrier') === 'stdio' && run.command.length === 0;
  return hasPerson(run) && !isAnswered && !isPlayed && !stdinIsCarrier;
}

function optionsOf(run: SimulatorRun, flags: Flags): JsonObject {
  const [feedback, answer] = [flags.text('feedback'), flags.text('answer')];
  const approval = flags.text('approval') ?? (feedback === undefined ? 'approve' : 'reject');
  if (feedback !== undefined && approval === 'approve')
    throw new WireproofError('usage', '--feedback goes with --approval reject');
  const interruptAfter = flags.read('interrupt-after', 'a number of events, from 1 on', countOf);
  return {
    ...promptsOf(flags, isInteractive(run, flags)),
    approval: feedback === undefined ? approval : { feedback },
    cap: flags.text('cap') ?? 'continue200',
    ...(answer === undefined ? {} : { answer }),
    ...(interruptAfter === undefined ? {} : { interruptAfter }),
    commands: flags.list('command').map(commandOf),
  };
}

/** The prompts of a session. A person who types needs no first one. */
function promptsOf(flags: Flags, interactive: boolean): JsonObject {
  const given = flags.list('prompt');
  if (given.length > 0 && flags.text('scenario') !== undefined)
    throw new WireproofError(
      'usage',
      '--prompt: a scenario has its own prompts; leave one of the two flags out',
    );
  const named = given.filter((text) => text !== '-');
  const prompts = named.length > 0 || interactive ? named : ['Say that you are there.'];
  // Named prompts are all of the session. Without them, and with `-` among them, it goes on until it is stopped.
  return { prompts, interactive, quitAfterLast: named.length > 0 && named.length === given.length };
}

/** A command as a user writes it. @throws WireproofError 'usage' on a text that is no command */
function commandOf(text: string): JsonObject {
  const decoded = decodeText('command', text);
  if (decoded.ok) return { ...decoded.value.message } as JsonObject;
  const { message } = decoded.error;
  throw new WireproofError('usage', `--command ${text.slice(0, 80)}: ${message}`);
}

function countOf(text: string): number | undefined {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

/** Plays the client; see {@link isInteractive}. */
export const play = (run: SimulatorRun): Promise<SimulatorEnd> =>
  playOnCarrier(run, {
    suite: kodaEngineSuite,
    title: 'Koda client',
    textOf,
    hint: 'A line is a prompt, or the answer to an open request; /interrupt ends the turn, /quit the session.',
    spoken: ['asked', 'idle', 'dropped'],
    make: (flags) => referenceClient(optionsOf(run, flags)),
    lineMessage: (flags) =>
      isInteractive(run, flags) ? (text) => ({ type: 'user_prompt', text, images: [] }) : undefined,
  });
