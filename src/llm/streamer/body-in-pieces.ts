/**
 * A body that is made piece by piece: some pieces a turn, and none while the client does not read. So a large answer
 * takes neither its size in memory, nor its whole time at once.
 */
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { StreamerStep } from './state.ts';

/** The text that is sent in one turn (UTF-16 units). Other exchanges have their turns between. */
const turnText = 1 << 15;

/** Begins an answer with status 200 and this JSON. */
export function beginBody(step: StreamerStep, peer: string, pieces: Iterable<string>): void {
  const metadata = { ':status': '200', 'content-type': 'application/json' };
  step.out.push({ type: 'headers', peer, metadata });
  step.state.bodies.set(peer, { pieces: pieces[Symbol.iterator](), full: false });
  sendPieces(step, peer);
}

/** Sends the pieces of one turn, if a body of this link is open and has room. */
export function sendPieces({ state, out }: StreamerStep, peer: string): void {
  const body = state.bodies.get(peer);
  if (body === undefined || body.full) return;
  let text = '';
  let isOver = false;
  while (!isOver && text.length < turnText) {
    const next = body.pieces.next();
    if (next.done === true) isOver = true;
    else text += next.value;
  }
  if (text !== '') out.push({ type: 'send', peer, message: new ResponseWrite(Buffer.from(text), undefined) });
  if (!isOver) return void out.push({ type: 'start_timer', id: peer, ms: 0 });
  state.bodies.delete(peer);
  out.push({ type: 'close', peer, status: { code: 0, message: '' } });
}

/** The client left. */
export function leaveBody({ state, out }: StreamerStep, peer: string): void {
  if (state.bodies.delete(peer)) out.push({ type: 'stop_timer', id: peer });
}
