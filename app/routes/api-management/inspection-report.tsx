import type { Inspection } from "#contracts/api-registry/documents.ts";
import type { UnansweredNeed } from "~/features/authentication/authentication-need";
import { securityInWords } from "~/features/operation/security-words";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { DocumentProblems } from "./document-problems";
import { formatBytes } from "./figures";

export interface InspectionReportProps {
  inspection: Inspection;
  /** The next step for the document, such as "Register it". */
  next: string;
  /** A credential that it asks for and that is not stored. */
  need?: UnansweredNeed;
}

/** Without script, the focus makes screen readers announce the result. */
const focused = { tabIndex: -1, autoFocus: true } as const;

/** One line on what was understood, in the words of the document, with everything else below on request. */
export function InspectionReport({ inspection, next, need }: InspectionReportProps) {
  const { usable, title, version, operationCount, problems, problemCount } = inspection;
  const counted = (["error", "warning", "notice"] as const)
    .map((severity) => [severity, problems.filter((problem) => problem.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => plural(count, severity));
  const cut = problemCount > problems.length ? `; of ${plural(problemCount, "problem")} these are the first` : "";
  const found = [title, version].filter(Boolean).join(" ") || "The document";
  const details = usable ? (problems.length > 0 ? "Summary and issues" : "Summary") : "Issues";
  return (
    <Stack id="report">
      {!usable ? (
        <Notice tone="danger" title="This document can't be used" role="alert" {...focused}>
          Nothing was saved. Fix the issues below and try again.
        </Notice>
      ) : problemCount > 0 ? (
        <Notice
          tone="warning"
          title={`The document is usable, with ${plural(problemCount, "problem")}`}
          role="status"
          {...focused}
        >
          {found}, {plural(operationCount, "operation")}. Nothing is saved yet. {next}, or fix it first: parts with
          issues may be shown or tested incompletely.
        </Notice>
      ) : (
        <Notice tone="success" title="The document is valid" role="status" {...focused}>
          {found}, {plural(operationCount, "operation")}. Nothing is saved yet.
        </Notice>
      )}
      {usable && need && (
        <Notice title={`This API requires ${need.wanted}; none is stored`}>
          For {need.host}. Once the API is registered, its next page asks for it, with host, type and name filled in.
        </Notice>
      )}
      {(usable || problems.length > 0) && (
        <Disclosure summary={details} look="framed" open={!usable}>
          <Stack>
            {usable && <Summary inspection={inspection} />}
            {problems.length > 0 && (
              <Card
                flush
                title={problemCount > 0 ? "Issues" : "What is not checked"}
                description={`${new Intl.ListFormat("en").format(counted)}${cut}`}
              >
                <DocumentProblems problems={problems} />
              </Card>
            )}
          </Stack>
        </Disclosure>
      )}
    </Stack>
  );
}

function Summary({ inspection }: { inspection: Inspection }) {
  const { title, version, specificationVersion, format, bytes, servers, securitySchemes } = inspection;
  const { operationCount, webhookCount, tags } = inspection;
  return (
    <DefinitionList
      items={[
        { term: "Title", value: title || "None" },
        { term: "Version", value: version || "None" },
        {
          term: "Format",
          value: `OpenAPI ${specificationVersion ?? "?"}, ${format.toUpperCase()}, ${formatBytes(bytes)}`,
        },
        {
          term: "Operations",
          value: `${plural(operationCount, "operation")}${webhookCount ? ` and ${plural(webhookCount, "webhook")}` : ""}${tags.length ? ` with ${plural(tags.length, "tag")}` : ""}`,
        },
        {
          term: "Servers",
          value:
            servers.length === 0
              ? "No server defined. Enter a base URL below."
              : servers.map(({ url, resolvedUrl }) => (
                  <div key={url}>
                    <code>{url}</code>
                    {resolvedUrl === undefined && " (relative: give a base URL below)"}
                  </div>
                )),
        },
        {
          term: "Security schemes",
          value:
            securitySchemes.length === 0
              ? "None"
              : securitySchemes.map((scheme) => (
                  <div key={scheme.name}>
                    {scheme.name}: {securityInWords(scheme)}
                  </div>
                )),
        },
      ]}
    />
  );
}
