/**
 * The kit as the operator of a gateway, through the implementer's own commands: one for each call, run without a shell.
 * The arguments of a call replace the placeholders of the argv. The whole call is also on stdin, as one line of JSON,
 * for arguments that are too long for an argv.
 *
 * A `send` prints its events as lines of JSON, as `{"event": NAME, …data}` or as `{NAME: data}`. It ends with the
 * command. Other calls can print their answer (`{"injected": {"injection_id": …}}`); without one, exit code 0 is the
 * answer. Any other exit code is a failure; its message is the last line on stderr.
 */
import type { Result, Status } from '../../../kit/base/index.ts';
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Dial } from '../../../kit/world/index.ts';
import type { OperatorRequest } from '../../operator.ts';
import { parseJson } from '../../json.ts';
import { runCommand } from './run.ts';
import type { CommandEnd } from './run.ts';
import { driverDial, okStatus, unsupported } from '../driver-link.ts';
import type { CallEvents, StartCall } from '../driver-link.ts';

/** The calls that a command can make. */
export type CommandVerb = 'send' | 'cancel' | 'inject' | 'approve';

/** The command of each call: an argv with placeholders such as `{content}`. A call without a command is unsupported. */
export type Commands = { readonly [V in CommandVerb]?: readonly string[] };

export interface CommandDriverOptions {
  readonly commands: Commands;
  /** Numbers the names of streams. */
  readonly next: () => number;
  /** Values of further placeholders. */
  readonly values?: Readonly<Record<string, string>>;
  /** More variables of the commands' environment. */
  readonly env?: { readonly [name: string]: string };
  /** The folder in which the commands run; absent: the folder of this process. */
  readonly folder?: string | undefined;
}

/** The placeholders of an argv. Each is empty when the call does not have this argument. */
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

/**
 * Makes the driver.
 *
 * @example
 * let calls = 0;
 * const commands = { cancel: ['gatewayctl', 'cancel', '{request_id}'] };
 * const dial = commandDriver({ commands, next: () => ++calls });
 */
export const commandDriver = (options: CommandDriverOptions): Dial =>
  driverDial('command', options.next, commandCalls(options));

/** The calls of the driver. */
export function commandCalls({
  commands,
  values = {},
  env = {},
  folder,
}: Omit<CommandDriverOptions, 'next'>): StartCall {
  return (request, caller) => {
    const [verb = '', body] = Object.entries(request)[0] ?? [];
    const template = Object.hasOwn(commands, verb) ? commands[verb as CommandVerb] : undefined;
    if (template === undefined || template.length === 0) return unsupported(`no command for ${verb}`);
    const argv = fill(template, isObject(body) ? body : {}, values);
    const nul = argv.findIndex((one) => one.includes('\0'));
    if (nul >= 0) return { code: 3, message: `argument ${nul} of the command would hold a NUL character` };
    let replied = false;
    return runCommand({
      argv,
      env,
      folder,
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
  };
}

/** Replaces the placeholders by a call's arguments and by `values`, in one pass: placeholders in a value stay. */
export function fill(
  template: readonly string[],
  args: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>> = {},
): readonly string[] {
  const places: readonly string[] = commandPlaces;
  const valueOf = (placeholder: string, name: string): string => {
    if (!places.includes(name))
      return (Object.hasOwn(values, name) ? values[name] : undefined) ?? placeholder;
    const value = args[name];
    return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
  };
  return template.map((one) => one.replaceAll(/\{(\w+)\}/g, valueOf));
}

/** The reply in a line of the command's output. */
function readReply(text: string): Result<{ readonly name: string; readonly data: unknown }, string> {
  const wrong = (): string =>
    `a line of the command's output: expected {"event": NAME, …} or {NAME: …}; came ${JSON.stringify(text.slice(0, 200))}`;
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return refuse(wrong());
  const { event, ...data } = parsed.value;
  if (typeof event === 'string') return ok({ name: event, data });
  const [only, ...more] = Object.entries(parsed.value);
  return only === undefined || more.length > 0 ? refuse(wrong()) : ok({ name: only[0], data: only[1] });
}

function finish(request: OperatorRequest, caller: CallEvents, replied: boolean, end: CommandEnd): void {
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
  if (end.exit === 0) return okStatus;
  const how = end.exit === null ? `was killed by ${end.signal ?? 'a signal'}` : `ended with ${end.exit}`;
  return { code: 2, message: end.lastLine === '' ? `the command ${how}` : end.lastLine };
}
