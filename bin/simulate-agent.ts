/** `wireproof simulate fold/agent`: the reference agent against a real gateway. */
import { WireproofError } from '../src/kit/base/index.ts';
import { duration } from '../src/kit/scenario/index.ts';
import { visible } from '../src/kit/report/index.ts';
import { dialGrpc } from '../src/kit/transport/index.ts';
import { Host, realClock } from '../src/kit/world/index.ts';
import type { WireEvent } from '../src/kit/world/index.ts';
import { onInterrupt } from './interrupt.ts';
import { agent, agentCodec, defaultAgentOptions, serverCodec } from '../src/fold/index.ts';

/** The flags that say how the agent comes. */
export interface SimulateAgentFlags {
  readonly connect: string;
  readonly agentId: string;
  readonly features?: string;
  readonly service: string;
  readonly keepalive?: string;
}

const maxReceive = 4 << 20;

/** Plays the agent; ends when the gateway says Shutdown, or on Ctrl-C. */
export async function simulateAgent(flags: SimulateAgentFlags): Promise<void> {
  if (!/^[^\s/]+:\d{1,5}$/.test(flags.connect))
    throw new WireproofError(
      'usage',
      `--connect ${flags.connect}: expected host:port, such as 127.0.0.1:50051`,
    );
  const keepalive = flags.keepalive === undefined ? undefined : duration(flags.keepalive);
  if (flags.keepalive !== undefined && keepalive === undefined)
    throw new WireproofError('usage', `--keepalive ${flags.keepalive}: expected a time such as 30s`);
  const role = agent({
    agent_id: flags.agentId,
    epoch: Date.now(),
    register: {
      ...defaultAgentOptions.register,
      ...(flags.features === undefined
        ? {}
        : { protocol_features: flags.features.split(',').filter((f) => f !== '') }),
    },
    ...(keepalive === undefined ? {} : { keepalive }),
  });
  const method = flags.service.includes('/') ? `/${flags.service}` : `/${flags.service}/AgentStream`;
  process.stderr.write(`agent ${flags.agentId} dials ${flags.connect}${method}; Ctrl-C stops it\n`);
  await new Promise<void>((resolve) => {
    const host = new Host({
      role,
      clock: realClock(),
      receives: serverCodec,
      sends: agentCodec,
      dial: dialGrpc({ address: flags.connect, method, maxReceive }),
      tap: (event) => process.stdout.write(`${line(event)}\n`),
      report: (what, detail) => {
        process.stderr.write(`${what}: ${visible(detail)}\n`);
        if (what === 'stopped') resolve();
      },
    });
    const abort = new AbortController();
    onInterrupt(abort, () => {});
    abort.signal.addEventListener('abort', () => {
      host.stop();
      resolve();
    });
    host.begin();
  });
}

function line(event: WireEvent): string {
  const arrow = event.incoming ? '<' : '>';
  switch (event.kind) {
    case 'message':
      return `${arrow} ${visible(JSON.stringify(event.message))}`;
    case 'end':
      return `${arrow} end ${event.status.code} ${visible(event.status.message)}`;
    case 'open':
    case 'headers':
    case 'undecodable':
    case 'half_close':
    case 'reset':
    case 'ping':
      return `${arrow} ${event.kind}`;
    default:
      return event satisfies never;
  }
}
