import { isIP } from "node:net";
import { z } from "zod";
import { parseEgressAllow } from "#libraries/egress/policy.ts";

/** Separated by commas or white space. */
export const list = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** A whole number within bounds, with one error message for any invalid text. */
export function wholeNumber(least: number, max: number, error: string) {
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(max, { error });
}

export const seconds = (least: number) => wholeNumber(least, 600, `needs a number of seconds from ${least} to 600`);

export const httpAddress = z
  .url({ protocol: /^https?$/, error: "needs an address that starts with http:// or https://" })
  .transform((address) => address.replace(/\/+$/, ""));

export const origin = httpAddress.refine(
  (address) => new URL(address).origin === new URL(address).href.replace(/\/$/, ""),
  {
    error: "needs an address without path, query or user name, e.g. https://portal.example.com",
  },
);

function isAddressOrRange(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    longest > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
  );
}

export const isNatsAddress = (text: string) => URL.canParse(text) && /^(nats|tls):\/\/[^/]+\/?$/.test(text.trim());

export const addressesOrRanges = z
  .string()
  .transform(list)
  .refine((entries) => entries.every(isAddressOrRange), {
    error: "needs IP addresses or CIDR ranges separated by commas, e.g. 10.0.0.0/8",
  });

export const egressAllow = z.string().superRefine((text, context) => {
  try {
    parseEgressAllow(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message.replace("EGRESS_ALLOW ", "") });
  }
});

/** `name@host`, bare or in angle brackets after a name. */
export const sender = /^(?:[^<>\p{Cc}]*<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/u;

export const exporter = z.enum(["otlp", "none"], { error: "needs otlp or none" });
