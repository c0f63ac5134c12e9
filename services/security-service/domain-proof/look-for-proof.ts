import type { Egress, OutboundResult } from "#libraries/egress/egress.ts";
import { getProofLocations, type ProofMethod, type ProofResult } from "../domain/domain-proof.ts";
import type { FindTexts } from "./dns-texts.ts";

export interface ProofLookup {
  egress: Egress;
  findTexts: FindTexts;
}

export interface ProvenDomain {
  organization_id: string;
  name: string;
  token: string;
  method: ProofMethod;
}

export type LookForProof = (domain: ProvenDomain) => Promise<ProofResult>;

const fileTimeoutMilliseconds = 10_000;
/** Several organizations may each have a line. */
const maxFileBytes = 65_536;

/** The name or the record does not exist; every other code means that the lookup was inconclusive. */
const absenceCodes = ["ENOTFOUND", "ENODATA"];

/** Creates the lookup of a domain's proof. */
export function createLookForProof({ egress, findTexts }: ProofLookup): LookForProof {
  async function lookForRecord(name: string, value: string): Promise<ProofResult> {
    try {
      const texts = await findTexts(name);
      if (texts.some((text) => text.trim() === value)) return { outcome: "found" };
      return { outcome: "missing", failure: `${name} has a TXT record, but none with this value.` };
    } catch (error) {
      const code = String((error as { code?: unknown }).code ?? "");
      if (absenceCodes.includes(code)) return { outcome: "missing", failure: `${name} has no TXT record.` };
      return {
        outcome: "unanswered",
        failure: `The name servers did not respond for ${name}${code ? ` (${code})` : ""}.`,
      };
    }
  }

  /** Redirects are not followed: with an open redirect, anyone could prove a host they do not own. */
  async function readFile(url: string, pool: string): Promise<OutboundResult> {
    return await egress.send({
      url,
      method: "GET",
      headers: [["accept", "text/plain"]],
      timeoutMilliseconds: fileTimeoutMilliseconds,
      maxRedirects: 0,
      maxBodyBytes: maxFileBytes,
      pool,
    });
  }

  async function lookForFile(url: string, content: string, pool: string): Promise<ProofResult> {
    const overTls = await readFile(url, pool);
    const first = judgeFile(overTls, content);
    if (first.outcome === "found") return first;
    // Hosts without TLS serve the file over http.
    const plain = await readFile(url.replace(/^https:/, "http:"), pool);
    const second = judgeFile(plain, content);
    if (second.outcome === "found") return second;
    return overTls.outcome === "answered" || plain.outcome === "failed" ? first : second;
  }

  return async ({ organization_id, name, token, method }) => {
    const { record, file } = getProofLocations(name, token);
    if (method === "dnsTxt" && record) return await lookForRecord(record.name, record.value);
    if (method === "wellKnown" && file) return await lookForFile(file.url, file.content, organization_id);
    return { outcome: "missing", failure: "This domain can't be proven in this way." };
  };
}

function judgeFile(result: OutboundResult, content: string): ProofResult {
  if (result.outcome === "failed") return { outcome: "unanswered", failure: result.failure.detail };
  const { status, body, url } = result.response;
  if (status >= 500 || status === 429) return { outcome: "unanswered", failure: `${url} returned ${status}.` };
  if (status !== 200) {
    const aside = status >= 300 && status < 400 ? "; redirects are not followed" : "";
    return { outcome: "missing", failure: `${url} returned ${status} instead of 200${aside}.` };
  }
  const lines = Buffer.from(body)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  if (lines.some((line) => line.trim() === content)) return { outcome: "found" };
  return { outcome: "missing", failure: `${url} is there, but no line of it is the text to copy.` };
}
