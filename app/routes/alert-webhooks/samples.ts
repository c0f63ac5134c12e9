/** Allowed difference in seconds between an alert's time and the receiver's, as in libraries for Standard Webhooks. */
export const toleratedSeconds = 300;

/** Verifies an alert in Node without dependencies. */
export const nodeSample = `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the request's body as it came, before it is parsed
export function isOurs(secret, headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < ${toleratedSeconds};
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = Buffer.from(
    "v1," + createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest("base64"),
  );
  return isRecent && signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

/** The same in Python. */
export const pythonSample = `import base64, hashlib, hmac, time

# body: the request's bytes as they came, before they are parsed
def is_ours(secret, headers, body):
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    is_recent = abs(time.time() - int(timestamp)) < ${toleratedSeconds}
    key = base64.b64decode(secret.replace("whsec_", ""))
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers["webhook-signature"].split(" ")
    return is_recent and any(hmac.compare_digest(expected, one) for one in given)`;

/** Sends an alert to a receiver as the product does, for trying a receiver out. */
export function curlSample(body: string): string {
  return `url='http://localhost:8080/alerts'
secret='whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
body='${body.replaceAll("'", "'\\''")}'

id="try-$(date +%s)"
timestamp="$(date +%s)"
key="$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -tx1 | tr -d ' \\n')"
signature="$(printf %s "$id.$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)"

curl --include "$url" \\
  --header 'content-type: application/json' \\
  --header "webhook-id: $id" \\
  --header "webhook-timestamp: $timestamp" \\
  --header "webhook-signature: v1,$signature" \\
  --data-raw "$body"`;
}
