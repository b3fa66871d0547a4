/** The words that faults of gateways share: edits of the pieces of an answer, of some kinds or once. */
import type { AnswerPiece, GatewayParts, PartContext } from '../../../../src/llm/gateway/index.ts';

type Kind = AnswerPiece['do'];
type PieceOf<K extends Kind> = AnswerPiece extends infer P
  ? P extends { readonly do: infer Own }
    ? K extends Own
      ? P & { readonly do: K }
      : never
    : never
  : never;

const isOf = <K extends Kind>(piece: AnswerPiece, kind: K): piece is PieceOf<K> => piece.do === kind;

/** Replaces each piece of a kind; undefined: it passes. */
export const onPiece = <K extends Kind>(
  kind: K,
  edit: (piece: PieceOf<K>, context: PartContext) => readonly AnswerPiece[] | undefined,
): GatewayParts => ({
  pieces: (context) => (piece) => (isOf(piece, kind) ? (edit(piece, context) ?? [piece]) : [piece]),
});

/** Replaces the first piece of a kind. */
export const onFirst = <K extends Kind>(
  kind: K,
  edit: (piece: PieceOf<K>) => readonly AnswerPiece[],
): GatewayParts => ({
  pieces: () => {
    let isDone = false;
    return (piece) => {
      if (isDone || !isOf(piece, kind)) return [piece];
      isDone = true;
      return edit(piece);
    };
  },
});

/** Leaves out the pieces of some kinds. */
export const without = (...kinds: readonly Kind[]): GatewayParts => ({
  pieces: () => (piece) => (kinds.includes(piece.do) ? [] : [piece]),
});

/** The arguments of each call, edited as one text before the call or the answer ends. */
export const onArguments = (edit: (text: string, piece: 'end' | 'cut') => string): GatewayParts => ({
  pieces: () => {
    const texts = new Map<number, string>();
    const flush = (call: number, how: 'end' | 'cut'): readonly AnswerPiece[] => {
      const text = texts.get(call);
      texts.delete(call);
      return text === undefined ? [] : [{ do: 'arguments', call, text: edit(text, how) }];
    };
    return (piece) => {
      if (piece.do === 'arguments') {
        texts.set(piece.call, (texts.get(piece.call) ?? '') + piece.text);
        return [];
      }
      if (piece.do === 'call_end') return [...flush(piece.call, 'end'), piece];
      if (piece.do !== 'stop' && piece.do !== 'terminal') return [piece];
      return [...[...texts.keys()].flatMap((call) => flush(call, 'cut')), piece];
    };
  },
});

/** Changes the reason of the end. */
export const onStop = (
  edit: (stop: PieceOf<'stop'>, context: PartContext) => PieceOf<'stop'> | undefined,
): GatewayParts => onPiece('stop', (stop, context) => [edit(stop, context) ?? stop]);
