import { href } from "~/href";
import { JsonView } from "~/ui/json-view/json-view";
import { Stack } from "~/ui/layout/layout";
import type { DocumentedLocation } from "./documented-locations";

/** The operation of the document. */
export interface Reference {
  apiId: string;
  method: string;
  path: string;
}

interface DocumentedSchemasProps {
  id: string;
  locations: readonly DocumentedLocation[];
  reference: Reference;
}

/** Each violated schema, down to the failed keyword, and its location in the reference. */
export function DocumentedSchemas({ id, locations, reference }: DocumentedSchemasProps) {
  const { apiId, method, path } = reference;
  return locations.map(({ name, location: place, schema, highlights }, index) => (
    <Stack key={place ?? name ?? ""} gap="small">
      <h4>
        Documented schema{name && ` ${name}`}
        {place && (
          <>
            {" · "}
            <a href={href("/api-management/:apiId/swagger/schema", { apiId }, { method, path, place })}>
              open in the reference
            </a>
          </>
        )}
      </h4>
      <JsonView
        id={`${id}-schema-${index + 1}`}
        label={`Documented schema${name ? ` ${name}` : ""}`}
        value={schema}
        openLevels={1}
        highlights={highlights}
      />
    </Stack>
  ));
}
