import type { Api, ApiSummary } from "#contracts/api-registry/apis.ts";
import type { ApiDescription } from "#contracts/api-registry/descriptions.ts";
import type { DocumentVersion } from "#contracts/api-registry/documents.ts";
import type { Environment } from "#contracts/api-registry/environments.ts";
import { type SentFrom, SentFromValue } from "~/features/locations/sent-from";
import { securityInWords } from "~/features/operation/security-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Grid, Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { formatBytes } from "../../figures";

export interface DetailsSectionsProps {
  api: ApiSummary;
  metadata: Omit<ApiDescription, "description">;
  operationTags: Api["operationTags"];
  environments: readonly Environment[];
  /** The locations of its environments. */
  sentFrom: readonly SentFrom[];
  documents: readonly DocumentVersion[];
  mayChange: boolean;
}

/** The document's content and the additions to it, a card each. */
export function DetailsSections(props: DetailsSectionsProps) {
  const { api, metadata, operationTags, environments, sentFrom, documents, mayChange } = props;
  return (
    <Stack gap="large">
      <Grid cell="large">
        <Card title="Servers" description="Where requests go.">
          <Servers
            effectiveBaseUrl={api.effectiveBaseUrl}
            servers={metadata.servers}
            ownServers={metadata.ownServers}
          />
        </Card>
        <Card
          title="Environments"
          description="Environments tests can run against."
          actions={
            mayChange && (
              <LinkButton
                size="small"
                href={href("/api-management/:apiId/details/environments", { apiId: api.id })}
                icon="pencil"
              >
                Edit<VisuallyHidden> environments</VisuallyHidden>
              </LinkButton>
            )
          }
        >
          {environments.length === 0 ? (
            <p>No environments yet. Add one, e.g. Staging, with its own base URL and variables.</p>
          ) : (
            <DefinitionList
              items={environments.map(({ name, baseUrl, variables, secretVariables = [], locationId }) => ({
                term: name,
                value: (
                  <>
                    <code>{baseUrl}</code>
                    {Object.keys(variables).length > 0 && <div>Variables: {Object.keys(variables).join(", ")}</div>}
                    {secretVariables.length > 0 && (
                      <div>Secret variables: {secretVariables.map((secret) => secret.name).join(", ")}</div>
                    )}
                    {sentFrom
                      .filter(({ id }) => id === locationId)
                      .map((location) => (
                        <div key={location.id}>
                          Runs from: <SentFromValue location={location} />
                        </div>
                      ))}
                  </>
                ),
              }))}
            />
          )}
        </Card>
        <Card
          title="Authentication"
          description="Credentials for the security schemes of the document."
          actions={
            <LinkButton size="small" href={href("/api-management/:apiId/details/authentication", { apiId: api.id })}>
              Open<VisuallyHidden> authentication</VisuallyHidden>
            </LinkButton>
          }
        >
          {metadata.securitySchemes.length === 0 ? (
            <p>The document defines no security scheme.</p>
          ) : (
            <DefinitionList
              items={metadata.securitySchemes.map((scheme) => ({ term: scheme.name, value: securityInWords(scheme) }))}
            />
          )}
        </Card>
        <Card title="Operations by tag">
          <OperationTags apiId={api.id} tags={operationTags} />
        </Card>
      </Grid>
      <Card
        title="Document versions"
        flush
        actions={
          <LinkButton
            size="small"
            href={href("/api-management/:apiId/details/watch", { apiId: api.id })}
            icon="refresh"
          >
            Watch<VisuallyHidden> the document</VisuallyHidden>
          </LinkButton>
        }
      >
        <Table
          caption="Imported versions of the document, newest first"
          captionHidden
          columns={documentColumns(api.id)}
          rows={documents}
          rowKey={({ id }) => id}
        />
      </Card>
    </Stack>
  );
}

function Servers({
  effectiveBaseUrl,
  servers,
  ownServers = [],
}: Pick<ApiSummary, "effectiveBaseUrl"> & Pick<ApiDescription, "servers" | "ownServers">) {
  return (
    <DefinitionList
      items={[
        {
          term: "In use",
          value: effectiveBaseUrl === null ? "None" : <code>{effectiveBaseUrl}</code>,
        },
        ...servers.map(({ url, resolvedUrl, description, variables }, index) => ({
          term: servers.length === 1 ? "In the document" : `In the document, ${index + 1}`,
          value: (
            <>
              <code>{url}</code>
              {description && <div>{description}</div>}
              {resolvedUrl === undefined && <div>Relative: no absolute URL.</div>}
              {variables.map((variable) => (
                <div key={variable.name}>
                  <code>{`{${variable.name}}`}</code> is <code>{variable.default}</code>
                  {variable.enum && ` (one of ${variable.enum.join(", ")})`}
                </div>
              ))}
            </>
          ),
        })),
        ownServers.length > 0 && {
          term: "Of single operations",
          value: (
            <>
              {ownServers.map((url) => (
                <div key={url}>
                  <code>{url}</code>
                </div>
              ))}
              <div>Used for requests of these operations.</div>
            </>
          ),
        },
      ]}
    />
  );
}

const displayedTags = 20;

function OperationTags({ apiId, tags }: { apiId: string; tags: Api["operationTags"] }) {
  const viewer = href("/api-management/:apiId/swagger", { apiId });
  if (tags.length === 0) return <a href={viewer}>All operations, without tags</a>;
  const hidden = tags.length - displayedTags;
  return (
    <Stack gap="small">
      <DefinitionList
        items={tags.slice(0, displayedTags).map(({ name, operationCount }) => ({
          term: name || "Without tag",
          value: (
            <a href={href("/api-management/:apiId/swagger/operations", { apiId }, { tag: name })}>
              {operationCount.toLocaleString("en")} {operationCount === 1 ? "operation" : "operations"}
            </a>
          ),
        }))}
      />
      {hidden > 0 && <a href={viewer}>{hidden.toLocaleString("en")} more tags</a>}
    </Stack>
  );
}

function documentColumns(apiId: string): Column<DocumentVersion>[] {
  return [
    {
      key: "version",
      header: "Version",
      rowHeader: true,
      cell: ({ version, current }) => (
        <>
          {version || "none"} {current && <Badge tone="success">Current</Badge>}
        </>
      ),
    },
    { key: "imported", header: "Imported", selfEvident: true, cell: ({ importedAt }) => <Moment value={importedAt} /> },
    {
      key: "source",
      header: "From",
      clipped: true,
      cell: ({ sourceUrl, fileName }) => {
        const from = sourceUrl ?? fileName ?? "Pasted text";
        return <span title={from}>{from}</span>;
      },
    },
    {
      key: "download",
      header: "Original",
      selfEvident: true,
      cell: ({ id, bytes }) => (
        <a href={href("/api-management/:apiId/documents/:documentId", { apiId, documentId: id })}>
          Download ({formatBytes(bytes)})
        </a>
      ),
    },
    {
      key: "format",
      header: "Format",
      selfEvident: true,
      cell: ({ specificationVersion, format }) => `OpenAPI ${specificationVersion}, ${format.toUpperCase()}`,
    },
    {
      key: "operations",
      header: "Operations",
      numeric: true,
      cell: ({ operationCount }) => operationCount.toLocaleString("en"),
    },
    {
      key: "problems",
      header: "Problems",
      numeric: true,
      cell: ({ id, problemCount }) =>
        problemCount === 0 ? (
          "0"
        ) : (
          <a href={href("/api-management/:apiId/details/problems", { apiId }, { documentId: id })}>
            {problemCount.toLocaleString("en")}
          </a>
        ),
    },
  ];
}
