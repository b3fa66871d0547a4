/**
 * Declares `Symbol.asyncDispose` for readers of our types whose `lib` has not `esnext.disposable`. It is what `lib` and
 * `@types/node` declare, so that they merge. Node.js 20 has the symbol.
 */
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}
