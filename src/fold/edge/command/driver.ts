/**
 * The kit as the operator of a gateway through the implementer's own commands: one for each call, run without a
 * shell. What a call says is put in the argv's places and is also on stdin, as one line of the operator protocol's
 * JSON, for what is too long for an argument.
 *
 * A `send` prints its events as lines of JSON, in either form: `{"event": NAME, …data}` or `{NAME: data}`; it ends
 * when the command ends. The others may print their answer (`{"injected": {"injection_id": …}}`); without one,
 * exit code 0 is the answer. Any other exit code is a failure, the last line on stderr its message.
 */
import type { Status, Result } from '../../../kit/base/index.ts';
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Dial } from '../../../kit/world/index.ts';
import type { OperatorRequest } from '../../operator.ts';
import { runCommand } from './run.ts';
import type { CommandEnd } from './run.ts';
import { driverDial, fine, unsupported } from '../driver-link.ts';
import type { Caller } from '../driver-link.ts';

/** The calls that commands can make. */
export type CommandVerb = 'send' | 'cancel' | 'inject' | 'approve';

/** Which command makes a call: argv, with places such as `{content}`. Those absent are unsupported. */
export type Commands = { readonly [V in CommandVerb]?: readonly string[] };

/** Which commands there are. */
export interface CommandDriverOptions {
  readonly commands: Commands;
  /** Numbers for the names of streams. */
  readonly next: () => number;
  /** More environment for the commands. */
  readonly env?: { readonly [name: string]: string };
}

/** The places that an argv may have; each is empty when the call does not say it. */
export const commandPlaces = [
  'content',
  'agent_id',
  'thread_id',
  'sender',
  'request_id',
  'reason',
  'priority',
  'source',
  'tool_id',
  'approved',
  'approve_all',
] as const;

const places = new RegExp(`\\{(${commandPlaces.join('|')})\\}`, 'g');

/**
 * Makes the driver.
 *
 * @example
 * let calls = 0;
 * const commands = { cancel: ['gatewayctl', 'cancel', '{request_id}'] };
 * const dial = commandDriver({ commands, next: () => ++calls });
 */
export function commandDriver({ commands, next, env = {} }: CommandDriverOptions): Dial {
  return driverDial('command', next, (request, caller) => {
    const [verb = '', body] = Object.entries(request)[0] ?? [];
    const template = Object.hasOwn(commands, verb) ? commands[verb as CommandVerb] : undefined;
    if (template === undefined || template.length === 0) return unsupported(`no command for ${verb}`);
    const argv = fill(template, isObject(body) ? body : {});
    const nul = argv.findIndex((one) => one.includes('\0'));
    if (nul >= 0) return { code: 3, message: `argument ${nul} of the command would hold a NUL character` };
    let replied = false;
    return runCommand({
      argv,
      env,
      input: `${JSON.stringify(request)}\n`,
      line(text) {
        const reply = readReply(text);
        if (!reply.ok) return reply.error;
        replied = true;
        caller.reply(reply.value.name, reply.value.data);
        return undefined;
      },
      ended: (end) => finish(request, caller, replied, end),
    });
  });
}

/** Fills the places, in one pass: what is filled in has none. */
export function fill(
  template: readonly string[],
  values: Readonly<Record<string, unknown>>,
): readonly string[] {
  const valueOf = (name: string): string => {
    const value = values[name];
    return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
  };
  return template.map((one) => one.replaceAll(places, (_, name: string) => valueOf(name)));
}

/** A line of the command's output as a reply. */
function readReply(text: string): Result<{ readonly name: string; readonly data: unknown }, string> {
  const wrong = (): string =>
    `a line of the command's output: expected {"event": NAME, …} or {NAME: …}; came ${JSON.stringify(text.slice(0, 200))}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(wrong());
  }
  if (!isObject(value)) return refuse(wrong());
  const { event, ...data } = value;
  if (typeof event === 'string') return ok({ name: event, data });
  const [only, ...more] = Object.entries(value);
  return only === undefined || more.length > 0 ? refuse(wrong()) : ok({ name: only[0], data: only[1] });
}

function finish(request: OperatorRequest, caller: Caller, replied: boolean, end: CommandEnd): void {
  const status = statusOf(end);
  if (status.code === 0 && !replied) {
    if (request.inject !== undefined) caller.reply('injected', { injection_id: '' });
    else if (request.send === undefined) caller.reply('ok', {});
  }
  caller.ended(status);
}

function statusOf(end: CommandEnd): Status {
  if (end.failed !== undefined) {
    return end.missing === true ? unsupported(end.failed) : { code: 2, message: end.failed };
  }
  if (end.exit === 0) return fine;
  const how = end.exit === null ? `was killed by ${end.signal ?? 'a signal'}` : `ended with ${end.exit}`;
  return { code: 2, message: end.lastLine === '' ? `the command ${how}` : end.lastLine };
}
