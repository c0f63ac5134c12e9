/** Why parts of files are not carried over, in the words of all formats. */
export const reasons = {
  preRequest:
    "Scripts are never run. What it prepares has to be a variable, a capture of an earlier test or a generated value.",
  noFile: "The file itself is not in the collection. Choose it in the test's editor.",
  noCredential: "No such credential here. Store another one for the host.",
  noAssertion: "No assertion says the same. Add a similar one in the test's editor.",
  noCapture: "A capture takes one value of the response as it is.",
  noGenerated: "No such generated value. It is a variable now: give it a value.",
} as const;
