/** Serves a script on a real port: the streamer's role on a real clock, with a trace of everything that happens. */
import { jsonOrText } from '../../kit/base/index.ts';
import type { TraceEvent } from '../../kit/base/index.ts';
import { listenHttp } from '../../kit/transport/index.ts';
import { Host, Recorder, realClock, secretRedactor, seededRandom } from '../../kit/world/index.ts';
import type { Clock, HostOptions, Secrets } from '../../kit/world/index.ts';
import { requestBodyCodec, responseWriteCodec } from '../dialects/shared/units.ts';
import { takesWebSockets } from '../streamer/socket.ts';
import { streamer } from '../streamer/streamer.ts';
import type { Script } from '../script/script.ts';

/** Options of a served script. */
export interface ServeOptions {
  readonly script: Script;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Draws ids, jitter and cuts; default `1`. */
  readonly seed?: string;
  /** Whether the process may end while the server listens; default false. */
  readonly background?: boolean;
  /** Gets every event of the trace; absent: nothing is traced. */
  readonly onEvent?: (event: TraceEvent) => void;
  /**
   * Whether the trace shows each unit of an answer; default true. Without units, an answer shows as pieces with many
   * units each, and costs a third of the time.
   */
  readonly units?: boolean;
  /** Whether the trace shows secrets; default false. */
  readonly showSecrets?: boolean;
  /**
   * Whether clients of OpenAI Responses may open a WebSocket; default true. False: they get 426, and ask over HTTP. LM
   * Studio's paths always take WebSockets.
   */
  readonly webSocket?: boolean;
  /** Origins of web pages that may call, besides pages of this machine; `*`: any. */
  readonly origins?: readonly string[] | undefined;
}

/** A script on a port. */
export interface Served {
  readonly host: string;
  readonly port: number;
  /** Releases a barrier: for responses that hold at it now or later. */
  release(barrier: string): void;
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** The largest request (bytes). Providers accept up to 32 MB (Anthropic, Messages API). */
const maxReceive = 32 << 20;

/** The secrets in requests: credentials of any dialect. */
export const llmSecrets: Secrets = {
  metadata: [],
  fields: ['clientPasskey'],
  may: (message) => {
    const { body } = message as { readonly body?: unknown };
    return typeof body === 'object' && body !== null && 'clientPasskey' in body;
  },
};

/** Gives the events of a host, and its reports as marks, to `sink`. */
function recording(
  clock: Clock,
  sink: NonNullable<ServeOptions['onEvent']>,
  showSecrets: boolean,
): Required<Pick<HostOptions<never, never, never, never>, 'tap' | 'report'>> {
  const redact = showSecrets ? undefined : secretRedactor();
  const recorder = new Recorder({ clock, wire: 'llm', secrets: llmSecrets, redact, sink });
  return {
    tap: (event) => recorder.wire('provider', event),
    report: (told, detail) => recorder.mark({ told, peer: 'provider', detail: jsonOrText(detail) }),
  };
}

/** Serves. @throws WireproofError 'environment' when the port cannot be had */
export async function serveScript(options: ServeOptions): Promise<Served> {
  const { script, host = '127.0.0.1', port = 0, seed = '1', background = false, onEvent } = options;
  const clock = realClock();
  const running = new Host({
    role: streamer({
      script,
      random: (label) => seededRandom(`${seed} ${label}`),
      joins: onEvent === undefined || options.units === false,
    }),
    clock,
    receives: requestBodyCodec,
    sends: responseWriteCodec,
    ...(onEvent === undefined ? {} : recording(clock, onEvent, options.showSecrets === true)),
  });
  const server = await listenHttp({
    host,
    port,
    accept: running.accept,
    webSockets: (target) => takesWebSockets(target, options.webSocket !== false),
    maxReceive,
    background,
    origins: options.origins,
  });
  running.begin();
  return {
    host,
    port: server.port,
    release: (barrier) => running.command({ do: 'send', message: { release: barrier } as never }),
    async close() {
      running.stop();
      await server.close();
    },
  };
}
