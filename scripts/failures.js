import { relative } from "node:path";

/** The failures in a report of `json-reporter.js`, each with the first line of its reason. */
export function listFailures({ testResults }, folder) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(folder, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [`${file}: ${message.split("\n")[0]}`] : [];
    return failed.map((test) => `${file} > ${test.fullName}: ${test.failureMessages[0]?.split("\n")[0] ?? ""}`);
  });
}
