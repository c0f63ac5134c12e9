import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { OutsideLink } from "./api-metadata";
import type { OperationView } from "./operation-view";

/** The URL of a call and its authorization, at a glance. */
export function OperationSummary({ apiId, view }: { apiId: string; view: OperationView }) {
  const { operationId, tags, servers, security, externalDocs } = view;
  return (
    <DefinitionList
      items={[
        operationId !== null && { term: "Operation id", value: <code>{operationId}</code> },
        tags.length > 0 && {
          term: "Tags",
          value: tags.map((tag, index) => (
            <span key={tag}>
              {index > 0 && ", "}
              <a href={href("/api-management/:apiId/swagger/operations", { apiId }, { tag })}>{tag}</a>
            </span>
          )),
        },
        servers.length > 0 && {
          term: "Servers",
          value: servers.map(({ url, description }) => (
            <div key={url}>
              <code>{url}</code> {description}
            </div>
          )),
        },
        { term: "Authorization", value: <Security security={security} /> },
        externalDocs && {
          term: "More",
          value: <OutsideLink href={externalDocs.url}>{externalDocs.description || externalDocs.url}</OutsideLink>,
        },
      ]}
    />
  );
}

function Security({ security }: Pick<OperationView, "security">) {
  if (security.length === 0) return "None needed";
  return security.map((alternative, index) => (
    <div key={alternative.map(({ name }) => name).join()}>
      {index > 0 && "or "}
      {alternative.length === 0 && "none"}
      {alternative.map(({ name, words, scopes }, at) => (
        <span key={name}>
          {at > 0 && " and "}
          {name}: {words}{" "}
          {scopes.map((scope) => (
            <Badge key={scope} icon={null}>
              {scope}
            </Badge>
          ))}
        </span>
      ))}
    </div>
  ));
}
