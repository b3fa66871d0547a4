// A conversation of n messages: users, calls with results, and answers.
const words = 'The quick brown fox jumps over the lazy dog, and nobody asks why. ';

export function conversation(n) {
  /** @type {Parameters<typeof import('../../dist/src/tokens/index.js').estimateTokens>[0][number][]} */
  const messages = [];
  for (let turn = 0; messages.length < n; turn++) {
    const call = { id: `c${turn}`, name: 'read', input: { path: `/src/file-${turn}.ts` } };
    messages.push(
      { role: 'user', content: `${turn}: ${words.repeat(3)}` },
      { role: 'assistant', content: words, toolCalls: [call] },
      {
        role: 'user',
        content: '',
        toolResults: [{ id: call.id, content: words.repeat(20), isError: false }],
      },
      { role: 'assistant', content: words.repeat(5) },
    );
  }
  return messages.slice(0, n);
}

/** What is done with a conversation; JSON.stringify is the peer. */
export function jobsOf({ ConversationPruner, compact, estimateTokens }, tokens) {
  const pruner = new ConversationPruner();
  return {
    stringify: (messages) => JSON.stringify(messages),
    estimate: (messages) => estimateTokens(messages),
    prune: (messages) => pruner.pruneMessages(messages, tokens),
    compact: (messages) => compact(messages, { window: tokens }),
  };
}
