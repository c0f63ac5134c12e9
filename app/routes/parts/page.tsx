import type { MetaFunction } from "@remix-run/node";
import { useSearchParams } from "@remix-run/react";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { contentStates } from "./content-states";
import { dialogStates } from "./dialog-states";
import { formStates } from "./form-states";
import { navigationStates } from "./navigation-states";
import type { PartStates } from "./part-states";
import { plotStates } from "./plot-states";
import * as styles from "./themes.css";
import { toneStates } from "./tone-states";

export const meta: MetaFunction = () => [{ title: "Parts · API Assurance" }];

const dialogs: PartStates = () => ({
  dialog: Object.fromEntries(
    Object.keys(dialogStates).map((state) => [
      state,
      <a key={state} href={`?${new URLSearchParams({ dialog: state })}`}>
        Open it
      </a>,
    ]),
  ),
});

const allStates: PartStates = (id) => ({
  ...contentStates(id),
  ...toneStates(id),
  ...formStates(id),
  ...navigationStates(id),
  ...plotStates(id),
  ...dialogs(id),
});

/** Every part of `app/ui` in every state, in both themes. In development only: no build contains this page. */
export default function PartsPage() {
  const [search] = useSearchParams();
  const dialog = dialogStates[search.get("dialog") as keyof typeof dialogStates];
  return (
    <main id="content">
      <div className={styles.beside}>
        <Parts theme="light" />
        <Parts theme="dark" />
      </div>
      {dialog}
    </main>
  );
}

export function Parts({ theme }: { theme: keyof typeof styles.theme }) {
  const parts = Object.entries(allStates((name) => `${theme}-${name}`)).sort(([one], [other]) =>
    one.localeCompare(other),
  );
  return (
    <div className={styles.theme[theme]}>
      <Stack>
        <PageHeading title={`Parts, ${theme}`} description="By their folders in app/ui." />
        {parts.map(([folder, states]) => (
          <Card key={folder} id={`${theme}-part-${folder}`} title={folder}>
            <Stack>
              {Object.entries(states).map(([state, part]) => (
                <div key={state} data-state={state}>
                  <p>{state}</p>
                  {part}
                </div>
              ))}
            </Stack>
          </Card>
        ))}
      </Stack>
    </div>
  );
}
