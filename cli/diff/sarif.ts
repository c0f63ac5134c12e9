import { createHash } from "node:crypto";
import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { isAddress } from "../document/open-egress.ts";
import { productVersion } from "../version.ts";
import type { DiffReport } from "./diff-report.ts";
import { toName } from "./found-change.ts";
import type { JudgedChange } from "./judge.ts";

/** SARIF 2.1.0 of what breaks or fails; what was accepted is suppressed with its reason. */
export function toSarif({ changes, before }: DiffReport): string {
  const reported = changes.filter(({ breaking, fails }) => breaking || fails);
  const rules = [...new Set(reported.map(({ rule }) => rule))];
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            ...{ name: "assurance", version: productVersion, semanticVersion: productVersion },
            rules: rules.map((id) => ({
              id,
              shortDescription: { text: `A change by the rule ${id}` },
              defaultConfiguration: {
                level: reported.some((one) => one.rule === id && one.breaking) ? "error" : "note",
              },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: reported.map((change) => toResult(change, rules.indexOf(change.rule))),
        properties: { before },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function toResult(change: JudgedChange, ruleIndex: number) {
  const { at, rule, sentence, fails, accepted } = change;
  const name = toName(change);
  return {
    ...{ ruleId: rule, ruleIndex, level: fails || accepted ? "error" : "warning" },
    message: { text: `${name}: ${sentence}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(at.file) },
          region: { startLine: at.line, startColumn: at.column },
        },
        logicalLocations: [{ fullyQualifiedName: name, kind: "function" }],
      },
    ],
    // The same change keeps its fingerprint while lines move.
    partialFingerprints: {
      "change/v1": createHash("sha256").update(`${rule}\n${name}\n${sentence}`).digest("hex"),
    },
    ...(accepted
      ? {
          suppressions: [
            { kind: "external", status: "accepted", justification: `${accepted.reason} (until ${accepted.until})` },
          ],
        }
      : {}),
  };
}

/** From the working folder where the file is in it, as viewers of a repository want it. */
function toUri(file: string): string {
  if (isAddress(file)) return file;
  const path = relative(process.cwd(), file);
  if (path.startsWith("..") || isAbsolute(path)) return pathToFileURL(file).href;
  return path.split(sep).map(encodeURIComponent).join("/");
}
