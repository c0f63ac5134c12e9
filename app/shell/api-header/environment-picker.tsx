import { useLocation } from "@remix-run/react";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Select } from "~/ui/select/select";
import * as styles from "./api-header.css";
import type { ApiContext } from "./find-api-header.server";

/** Selects the viewer's environment for this API. */
export function EnvironmentPicker({ api, environments, chosen }: ApiContext) {
  const { pathname, search } = useLocation();
  if (environments.length === 0) return null;
  return (
    <form
      method="post"
      action={href("/api-management/:apiId/environment", { apiId: api.id })}
      className={styles.environment}
    >
      <input type="hidden" name="returnTo" value={pathname + search} />
      <Select
        label="Environment"
        labelHidden
        id="environment-in-use"
        name="environment"
        defaultValue={chosen?.name ?? ""}
        placeholder="No environment"
        options={environments.map(({ name }) => ({ value: name, label: name }))}
      />
      <Button size="small">Use</Button>
    </form>
  );
}
