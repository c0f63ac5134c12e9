import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import {
  describePlace,
  executionName,
  type ReportedExecution,
} from "../../services/test-executioner/domain/report/reported-run.ts";
import { xmlText } from "../../services/test-executioner/domain/report/xml-text.ts";
import { isFailure } from "../../services/test-executioner/domain/verdict.ts";
import { groupCauses, toOperation } from "./causes.ts";
import type { Locate } from "./locating.ts";
import type { Report } from "./to-report.ts";
import { countOf, describeCounts, toDuration } from "./words.ts";

const styles = `
:root { color-scheme: light dark; --edge: light-dark(#d5d9e0, #3a404a); --failed: light-dark(#b3261e, #ff8a80);
  --passed: light-dark(#146c2e, #7ddc94); --other: light-dark(#7a5200, #ffca6b); --quiet: light-dark(#565d69, #a7aebb); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } p { margin: .25rem 0; }
.quiet { color: var(--quiet); } code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--edge); border-radius: .375rem; padding: .75rem; max-height: 24rem; }
article { border: 1px solid var(--edge); border-inline-start: .25rem solid var(--other); border-radius: .375rem; padding: .75rem 1rem; margin: .75rem 0; }
article.failed { border-inline-start-color: var(--failed); } article p { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--edge); vertical-align: top; }
td.verdict { white-space: nowrap; font-weight: 600; } .is-passed { color: var(--passed); } .is-failed { color: var(--failed); }
.is-other { color: var(--other); }
`;

/** Characters; longer bodies are shown as they came. */
const longestIndented = 100_000;

/** A page in one file, without scripts: the causes with what was sent and received, then every test. */
export function toHtml({ run, executions }: Report, locate: Locate, title: string): string {
  const causes = groupCauses(executions);
  const length = Date.parse(run.finishedAt!) - Date.parse(run.startedAt!);
  const [api] = run.apis;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${xmlText(`${title}: ${describeCounts(run.counts)}`)}</title>
<style>${styles}</style>
<main>
<h1>${xmlText(title)}</h1>
<p><strong>${describeCounts(run.counts)}</strong>: ${countOf(executions.length, run.places ? "execution" : "test")} in ${toDuration(length)}</p>
<p class="quiet">${xmlText([api?.baseUrl, run.startedAt?.replace("T", " ").replace(/\.\d+Z$/, " UTC")].filter(Boolean).join(", "))}</p>
${causes.length > 0 ? `<h2>What is wrong</h2>\n${causes.map((cause) => toCause(cause, locate)).join("\n")}` : ""}
<h2>All tests</h2>
<div class="scroll" role="region" aria-label="All tests" tabindex="0"><table>
<thead><tr><th scope="col">Verdict</th><th scope="col">Operation</th><th scope="col">Test</th><th scope="col">Status</th><th scope="col">Time</th></tr></thead>
<tbody>
${executions.map(toRow).join("\n")}
</tbody></table></div>
</main>
</html>
`;
}

function toCause({ execution, reason, also }: ReturnType<typeof groupCauses>[number], locate: Locate): string {
  const at = locate(execution);
  const attempt = execution.attempts.at(-1);
  const place = describePlace(execution);
  const notes = [
    ...(at ? [`${at.file}, line ${at.line}`] : []),
    ...(place ? [`Sent ${place}`] : []),
    ...(also.length > 0 ? [`Also: ${also.join("; ")}`] : []),
  ];
  return `<article class="${execution.verdict}">
<p><strong>${xmlText(toOperation(execution))}</strong> ${xmlText(executionName(execution))}</p>
<p>${xmlText(reason)}</p>
${notes.map((note) => `<p class="quiet">${xmlText(note)}</p>`).join("\n")}
${attempt?.request ? `<details><summary>Request and response</summary>${toExchange(attempt)}</details>` : ""}
</article>`;
}

function toExchange({ request, response }: Attempt): string {
  const sent = request!;
  const headers = (list: readonly (readonly [string, string])[]) => list.map(([name, value]) => `${name}: ${value}`);
  const asked = [`${sent.method} ${sent.url}`, ...headers(sent.headers), "", indent(sent.body)];
  const received = response
    ? [`${response.status} ${response.statusText}`.trim(), ...headers(response.headers), "", indent(response.body)]
    : ["No response was received."];
  return `<pre tabindex="0">${xmlText(asked.join("\n").trimEnd()).replaceAll("&#10;", "\n")}</pre>
<pre tabindex="0">${xmlText(received.join("\n").trimEnd()).replaceAll("&#10;", "\n")}</pre>`;
}

/** JSON on several lines, anything else as it came. */
function indent(body: string | null | undefined): string {
  if (!body || !/^\s*[[{]/.test(body) || body.length > longestIndented) return body ?? "";
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function toRow(execution: ReportedExecution): string {
  const { verdict, statusCode, responseMilliseconds: time, reason, isRegional } = execution;
  const [kind, word] =
    verdict === "passed" || verdict === "flaky"
      ? ["is-passed", verdict]
      : [
          verdict === "failed" && !isRegional ? "is-failed" : "is-other",
          isFailure(verdict) ? (isRegional ? "regional" : verdict) : "not run",
        ];
  const why = verdict === "skipped" && reason ? `<br><span class="quiet">${xmlText(reason)}</span>` : "";
  return `<tr><td class="verdict ${kind}">${word}</td><td><code>${xmlText(toOperation(execution))}</code></td><td>${xmlText(executionName(execution))}${why}</td><td>${statusCode ?? ""}</td><td>${time == null ? "" : toDuration(time)}</td></tr>`;
}
