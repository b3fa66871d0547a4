/**
 * Programs that answer operations on stdin and stdout, one JSON object a line: their lines, roles, views, rules and
 * scenarios, and the suites made of them.
 */
export { readAnswer } from './answer.ts';
export type { ReadAnswer } from './answer.ts';
export { difference, shown } from './difference.ts';
export { exactAnswer, judgeDigits, rounded } from './digits.ts';
export { judgeByFacts, mismatch, sameValue, exercisedUnless } from './facts.ts';
export type { Fact, Facts } from './facts.ts';
export { helloIn } from './hello.ts';
export { judgeVector } from './judge-vector.ts';
export type { Demand } from './judge-vector.ts';
export { lineFraming, lineLimit, ndjson, unsafeIntegers } from './ndjson.ts';
export { opsOfRows, testeeRules } from './rules.ts';
export type { AnsweredTest, JudgeAnswer, JudgeLive, Judgement, OpsOfRows } from './rules.ts';
export { answerStep, markStep, requestStep, stepsOf, vectorScenarios } from './scenarios.ts';
export type { ScenarioPlan, UnitsOfOp, VectorOfOp } from './scenarios.ts';
export { helloOf, noMemory, testeeSuite } from './suite.ts';
export type { TesteeDefinition } from './suite.ts';
export { exactTesteeOf, lenientTester, testeeOf, testeeRole, tester } from './testee.ts';
export type { Answer } from './testee.ts';
export { judgingOf, offers, opOf } from './view.ts';
export type { AnswerMemory, PendingTest, TesteeView } from './view.ts';
export { vectorFiles, vectorMaker, vectorOf } from './vector-maker.ts';
export type { JudgedReference, RandomTests, VectorSource } from './vector-maker.ts';
