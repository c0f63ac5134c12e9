import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import type { ImportReview } from "./import-reply";

type ReviewedEnvironment = ImportReview["apiEnvironments"][number];

const states: Record<ReviewedEnvironment["state"], string> = {
  new: "",
  changed: ", changed",
  unchanged: ", unchanged",
  edited: ", edited here and left as it is",
};

function describe({ baseUrl, variables, secretVariables }: ReviewedEnvironment): string {
  const secret = secretVariables.length > 0 ? `, secret: ${secretVariables.join(", ")}` : "";
  return `${baseUrl}, ${plural(variables.length, "variable")}${secret}`;
}

/** The environments of the files that the API gets, each with its base URL and what it holds. */
export function EnvironmentChoices({ environments }: { environments: readonly ReviewedEnvironment[] }) {
  return (
    <Card
      title="Environments"
      description="They become environments of the API, with their variables. Secret ones are stored encrypted."
    >
      <Stack gap="small">
        {environments.map((environment) => {
          const { id, name, state } = environment;
          return (
            <div key={id}>
              <input type="hidden" name="known" value={id} />
              <Checkbox
                id={id.replace(" ", "-")}
                name="take"
                value={id}
                defaultChecked
                label={`${name}${states[state]}`}
                hint={describe(environment)}
              />
            </div>
          );
        })}
      </Stack>
    </Card>
  );
}
