import type { JudgeInput } from "#contracts/test-analyzer/verifications.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { createMarkupReader } from "../../xpath/document.ts";
import { judgeAssertion } from "../assertion/judge-assertion.ts";
import { JudgedResponse } from "../judged-response.ts";
import { createAjvValidator } from "../schema/ajv-validator.ts";
import { itemWith } from "./items.ts";

const validator = createAjvValidator();

/** Judges one assertion against the default response with these changes. */
export function judge(assertion: Assertion, response: Parameters<typeof itemWith>[0] = {}) {
  const { operation, ...item } = itemWith(response) as JudgeInput;
  return judgeAssertion(assertion, new JudgedResponse(item, operation, createMarkupReader()), validator);
}
