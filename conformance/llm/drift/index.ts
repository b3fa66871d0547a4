/** `wireproof drift FILE…`: what recorded answers of model providers have that this revision does not know. */
import { beginsAsTrace, readTrace } from '../../../src/kit/spec/index.ts';
import type { ReadDrift } from '../../../src/kit/suite/index.ts';
import { readRecording } from '../../../src/llm/edge/index.ts';
import { findingsOf } from './findings.ts';
import { knownTraffic } from './known.ts';
import { takeRecording } from './recorded.ts';
import { TracedAnswers } from './traced.ts';
import { Traffic } from './traffic.ts';

/** Reads recordings and traces of model providers. */
export const llmDrift: ReadDrift = async (files, knownFiles) => {
  const traffic = new Traffic();
  const unread = await takeFiles(traffic, files);
  const others = new Traffic();
  const unreadKnown = await takeFiles(others, knownFiles);
  return {
    answers: Object.fromEntries([...traffic.answers].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    words: traffic.words.all.length,
    findings: findingsOf(traffic, [knownTraffic(), others]),
    unread: [...unread, ...unreadKnown],
    lost: traffic.lost,
  };
};

/** @returns sentences about answers that could not be read */
async function takeFiles(traffic: Traffic, files: readonly string[]): Promise<readonly string[]> {
  const unread: string[] = [];
  for (const file of files) {
    if (!beginsAsTrace(file)) {
      unread.push(...takeRecording(traffic, file, readRecording(file)));
      continue;
    }
    const answers = new TracedAnswers(traffic, file);
    await readTrace(
      file,
      () => {},
      (event) => answers.take(event),
    );
  }
  return unread;
}
