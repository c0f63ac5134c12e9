import { expect, test } from "vitest";
import { createRedactor } from "../../redaction/redactor.ts";
import { redactVerification } from "./redacted-attempt.ts";

test("a value's text with a secret is left out, and the value beside it is redacted", () => {
  const redactor = createRedactor([{ secret: "90071992547409930000" }])!;
  const shared = { kind: "assertion" as const, source: "jsonPath", outcome: "failed" as const, passed: false };
  const verification = redactVerification(
    {
      ...{ ...shared, message: "expected 1.0, found 90071992547409930000" },
      ...{ target: 1, targetJson: "1.0", actual: ["90071992547409930000"], actualJson: '["90071992547409930000",1.0]' },
    },
    redactor,
  );
  expect(JSON.stringify(verification)).not.toContain("900719925474");
  expect(verification).toMatchObject({ targetJson: "1.0", actual: ["[secret]"], actualJson: undefined });
});
