// Workers run several test files: the programs of each are ended after it.
import { afterAll } from 'vitest';
import { endPrograms } from '../conformance/command.test-helper.ts';

afterAll(endPrograms);
