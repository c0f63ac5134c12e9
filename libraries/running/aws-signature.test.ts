import { expect, test } from "vitest";
import { signForAws } from "./aws-signature.ts";

const secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const suite = { accessKeyId: "AKIDEXAMPLE", region: "us-east-1", service: "service" };
const suiteTime = new Date("2015-08-30T12:36:00Z");
const host = "https://example.amazonaws.com";
const form: [string, string][] = [["Content-Type", "application/x-www-form-urlencoded"]];

// Names and signatures are from AWS's own aws-sig-v4-test-suite.
test.each([
  ["get-vanilla", "GET", "/", [], undefined, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["post-vanilla", "POST", "/", [], undefined, "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  [
    "get-vanilla-query-order-key-case",
    "GET",
    "/?Param2=value2&Param1=value1",
    [],
    undefined,
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  [
    "post-x-www-form-urlencoded",
    "POST",
    "/",
    form,
    "Param1=value1",
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  ],
])("AWS's vector %s is signed as AWS signs it", (_, method, path, headers, body, signature) => {
  const request = { method, url: host + path, headers: headers as [string, string][], body };
  const signed = signForAws(request, suite, secretKey, suiteTime);
  expect(signed.signature).toBe(signature);
  const names = headers.length > 0 ? "content-type;host;x-amz-date" : "host;x-amz-date";
  expect(signed.headers).toEqual([
    ["x-amz-date", "20150830T123600Z"],
    [
      "authorization",
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    ],
  ]);
});

test("S3's documented list of objects is signed as AWS signs it, with the body's checksum", () => {
  const s3 = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", region: "us-east-1", service: "s3" };
  const url = "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J";
  const request = { method: "GET", url, headers: [], body: undefined };
  const time = new Date("2013-05-24T00:00:00Z");
  const signed = signForAws(request, s3, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", time);
  expect(signed.signature).toBe("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  expect(Object.fromEntries(signed.headers)["x-amz-content-sha256"]).toMatch(/^e3b0c44298fc1c149afb/);
});

test("headers that may be changed in transit are not signed, and a body without a type gets none", () => {
  const headers: [string, string][] = [
    ["accept-encoding", "gzip"],
    ["X-Amz-Target", "Orders.List"],
    ["X-Amz-Date", "20000101T000000Z"],
    ["Authorization", "mine"],
  ];
  const signed = signForAws({ method: "POST", url: `${host}/`, headers, body: "{}" }, suite, secretKey, suiteTime);
  expect(Object.fromEntries(signed.headers).authorization).toContain("SignedHeaders=host;x-amz-date;x-amz-target,");
  expect(Object.fromEntries(signed.headers)["x-amz-date"]).toBe("20150830T123600Z");
});
