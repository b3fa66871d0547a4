/** `wireproof testee`: the reference implementation itself answers on stdin and stdout. */
import { WireproofError } from '../src/kit/base/index.ts';
import type { JsonObject } from '../src/kit/base/index.ts';
import { lineFraming, ndjson, testeeRole } from '../src/kit/check/index.ts';
import { Wires, byteWire } from '../src/kit/transport/index.ts';
import { Host, framed, realClock } from '../src/kit/world/index.ts';
import { testees } from '../conformance/index.ts';

const nonsense = (reason: string): JsonObject => ({
  id: null,
  error: { code: 'bad-input', message: reason },
});

/** Runs the verb: until stdin ends. */
export async function testee(suite: string): Promise<void> {
  const load = Object.hasOwn(testees, suite) ? testees[suite] : undefined;
  if (load === undefined)
    throw new WireproofError(
      'usage',
      `testee ${suite}: there are ${Object.keys(testees).join(', ')} (wireproof list suites shows all suites)`,
    );
  const answering = testeeRole(await load());
  if (process.stdin.isTTY)
    process.stderr.write('one JSON object a line, such as {"id":1,"op":"hello"}; Ctrl-D ends\n');
  await new Promise<void>((resolve) => {
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
      tap: (event) => {
        if (event.kind === 'end' || event.kind === 'reset') resolve();
      },
    });
    const { stdin: readable, stdout: writable } = process;
    new Wires('stdio', framed(host.accept, lineFraming)).add(byteWire({ readable, writable }));
  });
}
