import { expect, test } from "vitest";
import { deletionInWords, getStatusWords, graceInWords } from "./domain-words";

const verification = {
  ...{ state: "verified" as const, method: "dnsTxt" as const, token: "t", checkedAt: null, record: null, file: null },
  ...{ provenAt: "2026-03-04T05:00:00.000Z", missedChecks: 0, failure: null },
};
const formatMoment = () => "4 March";

test("a verified domain whose proof has vanished looks neither verified nor unverified", () => {
  const deleted = { ...verification, failure: "There is no record." };
  expect(getStatusWords(verification).words).toBe("Verified");
  expect(getStatusWords(deleted)).toEqual({ words: "Not verified", tone: "warning" });
  expect(getStatusWords({ ...deleted, state: "unverified" }).words).toBe("Unverified");
});

test("the number of remaining checks is shown, and the last one is called the last", () => {
  expect(graceInWords({ ...verification, missedChecks: 1 }, formatMoment)).toBe(
    "The domain stays verified unless 2 more daily checks in a row miss it. Last found on 4 March.",
  );
  expect(graceInWords({ ...verification, missedChecks: 2 }, formatMoment)).toContain(
    "unless the next daily check misses it too",
  );
});

test("the dialog before a deletion lists what is deleted too, or what has to be deleted first", () => {
  const domain = { name: "api.test", credentialCount: 0, authorizationConfigCount: 0 };
  expect(deletionInWords(domain).message).toMatch(/^If you create it again/);
  const one = deletionInWords({ ...domain, authorizationConfigCount: 1 });
  expect(one.message).toMatch(/^Its authorization config is deleted too\. If/);
  const two = deletionInWords({ ...domain, authorizationConfigCount: 2 });
  expect(two.message).toMatch(/^Its 2 authorization configs are deleted too\. If/);
  expect(deletionInWords({ ...domain, credentialCount: 2, authorizationConfigCount: 1 }).title).toContain("can't be");
});
