/** `wireproof simulate koda/client`: a client to write an engine against. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import { playOnCarrier } from '../../../src/kit/simulate/index.ts';
import type { Flags } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { decodeText } from '../../../src/koda/index.ts';
import { kodaEngineSuite } from '../engine/suite.ts';
import { referenceClient } from '../shared/peers.ts';
import { textOf } from '../shared/simulator.ts';

/** The options that the flags set. */
function optionsOf(flags: Flags): JsonObject {
  const prompts = flags.list('prompt');
  const [feedback, answer] = [flags.text('feedback'), flags.text('answer')];
  const approval = flags.text('approval') ?? 'approve';
  if (prompts.length > 0 && flags.text('scenario') !== undefined)
    throw new WireproofError(
      'usage',
      '--prompt: a scenario has its own prompts; leave one of the two flags out',
    );
  if (feedback !== undefined && approval === 'approve')
    throw new WireproofError('usage', '--feedback goes with --approval reject');
  const interruptAfter = flags.read('interrupt-after', 'a number of events, from 1 on', countOf);
  return {
    prompts: prompts.length === 0 ? ['Say that you are there.'] : prompts.filter((text) => text !== '-'),
    approval: feedback === undefined ? approval : { feedback },
    cap: flags.text('cap') ?? 'continue200',
    ...(answer === undefined ? {} : { answer }),
    ...(interruptAfter === undefined ? {} : { interruptAfter }),
    commands: flags.list('command').map(commandOf),
    interactive: isInteractive(flags),
    // Named prompts are all of the session; without them it goes on until it is stopped.
    quitAfterLast: prompts.length > 0 && !isInteractive(flags),
  };
}

/** A command as a user writes it. @throws WireproofError 'usage' on a text that is no command */
function commandOf(text: string): JsonObject {
  const decoded = decodeText('command', text);
  if (decoded.ok) return { ...decoded.value.message } as JsonObject;
  const { message } = decoded.error;
  throw new WireproofError('usage', `--command ${text.slice(0, 80)}: ${message}`);
}

/** Whether the lines of stdin are prompts and answers. */
const isInteractive = (flags: Flags): boolean => flags.list('prompt').includes('-');

function countOf(text: string): number | undefined {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

/** Plays the client. With `--prompt -` the terminal's lines are its prompts and answers. */
export const play = (run: SimulatorRun): Promise<SimulatorEnd> =>
  playOnCarrier(run, {
    suite: kodaEngineSuite,
    title: 'Koda client',
    textOf,
    make: (flags) => referenceClient(optionsOf(flags)),
    lineMessage: (flags) =>
      isInteractive(flags) ? (text) => ({ type: 'user_prompt', text, images: [] }) : undefined,
  });
