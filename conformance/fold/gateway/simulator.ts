/**
 * `wireproof simulate fold/gateway`: a gateway to write an agent against. Takes an operator's orders from the terminal,
 * a script, or the HTTP face.
 */
import { addressText } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { LiveSession, OrderLoop, playScenario } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { openSqliteLedger, serveGateway } from '../../../src/fold/edge/index.ts';
import type { GatewayServer } from '../../../src/fold/edge/index.ts';
import { foldAgentSuite } from '../agent/suite.ts';
import { textOf } from './lines.ts';
import { gatewayOrders, goawayOrder } from './orders.ts';
import { gatewaySettings } from './settings.ts';
import { Traffic } from './traffic.ts';

const target = 'agents that came to the simulated gateway';
const session = { suite: foldAgentSuite, title: 'Fold gateway', textOf, target };

/** Plays the gateway until it is stopped. */
export const play = async (run: SimulatorRun): Promise<SimulatorEnd> =>
  (await playScenario(run, session)) ?? serve(run);

async function serve(run: SimulatorRun): Promise<SimulatorEnd> {
  const live = new LiveSession(run, session);
  const settings = gatewaySettings(live.flags);
  const traffic = new Traffic(live);
  const print = (text: string): void => live.print(text);
  const orders = [
    ...gatewayOrders((request, on) => server.ask(request, on), traffic.view, print),
    goawayOrder((code) => {
      traffic.mark({ fault: 'goaway', code });
      server.goaway(code);
    }),
  ];
  const loop = new OrderLoop(live, run, orders, namesOf);
  const ledger = live.flags.text('ledger');
  const server: GatewayServer = await serveGateway({
    ...settings,
    ...(ledger === undefined ? {} : { ledger: await openSqliteLedger(ledger) }),
    tap: traffic.tap,
    report: (what, detail) => print(`· ${what}: ${detail}`),
  });
  live.notify(banner(server, settings.host));
  const stop = (): void => {
    if (!run.interrupt.aborted) return server.close();
    live.print('stopping: agents are told, requests may end');
    server.shutdown('the gateway was stopped');
  };
  void live.ended.then(stop);
  void loop.take();
  await server.stopped;
  traffic.end();
  const end = live.sumUp();
  return run.interrupt.aborted ? 'interrupted' : end;
}

/** The names of an event for `wait NAME`: its message and the event of its response, or its kind. */
function namesOf({ kind, data }: TraceEvent): readonly string[] {
  if (kind !== 'message') return [kind];
  const [name = '', value] = Object.entries(data)[0] ?? [];
  if (name !== 'response' || typeof value !== 'object' || value === null) return [name];
  return [name, ...Object.keys(value).filter((key) => key !== 'request_id')];
}

function banner({ port, httpPort }: GatewayServer, host: string): string {
  const address = addressText({ host, port });
  const face = `http://${addressText({ host, port: httpPort })}`;
  return [
    `Fold gateway on ${address} (coven.CovenControl, fold.FoldControl, PackService, ClientService, health, reflection)`,
    `  an agent reaches it by    my-agent --gateway ${address}`,
    ...(httpPort === 0 ? [] : [`  an operator by            curl ${face}/   (GET / lists its paths)`]),
    `  here                      type help; Ctrl-C stops`,
  ].join('\n');
}
