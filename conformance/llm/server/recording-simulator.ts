/**
 * `wireproof simulate llm --record-from URL --script-out FILE` and `--replay FILE`: records a program's exchanges with a
 * real provider, and plays them again without it.
 */
import { WireproofError } from '../../../src/kit/base/index.ts';
import { Flags, LiveSession, runProgram } from '../../../src/kit/simulate/index.ts';
import { originsOf } from './origins.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import {
  isRecording,
  llmEnvironment,
  readRecording,
  recordLlm,
  replayLlm,
} from '../../../src/llm/edge/index.ts';

/** The flags that go with a replay. */
const ofReplays = ['chunk', 'delay', 'cut'];

/** Whether the flags of a run ask to record or to replay. */
export function isAboutRecording(run: SimulatorRun): boolean {
  const flags = new Flags(run);
  const names = ['record-from', 'script-out', 'replay', 'pass-on', ...ofReplays];
  return names.some((name) => flags.text(name) !== undefined) || isRecording(flags.text('script') ?? '');
}

/** Records or replays until it is interrupted, or until its program exits. */
export async function playRecording(run: SimulatorRun): Promise<SimulatorEnd> {
  const starts = run.command.length > 0;
  const live = new LiveSession(run, {
    suite: { id: 'llm/client', protocol: 'llm', role: 'client' },
    textOf: () => undefined,
    target: 'clients of a recording',
    stdoutTaken: true,
  });
  const { flags } = live;
  const place = {
    ...(starts ? flags.hostPort('listen') : flags.address('listen')),
    origins: originsOf(run),
    onExchange: (sentence: string): void => {
      if (!flags.on('quiet')) live.notify(sentence);
    },
  };
  const from = urlIn(flags, 'record-from');
  const served = from === undefined ? await replaying(flags, place) : await recording(live, from, place);
  const env = llmEnvironment(served.url);
  try {
    if (starts) return await runProgram(run, env);
    for (const [variable, value] of Object.entries(env)) live.notify(`export ${variable}=${value}`);
    live.notify(`${served.title}; Ctrl-C stops`);
    await live.ended;
    return 'conformant';
  } finally {
    try {
      await served.close();
    } finally {
      for (const sentence of served.summary()) live.notify(sentence);
    }
  }
}

/** A recorder or a replay. */
interface Serving {
  readonly url: string;
  readonly title: string;
  readonly close: () => Promise<void>;
  /** Sentences for the end. */
  readonly summary: () => readonly string[];
}

type Place = Parameters<typeof replayLlm>[1];

async function recording(live: LiveSession, from: string, place: Place): Promise<Serving> {
  const { flags } = live;
  const file = flags.text('script-out');
  if (file === undefined)
    throw new WireproofError('usage', '--record-from needs --script-out FILE, which gets the recording');
  for (const name of ['replay', 'pass-on', ...ofReplays])
    if (flags.text(name) !== undefined)
      throw new WireproofError('usage', `--record-from does not go with --${name}`);
  const recorder = await recordLlm({ ...place, from, file, onProblem: (sentence) => live.notify(sentence) });
  const summary = (): readonly string[] => [
    recorder.count === 0
      ? `no exchange was recorded, so there is no ${file}`
      : `${recorder.count} ${recorder.count === 1 ? 'exchange' : 'exchanges'} in ${file}; wireproof simulate llm --replay ${file} plays ${recorder.count === 1 ? 'it' : 'them'} again`,
    ...(recorder.problem === undefined ? [] : [recorder.problem]),
  ];
  const title = `recording ${from} into ${file}`;
  return { url: recorder.url, close: () => recorder.close(), title, summary };
}

async function replaying(flags: Flags, place: Place): Promise<Serving> {
  const script = flags.text('script') ?? '';
  const file = flags.text('replay') ?? (isRecording(script) ? script : undefined);
  if (file === undefined)
    throw new WireproofError(
      'usage',
      '--script-out needs --record-from URL, and --pass-on needs --replay FILE, as --chunk, --delay and --cut do',
    );
  if (flags.text('script-out') !== undefined)
    throw new WireproofError('usage', '--replay does not go with --script-out');
  const passOn = urlIn(flags, 'pass-on');
  const replay = await replayLlm(readRecording(file), {
    ...place,
    ...(passOn === undefined ? {} : { passOn }),
    ...pacingOf(flags),
  });
  const summary = (): readonly string[] => [
    ...replay.unused.map(({ method, path }) => `not played: ${method} ${path}`),
    ...replay.unmatched.map((sentence) => `not in the recording: ${sentence}`),
  ];
  return { url: replay.url, close: () => replay.close(), title: `replaying ${file}`, summary };
}

/** Other pieces and pauses than those of the recording. */
const pacingOf = (
  flags: Flags,
): { chunk?: number | undefined; delay?: number | undefined; cut?: number | undefined } => ({
  chunk: flags.read('chunk', 'a number of bytes, 1 or more', (text) => bytesOf(text, 1)),
  delay: flags.time('delay'),
  cut: flags.read('cut', 'a number of bytes, 0 or more', (text) => bytesOf(text, 0)),
});

const bytesOf = (text: string, least: number): number | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined;

const urlIn = (flags: Flags, name: string): string | undefined =>
  flags.read(name, 'a URL such as https://api.anthropic.com', (text) =>
    /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') ? text : undefined,
  );
