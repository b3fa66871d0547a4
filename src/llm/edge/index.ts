/**
 * The streamer on a real port: a simulated provider for tests in this process.
 *
 * @example
 * import { script } from 'wireproof/llm';
 * import { simulateLlm } from 'wireproof/llm/simulate';
 *
 * const llm = await simulateLlm(script().toolCall('add', { a: 12, b: 2 }).cutAt({ json: 'inside-number' }));
 * // For a program under test: ANTHROPIC_BASE_URL and the others.
 * Object.keys(llm.env).length; // 10
 * await llm.close();
 */
export { llmEnvironment } from './environment.ts';
export { readScript, readyScripts } from './script-file.ts';
export { llmSecrets, serveScript } from './serve.ts';
export type { ServeOptions, Served } from './serve.ts';
export { modelVariable, serverDriver } from './server-driver.ts';
export { untilLoaded } from './server-ready.ts';
export type { ServerDriverRequest } from './server-driver.ts';
export { simulateLlm } from './simulate-llm.ts';
export type { SimulateLlmOptions, SimulatedLlm } from './simulate-llm.ts';
export { ScriptUse, undone } from './request-log.ts';
export type { LlmAnswer, LlmExchange, UnusedTurn } from './request-log.ts';
export { isRecording, readRecording } from './recording/read-recording.ts';
export type { RecordedExchange, Recording } from './recording/recording.ts';
export { recordLlm, replayLlm } from './recording/serve.ts';
export type { LlmRecorder, LlmReplay, RecordingOptions } from './recording/serve.ts';
