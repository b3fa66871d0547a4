/** Reads what is true as data: requirement lists, scenarios, statements and traces, each checked, each refused with its position. */
export {
  asBuilders,
  listArgument,
  numberArgument,
  objectArgument,
  textArgument,
  textBuilders,
} from './case-builders.ts';
export type { CaseBuilders } from './case-builders.ts';
export { caseFolder, readCaseTables } from './case-tables.ts';
export type { Case, CaseTables } from './case-tables.ts';
export { checkDocument, documentLimits, readDocument } from './document.ts';
export type { CheckedDocument } from './document.ts';
export { readScriptFile, readyScript, readyScripts } from './llm-script.ts';
export { readRequirements } from './requirements.ts';
export type { Requirement, RequirementList } from './requirements.ts';
export { packageRoot } from './root.ts';
export { readScenario, readScenarios } from './scenarios.ts';
export { readStatement } from './statement.ts';
export type { ExpectedFailure, Statement } from './statement.ts';
export { parseEvent, parseHeader, readTrace } from './trace-file.ts';
export {
  isVectorSeed,
  seedOf,
  sentenceOf,
  vectorFolder,
  vectorGenerator,
  vectorInput,
  vectorSchema,
} from './vector-set.ts';
export type { Vector, VectorFault, VectorFile, VectorGroup, VectorResult, VectorSet } from './vector-set.ts';
export { placeOfTest, readVectors, vectorDifferences, verifyVectors, writeVectors } from './vectors.ts';
