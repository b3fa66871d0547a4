// Does one job with 10,000 messages in a process of its own, and prints its peak memory (MB).
import { conversation, jobsOf } from './conversation.mjs';

const tokens = await import('../../dist/src/tokens/index.js');
const messages = conversation(10_000);
const target = Math.floor(tokens.estimateTokens(messages) / 10);
globalThis.kept = jobsOf(tokens, target)[process.argv[2]](messages);
console.log(process.resourceUsage().maxRSS / 1024);
