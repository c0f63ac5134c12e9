import { createHash, createHmac } from "node:crypto";
import type { Responding } from "./target.ts";

/** Verifies Signature Version 4 by AWS's published rules, without a library. */
export function awsServer(accessKeyId: string, secretAccessKey: string): Responding {
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return (request, response) => {
    const given = request.headers.authorization ?? "";
    const [, id, scope = "", signed = "", signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]*)\/([^,]*), SignedHeaders=([^,]*), Signature=(.*)$/.exec(given) ?? [];
    const [path = "", query = ""] = request.url!.split("?");
    const canonical = [
      request.method,
      path.split("/").map(encode).join("/"),
      [...new URLSearchParams(query)]
        .map(([name, value]) => `${encode(name)}=${encode(value)}`)
        .sort()
        .join("&"),
      ...signed.split(";").map((name) => `${name}:${request.headers[name]}`),
      "",
      signed,
      sha256(request.text),
    ].join("\n");
    const toSign = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, sha256(canonical)].join("\n");
    const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
    const isGood = id === accessKeyId && signature === hmac(key, toSign).toString("hex");
    response.writeHead(isGood ? 200 : 403).end(`you sent ${given}`);
  };
}
