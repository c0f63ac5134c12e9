import { z } from "zod";
import type { testInput } from "#contracts/test-registry/tests.ts";
import { describeDifferences } from "../../../app/features/proposals/describe-differences.ts";
import { canFail, findingsWords } from "../../../app/features/proposals/findings-words.ts";
import { href } from "../../../app/href.ts";
import { requireAnswer } from "../assistant.ts";
import { defineTool, givenId, id } from "../tool.ts";

export const proposeTest = defineTool({
  name: "propose_test",
  title: "Propose a test",
  description: `Stores a draft of a new test, or of a change of one, that a person accepts or rejects in the portal; nothing else changes. The response says what differs and whether altered copies of a recorded response show that the test can fail. Needs the scope tests:propose.
"test" is as read_test returns it, without id and version; give it whole. For example {"name": "Lists books", "method": "get", "path": "/books", "request": {"query": [{"name": "limit", "value": "5"}]}, "assertions": [{"source": "statusCode", "comparison": "equals", "target": 200}, {"source": "jsonPath", "property": "$.items[0].id", "comparison": "hasType", "target": "number"}], "checks": ["response_schema_conformance"]}. A wrong field is refused with its name and reason.`,
  input: z.object({
    apiId: givenId,
    testId: givenId.optional().describe("The test to change; omitted for a new one"),
    test: z.record(z.string(), z.unknown()),
    reason: z.string().max(1_000).default("").describe("Why, for the person who decides"),
  }),
  output: z.object({
    proposalId: id,
    canFail: z.boolean().describe("Whether spoiled responses show that it can fail"),
    findings: z.string(),
    differences: z.array(z.object({ part: z.string(), removed: z.array(z.string()), added: z.array(z.string()) })),
    page: z.string().describe("Where a person decides"),
  }),
  effect: "proposes",
  async answer({ apiId, testId, test, reason }, { services, origin }) {
    const body = { testId, test: test as z.input<typeof testInput>, reason };
    const proposal = requireAnswer(await services.testRegistry.proposeTest({ params: { apiId }, body }));
    const { findings, current } = proposal;
    return {
      summary: `The proposal is stored and changes nothing until a person accepts it. ${
        canFail(findings) ? "It is shown that the test can fail." : "It is not shown that the test can fail."
      }`,
      data: {
        proposalId: proposal.id,
        canFail: canFail(findings),
        findings: findingsWords(findings),
        differences: describeDifferences(current, proposal.test),
        page: origin + href("/test-management/:apiId/tests/proposals", { apiId }),
      },
    };
  },
});
