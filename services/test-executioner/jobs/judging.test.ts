import { expect, test } from "vitest";
import { createPlainAnalyzer } from "../testing/analyzer.ts";
import { madeAttempt } from "../testing/reported-run.ts";
import { createJudge, type JudgeRequest } from "./judging.ts";

const { request, response, phases } = madeAttempt();
const asked: JudgeRequest = {
  organizationId: "019aa000-0000-7000-8000-0000000000c1",
  apiId: "019aa000-0000-7000-8000-00000000000a",
  method: "get",
  path: "/books/{bookId}",
  request: request!,
  response: response!,
  phases: phases!,
  assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
  checks: [],
  captures: [],
  authorized: false,
  secrets: [],
  isUrgent: false,
};

test("500 answers of an API are judged in five calls, those of another in one of their own", async () => {
  const analyzer = createPlainAnalyzer();
  const judge = createJudge(analyzer.connect, async () => "a token");
  const other = judge({ ...asked, apiId: "019aa000-0000-7000-8000-00000000000b" });
  const judgements = await Promise.all([other, ...Array.from({ length: 500 }, () => judge(asked))]);
  expect(new Set(judgements.map(({ verdict }) => verdict))).toEqual(new Set(["passed"]));
  expect(analyzer.calls).toEqual({ judge: 6, judged: 501 });
});
