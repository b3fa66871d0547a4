/**
 * `wireproof simulate llm`: a model provider that plays a script, in all dialects on one port. It prints the
 * environment variables for clients and agents.
 */
import { addressText } from '../../../src/kit/base/index.ts';
import type { Flags } from '../../../src/kit/simulate/index.ts';
import { LiveSession, runProgram } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { ScriptUse, llmEnvironment, readScript, serveScript, undone } from '../../../src/llm/edge/index.ts';
import type { ServeOptions } from '../../../src/llm/edge/index.ts';
import { textOf } from './lines.ts';
import { originsOf } from './origins.ts';
import { isAboutRecording, playRecording } from './recording-simulator.ts';

/** Plays until it is interrupted, or until its program exits. */
export function play(run: SimulatorRun): Promise<SimulatorEnd> {
  return isAboutRecording(run) ? playRecording(run) : playScript(run);
}

async function playScript(run: SimulatorRun): Promise<SimulatorEnd> {
  const name = String(run.flags['script']);
  const seed = String(run.flags['seed']);
  const script = readScript(name);
  const starts = run.command.length > 0;
  const live = new LiveSession(run, {
    suite: { id: 'llm/client', protocol: 'llm', role: 'client' },
    textOf,
    target: 'clients of the simulated provider',
    scenario: name,
    seed,
    stdoutTaken: starts,
  });
  const trace = live.open();
  const use = new ScriptUse();
  const served = await serveScript({
    script,
    seed,
    ...placeOf(run, live.flags),
    showSecrets: live.redact === undefined,
    onEvent: (event) => {
      use.add(event);
      trace.event(event);
    },
  });
  const env = llmEnvironment(`http://${addressText(served)}`);
  try {
    if (starts) return await runProgram(run, env);
    for (const [variable, value] of Object.entries(env)) live.notify(`export ${variable}=${value}`);
    const { title } = script;
    live.notify(`playing ${title === undefined ? name : `${name}: ${title}`}; Ctrl-C stops`);
    await live.ended;
    return live.sumUp();
  } finally {
    await served.close();
    for (const sentence of [...use.notes, ...undone(use, script)]) live.notify(sentence);
  }
}

/** Where the provider listens, and who may call. A started program finds the port in its environment: any free one. */
const placeOf = (
  run: SimulatorRun,
  flags: Flags,
): Pick<ServeOptions, 'host' | 'port' | 'origins' | 'webSocket'> => ({
  ...(run.command.length > 0 ? flags.hostPort('listen') : flags.address('listen')),
  origins: originsOf(run),
  webSocket: !flags.on('http-only'),
});
