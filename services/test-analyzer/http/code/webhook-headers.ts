import { z } from "zod";
import type { AlertChannelCode } from "#contracts/code/alerting.ts";
import { alertHeader } from "#contracts/test-analyzer/alert-templates.ts";
import { isSecretHeader } from "#libraries/redaction/secret-signs.ts";
import type { ChangeContext, Fail } from "../../../kit/code/code-kind.ts";
import { secretNameOf } from "../../../kit/code/keys.ts";

/** The sealed form. A header entered in the portal is secret; one with a plain value in a file is not. */
const storedHeader = alertHeader.extend({ isPlain: z.boolean().default(false) });
export type StoredHeader = z.infer<typeof storedHeader>;

export type WebhookCode = AlertChannelCode & { kind: "webhook" };
type HeaderCode = WebhookCode["headers"][number];

export const readStoredHeaders = (text: string): StoredHeader[] =>
  text === "" ? [] : z.array(storedHeader).parse(JSON.parse(text));

const locationOf = (name: string) => `headers.${name.toLowerCase()}`;

/** Headers as files have them, and the values of their secrets. */
export function toHeaderCode(
  headers: readonly StoredHeader[],
  { key, names }: { key: string; names: Record<string, string> },
) {
  const secrets: Record<string, string> = {};
  const code = headers.map(({ name, value, isPlain }): HeaderCode => {
    if (isPlain) return { name, value };
    const secret = names[locationOf(name)] ?? secretNameOf(key, name);
    secrets[secret] = value;
    return { name, value: { secret } };
  });
  return { code, secrets };
}

/**
 * The headers to store. A secret that was not sent stays, as long as the address of the channel does.
 * @param stored those of the channel, unless they belong to another address
 */
export function readHeaderCode(
  headers: readonly HeaderCode[],
  stored: readonly StoredHeader[],
  context: ChangeContext,
  fail: Fail,
): { headers: StoredHeader[]; secretNames: Record<string, string> } {
  const secretNames: Record<string, string> = {};
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const read = headers.map(({ name, value }, index): StoredHeader => {
    const path = `headers[${index}]`;
    if (headers.findIndex((one) => isSame(one.name, name)) < index)
      fail(`${path}.name`, "This header is there already");
    if (typeof value === "string") {
      if (isSecretHeader(name, value))
        fail(`${path}.value`, `${name} carries a secret, which is named: { secret: ${secretNameOf(name)} }`);
      return { name, value, isPlain: true };
    }
    secretNames[locationOf(name)] = value.secret;
    const given = context.secrets[value.secret];
    const known = stored.find((one) => isSame(one.name, name) && !one.isPlain)?.value;
    if (given === undefined && known === undefined) {
      context.missingSecrets.add(value.secret);
      if (!context.isCheck) fail(`${path}.value`, `Send the value of the secret ${value.secret}`);
    }
    const checked = alertHeader.shape.value.safeParse(given ?? known ?? "?");
    for (const { message } of checked.error?.issues ?? []) fail(`${path}.value`, message);
    return { name, value: checked.data ?? "?", isPlain: false };
  });
  return { headers: read, secretNames };
}
