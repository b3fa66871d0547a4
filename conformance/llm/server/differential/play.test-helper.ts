/** Plays mutants of the reference server to the clients of a dialect, on a real port. */
import { listenHttp } from '../../../../src/kit/transport/index.ts';
import { realClock } from '../../../../src/kit/world/index.ts';
import type { MakePeer } from '../../../../src/kit/suite/index.ts';
import { referenceServer } from '../target.ts';
import { answersOf, reference, sdks } from './clients.test-helper.ts';
import type { Answer } from './answer.test-helper.ts';
import type { Client, SdkDialect } from './clients.test-helper.ts';
import { mutationsOf, rowsOf } from './mutations.test-helper.ts';
import type { Mutation } from './mutations.test-helper.ts';
import { breaks, reactionTo } from './reactions.test-helper.ts';

/** The answers of a peer, as each client reads them. */
export async function answersOfPeer(
  make: MakePeer,
  clients: { readonly [name: string]: Client },
  stream = true,
): Promise<ReadonlyMap<string, readonly Answer[]>> {
  const peer = make({ clock: realClock() });
  const server = await listenHttp({ host: '127.0.0.1', port: 0, accept: peer.accept, maxReceive: 1 << 22 });
  try {
    peer.begin();
    const url = `http://127.0.0.1:${server.port}`;
    const all = Object.entries(clients);
    return new Map(
      await Promise.all(
        all.map(async ([name, client]) => [name, await answersOf(client, url, stream)] as const),
      ),
    );
  } finally {
    peer.stop();
    await server.close();
  }
}

/** A mutation, the rows that see it, and the reaction of each client that it breaks. */
export interface Played {
  readonly mutation: Mutation;
  readonly rows: ReadonlySet<string>;
  /** Reactions by the names of the SDKs that it breaks. */
  readonly broken: ReadonlyMap<string, string>;
  /** The reaction of the kit's reference client, if it breaks that. */
  readonly reference: string | undefined;
}

/** Mutants that are played at the same time: most of a turn is waiting. */
const atOnce = 16;

/** Plays all mutations of a dialect, in streams or in whole bodies. */
export async function playAll(dialect: SdkDialect, stream: boolean): Promise<readonly Played[]> {
  const clients = { ...sdks[dialect], wireproof: reference(dialect) };
  const honest = await answersOfPeer(referenceServer(), clients, stream);
  const waiting = mutationsOf(dialect, stream).values();
  const played: Played[] = [];
  const play = async (): Promise<void> => {
    for (const mutation of waiting) {
      const rows = rowsOf(mutation);
      if (!mutation.effect.seen) continue;
      const given = await answersOfPeer(mutation.make(), clients, stream);
      const broken = new Map<string, string>();
      for (const [name, answers] of given) {
        const expected = honest.get(name) ?? [];
        if (breaks(answers, expected)) broken.set(name, reactionTo(answers, expected));
      }
      const own = broken.get('wireproof');
      broken.delete('wireproof');
      played.push({ mutation, rows, broken, reference: own });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, play));
  return played;
}
