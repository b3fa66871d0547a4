/** Reads requirement lists, scenarios, statements, vectors and traces. Each is checked, and refused with its position. */
export {
  asBuilders,
  listArgument,
  numberArgument,
  objectArgument,
  textArgument,
  textBuilders,
} from './case-builders.ts';
export type { CaseBuilders } from './case-builders.ts';
export { caseFolder, readCaseTables, readTests } from './case-tables.ts';
export type { Case, CaseTables, TestTable } from './case-tables.ts';
export { checkDocument, documentLimits, readDocument } from './document.ts';
export type { CheckedDocument } from './document.ts';
export { readRequirements } from './requirements.ts';
export type { Requirement, RequirementList } from './requirements.ts';
export { peerLists, readLawfulWords, readMutantWords } from './peer-words.ts';
export type { ByPeer, LawfulWords, MutantWords } from './peer-words.ts';
export { packageRoot } from './root.ts';
export { readSpecTable } from './spec-table.ts';
export { mostReportBytes, readReport } from './report-file.ts';
export { beginsAsTrace } from './trace-beginning.ts';
export { readScenario, readScenarios, readScenarioTests } from './scenarios.ts';
export { baselineOf, readBaselines, textOfBaselines } from './baseline.ts';
export type { Baseline, BaselineSubject } from './baseline.ts';
export { readStatement, readStatements, statementOfValue } from './statement.ts';
export { findStatement, statementNames } from './find-statement.ts';
export type {
  ExpectedFailure,
  NamedStatement,
  StatedModel,
  StatedClaims,
  StatedRoute,
  StatedTool,
  Statement,
} from './statement.ts';
export {
  appendUserFile,
  checkFile,
  makeFolder,
  draftEnding,
  ownersOnly,
  readUserFile,
  replaceFile,
  writeUserFile,
} from './user-file.ts';
export type { ExpectedFile } from './user-file.ts';
export type { TraceEnd } from './trace-file.ts';
export { beginTrace, liveScenario, parseEvent, parseHeader, readTrace, textOfTrace } from './trace-file.ts';
export {
  isOfConversations,
  isVectorSeed,
  manifestName,
  seedOf,
  sentenceOf,
  vectorFolder,
  vectorGenerator,
  vectorInput,
  vectorSchema,
} from './vector-set.ts';
export { conversationsReadme, textOfReadme } from './vector-readme.ts';
export { readManifest, sha256, writeSet } from './vector-write.ts';
export type { MadeFile, MadeSet, WriteOptions } from './vector-write.ts';
export type {
  Vector,
  VectorFault,
  VectorFile,
  VectorGroup,
  VectorManifest,
  VectorResult,
  VectorSet,
} from './vector-set.ts';
export { placesOfTests, readVectors, vectorDifferences, verifyVectors, writeVectors } from './vectors.ts';
