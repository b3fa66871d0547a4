/** `wireproof testee`: the reference implementation itself answers on stdin and stdout. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { JsonObject } from '../src/kit/base/index.ts';
import { lineFraming, ndjson, testeeRole } from '../src/kit/testee/index.ts';
import { Connections, byteWire, dialHttp } from '../src/kit/transport/index.ts';
import { Host, framed, realClock } from '../src/kit/world/index.ts';
import type { Accept, WireEvent } from '../src/kit/world/index.ts';
import { diallingTestees, loadSuite, testees } from '../conformance/index.ts';

const nonsense = (reason: string): JsonObject => ({
  id: null,
  error: { code: 'bad-input', message: reason },
});

/** Runs the verb: until stdin ends. */
export async function testee(suite: string): Promise<void> {
  const make = await testeeOf(suite);
  if (process.stdin.isTTY)
    process.stderr.write('one JSON object a line, such as {"id":1,"op":"hello"}; Ctrl-D ends\n');
  await new Promise<void>((resolve) => {
    const accept = make((event) => {
      if (event.stream === 's1' && event.incoming && (event.kind === 'end' || event.kind === 'reset'))
        resolve();
    });
    const { stdin: readable, stdout: writable } = process;
    new Connections('stdio', framed(accept, lineFraming)).add(byteWire({ readable, writable }));
  });
}

/** Most bytes of a message that a testee takes of what it dials. */
const maxReceive = 32 << 20;

type Testee = (tap: (event: WireEvent) => void) => Accept;

/** How a suite's reference is set up: as a function of requests, or as a peer that dials. */
async function testeeOf(suite: string): Promise<Testee> {
  if (diallingTestees.includes(suite)) {
    const { reference } = await loadSuite(suite);
    return (tap) => {
      const peer = reference()({ clock: realClock(), dial: dialHttp({ maxReceive, prefix: 'h' }), tap });
      peer.begin();
      return peer.accept;
    };
  }
  const load = Object.hasOwn(testees, suite) ? testees[suite] : undefined;
  if (load === undefined)
    throw new WireproofError(
      'usage',
      `testee ${suite}: there are ${[...Object.keys(testees), ...diallingTestees].join(', ')} (wireproof list suites shows all suites)`,
    );
  return answeringTestee(await load());
}

function answeringTestee(answer: (request: JsonObject) => JsonObject): Testee {
  const answering = testeeRole(answer);
  return (tap) => {
    const host = new Host<null, JsonObject, JsonObject, never>({
      role: {
        ...answering,
        // A line that is no JSON object has no id to answer under: the answer says why.
        step: (state, input, now) =>
          input.type === 'undecodable'
            ? { state, outputs: [{ type: 'send', peer: input.peer, message: nonsense(input.reason) }] }
            : answering.step(state, input, now),
      },
      clock: realClock(),
      receives: ndjson,
      sends: ndjson,
      tap,
    });
    return host.accept;
  };
}
